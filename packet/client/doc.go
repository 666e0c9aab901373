// Package client talks to packet servers (LTM-SPEC-0001) over HTTP, and keeps what a person needs for that: a token for
// each server, and the packets that wait to be sent.
//
// A server is not trusted. Its answers have size and time limits and are checked before they are used; callers must
// pass their texts through [ltm/text/safe] before a terminal shows them. A token goes only to the server that it
// belongs to (scheme, host, port and path): redirects are errors. Everything between slashes in a path is
// percent-encoded.
//
// A packet is searched for credentials and local paths before it is sent; this package has no way around that. Nothing
// here sends a packet on its own.
//
// Errors are [memory.Error]s. Their messages may quote a server's text, truncated and escaped.
package client
