// Package api defines the requests and answers that the edges of the program (tools, hooks, command line) exchange with
// the engine. Every edge prints the same JSON.
//
// It is pure: no files, clock, network or randomness.
package api
