// Package eval asks questions with known answers and counts how far up search
// puts them. It goes through the same Parse and Search as recall does.
//
// A task is {"docs":[{"id","topic","content","tags":[],"created"}],
// "queries":[{"q","relevant":["id"],"kind"}]}, "created" (RFC 3339) and "kind"
// being optional. A question with an empty "relevant" has no answer; it is
// right to find nothing for it, or nothing of a stated score.
//
// It reads no files, and it has no opinion on which figures are good enough.
package eval
