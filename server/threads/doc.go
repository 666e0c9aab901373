// Package threads keeps what chat applications remember: threads of events, rolling summaries, claims about a user
// with
// their evidence, reactions, vectors. It puts the policies of package conversation over a [Storage], which it
// declares,
// and does what takes longer, such as asking a model, in jobs that outlive the process.
//
// A [Subject] is whose memory it is: one user of one application. Nothing crosses from one to another. All changes
// of a
// subject run one after another, so that a thread has one writer, and each is one transaction: an event is stored
// with
// its jobs or not at all.
//
// Without a [Models] everything works: search is lexical, summaries are made of sentences of the events, and word
// rules
// suggest claims.
package threads
