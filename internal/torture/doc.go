// Package torture holds ltm to its first promise: a stored memory is never lost.
//
// It has tests alone. They run the real program, stop it at every call that changes
// a file, make every such call fail in turn, kill processes at random while others
// work in the same project, and check afterwards that everything that was
// acknowledged is there, is whole, and still counts as written here.
// docs/reliability.md says which test holds which promise.
//
// LTM_TORTURE_ROUNDS is the number of random kills. With it the walks take every
// call, and from 4,000 on every kind of failure at each.
package torture
