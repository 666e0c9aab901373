// Package recall finds what a conversation's memory has to say to a question: events, summaries and claims of one
// user.
//
// The unit is an event with its neighbors: an event is ranked by its own words, and by those of the events before
// and after it in its thread at half their weight, because what answers a question often does not repeat it. Events,
// summaries and claims are three indexes of package search, so that few claims among many events keep what words
// are rare in them. Where vectors are known, both orders are fused by rank.
//
// # Contract
//
// The package is pure: no clock, no files, no model. Texts are not kept, only their words. Equal rows, put in the
// order of their Seq, give equal answers, whatever was put and deleted in between. Find may be called concurrently;
// all other methods need exclusive access.
package recall
