// Package secrets finds credentials in text: keys and tokens of well-known services, private keys, passwords in
// connection strings, commands and sentences, and random values that are assigned to a name such as API_TOKEN. It is
// pure.
//
// A credential with a form of its own (ghp_…, AKIA…, a PEM block) is recognized by that form; its random part must not
// look made up. Everything else needs a telling name, command or sentence around it, and a strong enough value: see
// [Entropy] and the constants of entropy.go. Placeholders, references to variables, code, paths, checksums, ids and the
// keys that documentation prints are not findings.
//
// A value may be split over literals that are joined ("ab" + "cd"). Base64 of text is searched like the text itself, up
// to two levels deep.
//
// A text that is displayed differently from how it is written, with zero-width characters or full-width letters, is
// also read as it is displayed.
//
// A text is read once, without regular expressions. Each byte is read again at most a constant number of times, so the
// time is linear in the length of any text. The first check of a rule costs a comparison or two: a name, a prefix, a
// symbol.
//
// The package does not verify credentials, and does not find a password that is an ordinary word or a sentence. A
// password in a sentence must be stronger than one in a setting: it needs symbols, or digits among letters.
package secrets
