// Package audit checks a store and repairs it, in three steps: [Examine] reads all of
// it and finds what is wrong, [Survey.Plan] decides on every finding, and
// [Plan.CarryOut] does what was planned. The first two change nothing.
//
// Nothing that a person may have written is deleted unless the options say so, and a
// readable memory never is. What no repair can settle is listed with what to do.
package audit
