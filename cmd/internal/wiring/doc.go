// Package wiring opens the stores of a project and of a person as both programs need them: it reads their locations and
// the person's identity from an environment that the program passes, and gives each engine its keys, its history in
// git, the client's records and the packets.
//
// It decides nothing else: the program says how long a change waits, who reads the answers and what to do with notices.
// Variables that a project's files set do not count (see [Env.NamedByProject]).
package wiring
