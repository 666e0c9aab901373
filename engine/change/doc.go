// Package change writes one store: it remembers, updates, corrects, edits, tags, forgets, restores, evicts, prunes,
// imports and undoes. Each operation plans and checks all of its work before it writes, and is one change of the store.
package change
