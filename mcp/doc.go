// Package mcp serves the engine's use cases as tools over the Model Context
// Protocol, on standard input and output.
//
// Each tool has a file of its own with its words, its schemas and its handler. A
// handler is a typed function; arguments are decoded, and errors worded, in one
// place. Bad input and errors of the engine are tool errors (isError) that say
// what is allowed, so that the model can correct itself; nothing but JSON-RPC is
// ever written to the output.
//
// The model reads structuredContent, so results are lean; the text beside it is
// for clients without structured output.
package mcp
