// Package eviction decides which memories fade, and which archives a prune removes. It is pure:
// values in, values out; it reads, writes and removes no files.
//
// [Plan] chooses the memories to reduce, with a reason for every step. It has two strategies: pressure, when there are
// too many memories, and [Ages], for those that have not been opened for a long time. [Reduce] takes one memory one
// phase further. [PlanPrune] chooses archives.
//
// A reduction depends only on the memory, so every clone that reduces it produces the same bytes.
package eviction
