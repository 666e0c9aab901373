// Package torture holds ltm to its first promise: a stored memory is never lost.
//
// It has tests alone. They run the real program, stop it at every single call
// that changes a file, make every such call fail in turn, kill processes at
// random while others work in the same project, and look afterwards whether
// everything that was acknowledged is there and whole. docs/reliability.md says
// which test holds which promise.
//
// LTM_TORTURE_ROUNDS is the number of random kills; with it, the exhaustive
// walks also take every kind of failure at every call instead of one in turn.
package torture
