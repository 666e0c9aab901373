// Package torture tests ltm's first promise: a stored memory is never lost.
//
// It contains only tests. They run the real program, stop it at every call that changes a file,
// make every such call fail in turn, kill processes at random while others work in the same
// project, and then check that everything that was acknowledged is present, complete, and still
// counts as written in this clone. docs/reliability.md lists which test covers which promise.
//
// LTM_TORTURE_ROUNDS sets the number of random kills. If it is set, the walks cover every call; from 4,000 on, they try
// every kind of failure at each call.
package torture
