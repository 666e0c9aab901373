// Package memory is the domain of ltm: what a memory is, which values it may
// hold, how its file is read and written, and the words (requests and answers)
// in which the edges of the program speak with the engine.
//
// It is pure: no file, clock, network or randomness. Times, random bytes and
// file contents are arguments. It imports nothing else of the module, and every
// other package may import it.
//
// Reading a file is liberal and writing one is strict; see [Parse] and
// [File.With]. What a change does not concern keeps its bytes.
package memory
