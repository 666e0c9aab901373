// Package signing signs memories and checks their signatures. A signature proves that the holder of
// a key signed a memory's topic, text, links, kind, importance, confidence and time of creation. It
// does not prove that a person read them, or that no newer text exists.
//
// There are two kinds of signatures. "v1" is an HMAC-SHA256 with a secret: whoever can check it can also make it, so a
// shared secret proves a group and not one person. "v2" is an SSH signature as ssh-keygen makes them, checked against a
// list of allowed signers in git's format. Both sign the same bytes, see [Bytes].
//
// SSH signatures are parsed here and checked with the standard library's primitives. The SSH library would lengthen the
// start of every hook by a tenth of an empty program's start.
//
// The package is pure: it is given keys and lists, and does not read files.
package signing
