// Package refs finds the files that a text speaks of, and tells whether a file still is what it was.
//
// It is pure: texts and the bytes of files in, answers out. Whether a path exists, and what may be
// opened, is decided by its callers.
package refs
