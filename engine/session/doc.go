// Package session follows the client's sessions in a store's state: which are open,
// what was counted in each and since its last store (a segment), how hard that was,
// and when the model should be asked for a memory.
//
// It changes the records that it is given and writes nothing. What the client itself
// recorded of a session is read through [Records].
package session
