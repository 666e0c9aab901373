// Package picker is the state of a list from which a person picks by typing parts of a name: which
// items match, where the cursor is, which items are marked, and how it looks on a screen. It does
// no I/O: bytes from a terminal are parsed by [Keys], and [Model.View] returns lines.
//
// The texts of items and previews must be safe to show, each on one line.
package picker
