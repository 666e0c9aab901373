// Package terminal draws for people: tables that fit the screen, wrapped text, markdown, diffs, a pager and progress.
//
// A [Screen] is a value that says how wide lines may be and whether they are colored; it returns lines without line
// ends. Functions that use a stream take it as an argument. The package does not read the environment or decide about
// colors and pagers: its callers do, and pass the results in.
//
// Texts must be safe to show: control characters are not removed here.
package terminal
