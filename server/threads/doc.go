// Package threads keeps the memory of chat applications: threads of events, rolling summaries, claims about a user
// with their evidence, reactions, vectors. It applies the policies of package conversation to a [Storage], which it
// declares, and does slower work, such as asking a model, in jobs that survive a restart of the process.
//
// A [Subject] is the owner of a memory: one user of one application. Subjects are isolated from each other. All
// changes of a subject run one after another, so that a thread has one writer, and each is one transaction: an event
// is stored with its jobs or not at all.
//
// It works without [Models]: search is lexical, summaries consist of sentences of the events, and word rules suggest
// claims.
package threads
