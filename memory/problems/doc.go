// Package problems makes the reports of a check or a repair safe to print.
//
// A repository that someone else wrote can supply what they name: file names, keys of an index,
// values of a header, and any number of them. So every edge that prints such a report passes it
// through [Bounds] first: names are quoted unless they are one plain word, reasons are one line,
// and everything has a size limit. If a list was cut, Omitted has the number of missing entries.
//
// If the setting trust withholds what no person has approved, [Withhold] and [WithholdFix] keep
// only ltm's own words, and names and ids of the form that ltm gives them.
//
// The package is pure and does not change its arguments. It does not decide what is a problem, or who gets a report.
package problems
