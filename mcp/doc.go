// Package mcp serves the engine's use cases as tools over the Model Context Protocol, on standard input and output.
//
// Each tool has a file of its own with its description, parameters and handler. A parameter is declared once, for the
// schema and for decoding. Handlers are typed functions; arguments are decoded and errors are worded in one place.
// Invalid input and errors of the engine are tool errors (isError) that say what is allowed, so that the model can
// correct itself. Nothing but JSON-RPC is written to the output.
//
// Models read structuredContent, so results are lean; the text beside it is for clients without structured output.
package mcp
