// Package brief writes the blocks of text that a session or a prompt starts with: ranked memories in, a block out.
//
// A block stays within a budget, quotes every text of a memory so that it cannot be mistaken for the block's own, and
// says what was left out. The package is pure: texts come from a [Source], and only those that may fit are read.
package brief
