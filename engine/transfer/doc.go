// Package transfer imports memories from documents and exports them.
//
// A [Form] is one document format: ltm's own, or that of another program. It recognizes its documents and reads them
// into [Item]s, which say what each entry should become. [NewPlan] compares the items with the contents of a store and
// decides which are new, known, changed or refused, each with a reason. A plan is a value. Another package carries it
// out.
//
// A form never decides what is stored: it reports what the document contains, with texts unchanged.
//
// It is pure: no file, clock, network or randomness.
package transfer
