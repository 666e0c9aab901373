// Package api has the requests and answers in which the edges of the program (tools,
// hooks, command line) speak with the engine. Their JSON is what every edge prints.
//
// It is pure: no file, clock, network or randomness.
package api
