// Package audit checks a store and repairs it in three steps: [Examine] reads all of it and lists the findings,
// [Survey.Plan] decides on each of them, and [Plan.CarryOut] executes the plan. The first two change nothing.
//
// Files that a person may have written are deleted only if the options say so, and readable memories never. Problems
// that no repair can fix are listed with instructions.
package audit
