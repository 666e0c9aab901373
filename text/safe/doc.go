// Package safe makes text that someone else wrote safe to show: to a model, in a session's
// context and in the answers of tools, and to a person on a terminal. Both get the same characters,
// so a person who approves a text has seen what a model will read.
//
// # Characters
//
// [Text] keeps visible characters and removes invisible ones: control characters (the visible rest of an escape
// sequence stays, without effect), bidirectional controls, zero-width characters, fillers, the tags block, private-use
// characters, noncharacters and the unassigned planes. Every line end becomes "\n", every other blank a space, and
// every byte that is not UTF-8 U+FFFD. No visible character is removed.
//
// Some scripts need invisible characters, which are kept where they have an effect:
//   - a joiner (U+200C, U+200D) between two letters of a script whose letters
//     join, or after a virama; at most 6 in a word
//   - a joiner between two emoji, at most 4 in a row
//   - one variation selector directly after an emoji, an ideograph or a
//     Mongolian letter; after ideographs at most 64 in a text
//
// # Tags
//
// A client of a model puts its own words into tags such as <system-reminder>. In a text with such a tag, its "<"
// becomes "&lt;". Disguises are recognized: brackets and letters that look like others, upper case, and any number of
// blanks before or within the name. Other markup is kept, because memories are often about code.
//
// # Structure
//
// Where several texts follow each other, [Quote] begins every line of each with "> ", whoever wrote it. This is
// markdown's form for a text within a text: a heading, an underline, a code fence or a comment ends with the quote, and
// a line that imitates the surrounding ones remains part of the quote. It costs two characters a line and otherwise
// leaves the text unchanged. [Line] is for texts that get one line, and [Name] for names of files, keys and the like.
//
// # Contract
//
// The package is pure. Text and Line are idempotent, and keep letters, digits and punctuation of any script unchanged.
// The package does not judge what a text says, mask credentials, or escape HTML.
package safe
