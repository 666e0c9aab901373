// Package eviction decides which memories fade, and which archives a prune removes.
// It is pure: values in, values out; nothing is read, written or removed here.
//
// [Plan] chooses, with a reason for every step. [Reduce] takes one memory one phase
// further. [PlanPrune] chooses archives.
//
// Reductions depend on nothing but the memory, so everyone who reduces one gets the
// same bytes.
package eviction
