// Package engine holds the use cases of ltm: what it means to remember, recall,
// forget, restore or evict a memory, to begin and end a session, and to check a
// store. It is the only package that sees both the files and the policy.
//
// Every method may be called by several goroutines, and other processes may
// change the store at any time: nothing is kept between calls that is not
// checked against the files again. Errors are [ltm/memory.Error].
package engine
