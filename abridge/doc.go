// Package abridge shortens markdown that people and models write about their work. It
// is pure: text in, text out.
//
// [Hint] keeps the first paragraph and the key points, [FirstParagraph] makes a
// summary, and [FirstSentence] makes a line.
//
// # Hints
//
// A hint keeps of the content, in its order and in its own bytes:
//
//   - the first paragraph, to the last sentence within 1,000 characters;
//   - up to 12 key points of together some 6,000 bytes: list items of up to 200
//     characters, each with up to three nested ones, and the first sentence of a
//     paragraph under a heading, or after a label and a colon, such as "Fix",
//     "Root cause" or "Decision". When there are more, those under a label go
//     first, then the earlier ones;
//   - the code or table of up to 10 lines that directly follows a paragraph that
//     is kept, or is part of an item: whole or not at all;
//   - the headings above these, except a title at the top, and the line that
//     announces a list ("What did not help:"): without it, points can say the
//     opposite.
//
// A text with neither paragraphs nor lists keeps its headings and its first
// short code. A text of which nothing can be kept, such as one long code block,
// stays as it is up to 4,000 bytes, and beyond that is left with its first line.
//
// # Bounds
//
// The structure of markdown is found by goldmark's block parser, in the first 64
// KiB and 4,000 lines of a text and to a bounded depth, so the time is bounded
// whatever the text is. No text makes these functions fail: what they do not understand is a
// paragraph.
package abridge
