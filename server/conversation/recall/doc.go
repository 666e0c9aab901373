// Package recall finds what a conversation's memory contains about a question: events, summaries and claims of one
// user.
//
// The unit is an event with its neighbors: an event is ranked by its own words, and by those of the events before and
// after it in its thread at half their weight, because an answer often does not repeat its question. Events, summaries
// and claims are three indexes of package search, so that a few claims among many events keep their own word
// frequencies. Where vectors are known, they add to the order by words, by rank.
//
// # Contract
//
// The package is pure: no clock, no files, no model. Only the words of a text are kept. Equal rows, put in the order of
// their Seq, give equal answers, whatever was put and deleted in between. Find may be called concurrently; all other
// methods need exclusive access.
package recall
