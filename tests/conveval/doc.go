// Package conveval asks a conversation memory questions with known evidence, and measures how much of the evidence it
// ranks high and puts into a context, without a model. It has only tests. "make eval-conversation FILE=…" prints the
// figures of a file; docs/conversation-eval.md explains the files and the figures.
//
// Files are in the formats of LoCoMo (conversations between two people over many sessions, with questions and the turns
// that answer them) and LongMemEval (questions, each with the sessions of one user). The turns are put into an index of
// conversation/recall, and contexts composed with package conversation, as the server does without a model. Answers are
// not judged: what a model makes of a context is not measured.
package conveval
