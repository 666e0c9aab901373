// Package gitstore asks git about the files of a store: which commits changed them, who
// wrote them, which versions of them exist, and whether git ignores them.
//
// It starts git through package gitcmd, at the top of the work tree alone, and hands out
// what git says without interpreting it. Names of authors and subjects of commits come from
// a repository: they are not safe to show as they are.
package gitstore
