// Package memory is the domain of ltm: what a memory is and which values it may hold.
//
// It is pure: no file, clock, network or randomness. Times, random bytes and texts are arguments. It imports nothing
// but the standard library, and every other package may import it.
package memory
