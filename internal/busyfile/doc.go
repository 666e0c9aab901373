// Package busyfile renames and removes files that another process may hold open.
//
// Windows refuses that for as long as a reader which does not share the right to
// delete has the file open: a virus scanner, an indexer, an editor. The refusal
// passes within moments, so it is tried again for a bounded time; then the error
// is the last one. Other systems never refuse, and nothing is tried twice there.
//
// It will not wait for a lock, and not repeat what failed for another reason.
package busyfile
