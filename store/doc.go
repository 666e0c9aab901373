// Package store keeps memories as files in a project's folder .claude/ltm.
//
//	memories/mem_1a2b3c4d.md   one memory a file: the truth
//	archives/mem_1a2b3c4d.md   the fullest version of what was reduced or forgotten
//	archive_log/               when and why each archive was made, in file names
//	index.json                 derived from memories/
//	archive_index.json         derived from archives/
//	stats.json  state.json     this clone's own, ignored by git
//	.cache/                    what scans found, disposable, ignored by git
//
// Reading ([Store.View]) takes no lock: files are only ever replaced by rename,
// so a reader sees the old or the new one. Changing ([Store.Update]) takes the
// lock file with a deadline, writes memory files durably at once, and brings the
// derived files up to date at its end, so that a crash leaves surplus but no
// loss. The index is never believed over the files.
//
// Everything is reached through an [os.Root], so that neither a name nor a
// symbolic link can lead outside of the folder.
//
// The package knows no policy: what to evict, rank or show is decided by its
// callers.
package store
