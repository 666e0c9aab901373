// Package find reads one store: it recalls, lists and gets memories, in sight or archived, and finds ids, tags, similar
// and stale memories and the graph of links. It changes nothing, except that opening a memory counts as an access.
package find
