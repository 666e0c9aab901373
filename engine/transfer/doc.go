// Package transfer brings memories in from documents, and writes them out.
//
// A [Form] is one way to write memories down: ltm's own, or that of another program. It
// recognizes its documents and reads them into [Item]s, which say what each entry wants to
// become. [NewPlan] compares the items with what a store has, and decides: what is new, what is
// known, what changed, what is refused, and why each. A plan is a value. Another package
// carries it out.
//
// A form never decides what is stored: it reports what is there, with texts as they are.
//
// It is pure: no file, clock, network or randomness.
package transfer
