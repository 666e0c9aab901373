// Package refs finds the files that a text refers to, and reports whether a file has changed.
//
// It is pure: texts and the bytes of files in, answers out. Its callers determine whether a path exists and may be
// opened.
package refs
