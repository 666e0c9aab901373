// Package client speaks with servers of packets (LTM-SPEC-0001) over HTTP, and keeps what a person
// needs for that: a token for each server, and the packets that wait for being sent.
//
// A server is not trusted. Its answers have size and time limits, are checked before they are used,
// and their texts are for [ltm/text/safe] before a terminal shows them. A token goes to the
// server that it belongs to (scheme, host, port and path), and to no other: redirects are errors.
// Everything between slashes in a path is percent-encoded.
//
// A packet is searched for credentials and local paths before it is sent; there is no way around
// that in this package. Nothing here sends a packet by itself.
//
// Errors are [memory.Error]s. Their messages may quote what a server said, cut and with escapes.
package client
