// Package redact finds content of a packet that must not leave the machine: credentials, and paths of this machine. It
// is pure.
//
// It searches every text of a packet, including ids, tags, names, project and provenance, for the nine labels of the
// protocol (see [Label]) and for everything that package secrets finds. Invisible characters and full-width letters
// hide nothing.
//
// A [Finding] gives the place and the kind, and never quotes the text: reports end up in terminals, logs and the
// context of models. The package does not decide what happens to a packet with findings. [Mask] is for texts that were
// not written for a packet, such as those of a session's record.
package redact
