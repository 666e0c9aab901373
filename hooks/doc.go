// Package hooks handles the events of Claude Code and of the clients in package clients, by the names of Claude Code:
// it decodes the payload of an event, calls the engine, and encodes the output that the client expects.
//
// A hook must never block or break the client. So payloads are read up to a limit,
// unknown fields are ignored, and missing ones have defaults. The caller turns every
// error into one line and exit status 1, never 2, which tells the client to block.
//
// hooks.json in this directory registers the events for the plugin.
package hooks
