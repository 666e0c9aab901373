// Package store keeps memories as files in a project's directory .claude/ltm, and
// what one clone knows of them where git keeps the clone's own files.
//
//	.claude/ltm/memories/mem_1a2b3c4d.md   one memory a file, or the stub of one that was set aside
//	.claude/ltm/archives/mem_1a2b3c4d.md   full texts that were set aside, write-once
//	.claude/ltm/config.json                settings of the team
//	stats.json  state.json                 this clone's use, sessions and settings
//	trust  trust.key                       what was written or approved in this clone
//	log.jsonl  undo.jsonl  undo/           what happened, and how to take it back
//	lock  cache/                           disposable
//
// [Places] says where. The package looks for nothing itself and knows no git.
//
// A memory's file never goes away: git takes a deleted file for the source of a
// rename, and merges what another branch did to it into whatever looks alike. So a
// memory that is forgotten leaves a stub, and archives are write-once.
//
// Reading ([Store.View]) takes no lock: files are only ever replaced by rename,
// so a reader sees the old or the new one. Changing ([Store.Update]) takes the
// lock file with a deadline and writes memory files durably at once, so that a
// crash can leave extra files but never loses data.
//
// Everything in the work tree is reached through an [os.Root], so that neither a
// name nor a symbolic link can lead outside of it.
//
// The package knows no policy: what to evict, rank or show is decided by its
// callers.
package store
