package safe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	tildes        = "~～∼˜〜⁓∽〰"
	squares       = "[［【〔⟦〚❲⁅「"
	recordMarker  = "ltm"
	markerSlashes = "/／⁄∕⧸"
	longMarker    = 64 // bytes that are looked at for one
)

// Record returns s made safe to show as one line of a list in which a line that begins with a tilde and a word is a
// record, and in which [LTM and [/LTM enclose such lines: where s has one of these, a space takes it apart.
func Record(s string) string {
	s = Line(s)
	if !strings.ContainsAny(s, tildes+squares) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		b.WriteRune(r)
		rest := s[i+width(s[i:]):]
		next, _ := utf8.DecodeRuneInString(rest)
		switch {
		case strings.ContainsRune(tildes, r) && (unicode.IsLetter(next) || unicode.IsMark(next)),
			strings.ContainsRune(squares, r) && beginsMarker(rest):
			b.WriteByte(' ')
		}
	}
	return Line(b.String()) // a mark or selector may have lost its neighbor
}

// beginsMarker reports whether the text after a bracket reads as LTM or /LTM.
func beginsMarker(rest string) bool {
	if strings.HasPrefix(rest, " ") {
		return false
	}
	name, _ := squeezed(strings.TrimLeft(rest[:min(len(rest), longMarker)], markerSlashes), len(recordMarker))
	return strings.HasPrefix(name, recordMarker)
}
