// Package agents drives agents other than Claude Code, the real ones from npm in pinned versions, offline: a model
// server on loopback plays a script, and the tests look at what the model was told, what was stored and what was
// counted. "make e2e-clients" runs it; it downloads about a gigabyte once. LTM_CLIENTS names a directory that has them
// already, each in a directory of its name.
package agents
