// Package secrets finds credentials in text: keys and tokens of well-known
// services, private keys, passwords in connection strings, commands and sentences,
// and random-looking values that are assigned to a name such as API_TOKEN. It is
// pure.
//
// A credential with a form of its own (ghp_…, AKIA…, a PEM block) is known by
// that form; its random part must not look made up. Everything else needs a
// telling name, command or sentence around it, and a value that is strong enough:
// see [Entropy] and the constants of entropy.go. Placeholders, references to
// variables, code, paths, checksums, ids and the keys that documentation prints
// are left alone.
//
// A value may be split over literals that are joined ("ab" + "cd"), and base64 of
// text is searched like the text itself, twice over if need be.
//
// It reads a text once, without regular expressions, and looks at a byte again no
// more than a constant number of times, so that the time is linear in the length
// of any text. What is looked for first costs one comparison or two: a name, a
// prefix, a sign.
//
// It will not verify a credential, or find a password that is an ordinary word or
// a sentence. Of a password in a sentence it asks for more than of one in a
// setting: signs, or digits among letters.
package secrets
