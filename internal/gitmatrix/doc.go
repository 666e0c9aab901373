// Package gitmatrix holds ltm to its promises in real git repositories, with stock
// git and without "ltm init".
//
// It has tests alone. They run the real program and the real git:
//
//   - The matrix plays every pair of operations on two branches, on one memory and
//     on similar ones, and combines the branches by merge, rebase, cherry-pick and
//     octopus. Every text that was stored, and that no person replaced or removed,
//     must be in the work tree afterwards, or git must have said conflict. A
//     conflict is allowed only where both branches changed the same memory.
//   - The everyday tests do what people do while memories are not committed yet,
//     and what takes files out of the work tree: pull, checkout, stash, clean,
//     sparse checkout, work trees, submodules, a commit from before the store.
//
// How an operation is played on the command line is in operations_test.go alone.
//
// LTM_GITMATRIX=all plays all combinations; otherwise it is all pairs by merge in
// one order, and a fixed part of the others.
package gitmatrix
