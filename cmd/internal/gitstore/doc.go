// Package gitstore asks git about the files of a store: their commits, authors and versions, and
// whether git ignores them.
//
// It runs git through package gitcmd, always at the top of the work tree. Author names and commit subjects are returned
// as the repository has them, so callers must sanitize them before showing them.
package gitstore
