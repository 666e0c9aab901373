// Package eval asks questions with known answers and measures how high search ranks these. It uses the same Parse and
// Search as recall.
//
// A task is {"docs":[{"id","topic","content","tags":[],"aliases":[],"created"}],
// "queries":[{"q","relevant":["id"],"kind"}]}, where "aliases", "created" (RFC 3339) and "kind" are optional. A
// question with an empty "relevant" has no answer: search should find nothing for it, or nothing of a given score.
//
// It reads no files, and does not judge which figures are good enough.
package eval
