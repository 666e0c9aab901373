// Package form reads and writes packets as people type them: a text with sections for an editor, and
// single entries for flags.
//
//	## Goal
//	Keep the tide gauge clock within two seconds a week.
//
//	## Decisions
//	- Use the external crystal.
//	  why: The RC oscillator drifts forty seconds a day.
//	  locked
//
// The text has what a writer knows: not the id, the time, the version, the project and the
// provenance. Comments between <!-- and --> at the beginning of a line are skipped, and a backslash
// at the beginning of a line makes the rest of it plain text. [Format] and [Parse] are each other's
// inverse, but for blanks around texts.
//
// Nothing is dropped silently: what has no meaning is a [Fault] with its line. The package is pure,
// and does not check lengths and choices of words: see [packet.Packet.Check].
package form
