// Package busyfile renames, removes and opens files that another process may hold
// open.
//
// Windows refuses to rename or remove a file for as long as a reader which does
// not share the right to delete has it open: a virus scanner, an indexer, an
// editor. It refuses to open one for reading while a program that shares nothing
// has it open, such as an editor that is saving. Both pass within moments, so the
// call is tried again for a bounded time; then the error is the last one. Other
// systems never refuse, and nothing is tried twice there.
//
// It will not wait for a lock, and not repeat what failed for another reason.
package busyfile
