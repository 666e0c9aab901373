// Package session tracks the client's sessions in a store's state: which are open, the work counted in each and since
// its last store (a segment), how difficult it was, and when to ask the model for a memory.
//
// It changes the records that it is given and writes nothing to disk. It reads the client's own
// records of a session through [Records].
package session
