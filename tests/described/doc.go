// Package described holds ltm-server to its own description: schemathesis makes requests of it, follows its links, and
// compares the answers with it. It also plays the example of a web chat in a browser. "make sdk-test" runs it.
package described
