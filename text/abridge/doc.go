// Package abridge shortens markdown that people and models write about their work. It is pure: text in, text out.
//
// [Hint] keeps the first paragraph and the key points, [FirstParagraph] makes a
// summary, and [FirstSentence] makes a line.
//
// # Hints
//
// A hint keeps these parts of the content, in their order and byte for byte:
//
//   - the first paragraph, to the last sentence within 1,000 characters;
//   - up to 12 key points of together about 6,000 bytes: list items of up to 200
//     characters, each with up to three nested ones, and the first sentence of a
//     paragraph under a heading, or after a label and a colon, such as "Fix",
//     "Root cause" or "Decision". If there are more, those under a label take
//     precedence, then the earlier ones;
//   - code or a table of up to 10 lines that directly follows a kept paragraph, or
//     is part of an item: all of it or nothing;
//   - the headings above these, except a title at the top, and the line that
//     introduces a list ("What did not help:"): without it, points can appear to
//     say the opposite.
//
// A text with neither paragraphs nor lists keeps its headings and its first short code block. A text from which nothing
// can be kept, such as one long code block, is unchanged up to 4,000 bytes; a longer one is reduced to its first line.
//
// # Bounds
//
// Goldmark's block parser finds the structure of the markdown, in the first 64 KiB and 4,000 lines of a text and to a
// bounded depth, so the time is bounded for any text. These functions never fail: text that they do not understand
// counts as a paragraph.
package abridge
