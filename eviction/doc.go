// Package eviction decides which memories fade, and what is left of them. It is
// pure: values in, values out; nothing is read, written or removed here.
//
// [Plan] chooses, with a reason for every step. [Reduce] takes one memory one
// phase further. [FirstSentence] is what is shown of an abstract, and
// [FirstParagraph] makes a summary of a content.
//
// # Phases
//
// A hint (phase 1) keeps of the content, in its order and in its own bytes:
//
//   - the first paragraph, to the last sentence within 1,000 characters;
//   - up to 12 key points of together some 6,000 bytes: list items of up to 200
//     characters, each with up to three nested ones, and the first sentence of a
//     paragraph under a heading, or after a label and a colon, such as "Fix",
//     "Root cause" or "Decision". When there are more, those under a label go
//     first, then the earlier ones;
//   - the code or table of up to 10 lines that directly follows a paragraph that
//     is kept, or stands in an item: whole or not at all;
//   - the headings above these, and the line that announces a list ("What did
//     not help:"), since points without them can say the contrary. Only a title
//     at the top is left out.
//
// A text with neither paragraphs nor lists keeps its headings and its first
// short code. A text of which nothing can be kept, such as one long code block,
// stays as it is up to 4,000 bytes, and beyond that is left with its first line.
//
// An abstract (phase 2) keeps the summary alone.
//
// Reductions depend on nothing but the memory, so everyone who reduces one gets
// the same bytes. Reducing a hint's text again does not change it.
//
// # Bounds
//
// The structure of markdown is found by goldmark's block parser, in the first 64
// KiB and 4,000 lines of a text and to a bounded depth, so the time is bounded
// whatever the text is. Nothing here fails on a text: what is not understood is
// a paragraph.
package eviction
