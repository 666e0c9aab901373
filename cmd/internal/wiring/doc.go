// Package wiring opens the stores of a project and of a person the way the programs do: it reads where they are, and
// who the person is, from an environment that the program passes, and gives each engine its keys, its past in git, the
// client's records and the packets.
//
// It decides nothing else: a program says how long a change waits, who reads the answers and what to do with notices.
// The environment that a project's files name does not count (see [Env.NamedByProject]).
package wiring
