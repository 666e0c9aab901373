// Package eval asks a conversation memory questions with known evidence, and measures how much of the evidence it
// ranks high and puts into a context.
//
// [Parse] reads files in the formats of LoCoMo (conversations between two people over many sessions, with questions and
// the turns that answer them) and LongMemEval (questions, each with the sessions of one user). [Measure] puts the turns
// into an index of conversation/recall, composes contexts with package conversation, as the server does without a
// model, and computes the figures. It does not judge answers: what a model makes of a context is not measured.
package eval
