// Package hooks is the side of ltm that Claude Code calls at its events: it
// decodes an event's payload, tells the engine, and encodes what the client
// expects as output.
//
// A hook must never block or break the client. So payloads are read up to a
// bound, unknown fields are ignored and missing ones have defaults; the caller
// turns every error into one line and exit status 1, never 2, which the client
// takes as "block".
//
// hooks.json beside this file registers the events for the plugin.
package hooks
