// Package finder finds memories in one store: by a question, by what a prompt says, by
// what a new memory says, in memories/ and in archives/ alike.
//
// It keeps a search index of each of the two directories, brings it up to date with
// the files before every search, reading only those that changed, and leaves it in a
// cache to other processes. What may be found and what matters more is up to the
// caller: see [Sight].
package finder
