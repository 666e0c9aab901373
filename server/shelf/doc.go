// Package shelf lets applications query the memories in directories on the server's machine: a project's .claude/ltm,
// or a person's own.
//
// The engine decides what may be shown, as for the model of a session without an agent: it leaves out memories that are
// archived, forgotten, out of sight or for an agent, and those that the store's trust setting holds back until a person
// approves them. Superseded memories and those with an unresolved merge are left out, too.
//
// It only reads: it writes and locks no file, keeps no cache or usage counts, and does not run git. Changed files are
// noticed at the next question.
package shelf
