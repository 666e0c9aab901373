// Package engine holds the use cases of ltm: what it means to remember, recall,
// forget, restore or evict a memory, to begin and end a session, and to check a
// store. It opens the store, combines the packages below it, and hands requests and
// answers of [ltm/memory/api] to the edges:
//
//   - settings: all settings, and which of their values count; pure
//   - brief: the blocks that sessions and prompts start with; pure
//   - session: sessions, segments, difficulty and the nudge
//   - audit: check and fix, as examine, plan and carry out
//   - finder: the search index over one store
//
// None of them imports the engine, and each works only on the view of the store that it is given.
//
// An Engine is safe for concurrent use. Other processes may change the store at any time, so
// whatever is cached between calls is checked against the files again. Errors are
// [ltm/memory.Error].
package engine
