// Package store keeps memories as files in a project's directory .claude/ltm, and the data of one clone about them in
// the clone's git directory.
//
//	.claude/ltm/memories/mem_1a2b3c4d.md   a memory, or the stub of an archived one
//	.claude/ltm/archives/mem_1a2b3c4d.md   archived texts, write-once
//	.claude/ltm/config.json                settings of the team
//	stats.json  state.json                 this clone's use, sessions and settings
//	trust  trust.key                       what was written or approved in this clone
//	log.jsonl  undo.jsonl  undo/           what happened, and how to undo it
//	lock  cache/                           can be removed at any time
//
// [Places] says where these files are. The package does not search for them and does not depend on git.
//
// The file of a memory is never deleted: git may treat a deleted file as the source of a rename, and merge another
// branch's changes to it into a similar file. So a forgotten memory leaves a stub, and archives are write-once.
//
// Reading ([Store.View]) takes no lock: files are only replaced by rename, so a reader sees the old one or the new one.
// Changing ([Store.Update]) takes the lock file, with a deadline, and writes each memory durably, so that a crash can
// leave extra files but never loses data.
//
// Everything in the work tree is reached through an [os.Root], so that neither a name
// nor a symbolic link leads out of it.
//
// The package has no policy: its callers decide what to evict, rank or show.
package store
