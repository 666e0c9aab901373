// Package engine is the face of ltm's use cases on one store: what it means to remember, recall, forget, restore or
// evict a memory, to begin and end a session, and to check a store. It hands requests and answers of [ltm/memory/api]
// to the edges. An [Engine] is built from rooms, each of which embeds the one before it:
//
//   - base: the store, its settings, and how a change is made
//   - trust: what comes from elsewhere, approvals, signatures, credentials
//   - rank: the order of memories, and what else is derived for each
//   - find: everything that only reads
//   - change: everything that writes
//   - tell: sessions, blocks, status, check and repair
//
// The room person is above them: it has a project's store and the person's own. Below them are packages that do not
// know the engine and work only on what they are given:
//
//   - settings: all settings, and which of their values count; pure
//   - brief: the blocks that sessions and prompts start with; pure
//   - session: sessions, segments, difficulty and the nudge
//   - audit: check and fix, as examine, plan and carry out
//   - finder: the search index over one store
//
// An Engine is safe for concurrent use. Other processes may change the store at any time, so whatever is cached between
// calls is checked against the files again. Errors are [ltm/memory.Error].
package engine
