// Package memory is the domain of ltm: what a memory is and which values it may hold.
//
// It is pure: no file, clock, network or randomness. Times, random bytes and texts
// are arguments. Beside the standard library it imports only internal/safetext, to quote
// what was given in its messages, and every other package may import it.
package memory
