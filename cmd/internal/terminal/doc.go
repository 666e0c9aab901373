// Package terminal draws for people: tables that fit the screen, wrapped text, markdown,
// diffs, a pager and progress.
//
// A [Screen] is a value that says how wide lines may be and whether they are colored; what
// it draws are lines without their ends. The functions that touch a stream are given it.
// The package reads no environment and decides nothing about colors or pagers: its callers
// do, and hand the results in.
//
// Texts must be safe to show: control characters are not removed here.
package terminal
