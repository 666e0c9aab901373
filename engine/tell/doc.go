// Package tell is what sessions and people are told of one store: the blocks that sessions, subagents and prompts
// start with, what an edit or a compaction recalls, why a memory ranks as it does, the status, and the check with its
// repairs. It begins and ends sessions.
package tell
