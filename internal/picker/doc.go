// Package picker is the state of a list that a person picks from by typing parts of what
// is looked for: which items match, which one the cursor is at, which ones are marked, and
// how all of it looks on a screen. It reads no keys and writes nothing: bytes from a
// terminal go in through [Keys], and lines come out of [Model.View].
//
// The texts of items and previews must be safe to show, one line each.
package picker
