// Package problems makes the reports of a check or a repair fit to be printed.
//
// What they name can come from a repository that someone else wrote: names of
// files, keys of an index, values of a header, and any number of them. So every
// edge that prints such a report passes it through [Bounds] first: names are
// quoted unless they are one plain word, reasons are one line, and everything
// has a size limit. A list that was cut says in Omitted how many entries it lacks.
//
// Where the setting trust withholds what no person has approved, [Withhold] and
// [WithholdFix] leave only words of ours, and names and ids that have the form
// that ltm gives them.
//
// The package is pure and changes none of its arguments. It does not decide what
// is a problem, and not to whom a report goes.
package problems
