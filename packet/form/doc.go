// Package form reads and writes packets as people type them: as a text with sections in an editor, and as single
// entries in flags.
//
//	## Goal
//	Keep the tide gauge clock within two seconds a week.
//
//	## Decisions
//	- Use the external crystal.
//	  why: The RC oscillator drifts forty seconds a day.
//	  locked
//
// The text contains only what a writer knows, without the id, time, version, project and provenance. Comments between
// <!-- and --> at the beginning of a line are skipped, and a backslash at the beginning of a line makes the rest of it
// plain text. [Format] and [Parse] are each other's inverse, except for white space around texts.
//
// Nothing is dropped silently: text without a meaning is a [Fault] with its line. The package is pure, and does not
// check lengths or allowed words: see [packet.Packet.Check].
package form
