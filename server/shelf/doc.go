// Package shelf lets applications ask the memories in directories on the server's machine: a project's .claude/ltm, or
// a person's own.
//
// What may be shown is the engine's decision, as for the model of a session without an agent: nothing archived,
// forgotten, faded out of sight or of an agent, and what the store's trust setting holds back until a person approves
// it. Memories that another one supersedes and those with an unresolved merge are left out, too.
//
// It reads only: no file is written or locked, no cache and no count of uses is kept, and no git is started. Files that
// change are noticed with the next question.
package shelf
