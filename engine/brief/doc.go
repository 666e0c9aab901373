// Package brief writes the blocks of text that a session or a prompt starts with:
// ranked memories in, a block out.
//
// A block keeps to a budget, quotes every text that a memory brings so that none of it
// can be taken for the block's own, and says what was left out. The package is pure:
// texts come from a [Source], which is asked for no more of them than fit.
package brief
