// Package redact finds what must not leave the machine in a packet: credentials, and paths of this
// machine. It is pure.
//
// Every text of a packet is looked at, also ids, tags, names, project and provenance, for the nine
// labels of the protocol (see [Label]) and for all that package secrets knows. Invisible
// characters and wide forms of letters hide nothing.
//
// A [Finding] says where and what, and never quotes the text: reports end up in terminals, logs and
// the context of models. The package does not decide what happens to a packet with findings.
// [Mask] is for texts that were not written for a packet, such as those of a session's record.
package redact
