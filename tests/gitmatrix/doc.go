// Package gitmatrix tests ltm in real git repositories, with stock git and without "ltm init".
//
// It contains only tests. They run the real program and the real git:
//
//   - The matrix plays every pair of operations on two branches, on one memory and
//     on similar ones, and combines the branches by merge, rebase, cherry-pick and
//     octopus. Every text that was stored, and that no person replaced or removed,
//     must be in the work tree afterwards, unless git reported a conflict. A
//     conflict is allowed only where both branches changed the same memory.
//   - The everyday tests do what people do while memories are uncommitted, and what
//     removes files from the work tree: pull, checkout, stash, clean, sparse
//     checkout, work trees, submodules, a commit from before the store.
//
// Only operations_test.go knows how an operation is played on the command line. Packets have a matrix of their own, in
// which every file must end up as one of the branches left it.
//
// LTM_GITMATRIX=all plays all combinations. Otherwise all pairs are merged in one order, with a
// fixed part of the other combinations.
package gitmatrix
