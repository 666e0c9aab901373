// Package conversation holds the policies of a memory for chat applications: which parts of a conversation are worth
// keeping, how it is summarized, which claims about a user follow from it, and how much of this a model is shown. It is
// pure: events, acts and times in, values out. It uses no clock, randomness or files.
//
// # Claims
//
// [Derive] folds a user's events and acts into claims. There is no other state: deleting an event, a thread or an act
// means folding without it, which restores claims that it superseded and removes those that only it supported. Word
// rules suggest claims ([Suggest]), and a model's answer may ([Extracted]). Suggestions enter no context until an act
// confirms them. [Next] is the table of states and acts.
//
// # Summaries
//
// A [Thread] has a cursor, which moves over all events whether or not they were worth a summary. [Thread.Next] plans
// the next step of at most [Window] events. A plan that was made at another cursor must not be applied ([ErrMoved]).
// The lines of a summary are sentences of its events, so it needs no model and invents nothing.
//
// # Contexts
//
// [Compose] fits summary, claims, hits, reactions and recent events into one budget, with memory fenced as data.
// Whole sentences in which the user states what is over are left out of all of these sources, and nothing else that was
// said. [Said] removes injected text before anything is extracted from a text.
//
// # What it does not do
//
// It does not understand text. Word rules exist for English alone; a text declared to be in another language gets no
// suggestions. Acts say which claim supersedes or disputes which: [Proposals] names what contradicts another by its
// form, and decides nothing, because similarity is not contradiction. A claim that is over is recognized by its words,
// not in a paraphrase.
package conversation
