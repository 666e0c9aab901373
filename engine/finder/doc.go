// Package finder finds memories in one store, in memories/ and in archives/: by a query, by a
// prompt, or by the text of a new memory.
//
// It has a search index for each of the two directories. Before every search it updates the index from the files that
// changed, and it saves the index in a cache for other processes. The caller decides what may be found and how much
// each memory counts: see [Sight].
package finder
