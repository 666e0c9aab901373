// Package eval asks a conversation memory questions with known evidence, and measures how much of the evidence it
// ranks high and puts into a context.
//
// [Parse] reads files of the form of LoCoMo (conversations of two persons over many sessions, with questions and the
// turns that answer them) and of LongMemEval (questions, each with the sessions of one user). [Measure] puts the turns
// into an index of conversation/recall and composes contexts with package conversation, as the server does without a
// model, and counts. It judges no answers: what a model makes of a context is not measured.
package eval
