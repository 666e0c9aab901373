// Package conversation holds the policies of a memory for chat applications: what of a conversation is worth keeping,
// how it is summarized, which claims about a user follow from it, and what of all this a model is shown. It is pure:
// events, acts and times in, values out. It has no clock, no randomness and no files.
//
// # Claims
//
// [Derive] folds a user's events and acts into claims. Nothing else is state: to delete an event, a thread or an
// act is to fold without it, so that what it superseded is back and what only it supported is gone. Word rules
// suggest claims ([Suggest]); a model's answer may ([Extracted]). Suggestions enter no context until an act
// confirms them. [Next] is the table of the states and acts.
//
// # Summaries
//
// A [Thread] has a cursor, which moves over all events whether or not they were worth a summary. [Thread.Next]
// plans the next step of at most [Window] events, and [Thread.Apply] refuses a plan that was made at another
// cursor. The lines of a summary are sentences of its events, so that it needs no model and invents nothing.
//
// # Contexts
//
// [Compose] puts summary, claims, hits, reactions and recent events into one budget, with memory fenced as data. What
// a claim that is not true says is left out from every one of these sources. [Said] removes what was injected before
// anything is extracted from a text.
//
// # What it does not do
//
// It does not understand text. Word rules exist for English alone; a text declared to be in another language gets no
// suggestions. Nothing finds contradictions: which claim supersedes or disputes which is said by an act, because
// likeness is not contradiction. A claim that is not true is recognized by its words and its evidence, not in a
// paraphrase whose event is not among its evidence.
package conversation
