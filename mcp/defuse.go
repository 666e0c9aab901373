package mcp

import (
	"strings"
	"unicode"
)

// hostTags begin the names of tags that a client puts around its own words to a
// model, or a model around calls. Whatever a memory holds, it is none of theirs.
const hostTags = "system-reminder ltm-memory function_calls function_results invoke antml: tool_use_error persisted-output task-notification " +
	"command-name command-message command-args local-command- bash-input bash-stdout bash-stderr user-prompt-submit-hook"

// defuse returns a text without characters that only deceive, and with the tags
// of a host told apart from a host's. All else, such as other markup, is left.
func defuse(s string) string {
	if strings.ContainsFunc(s, deceives) {
		s = strings.Map(func(r rune) rune {
			if deceives(r) {
				return -1
			}
			return r
		}, s)
	}
	before, rest, found := strings.Cut(s, "<")
	if !found {
		return s
	}
	var b strings.Builder
	for b.WriteString(before); found; b.WriteString(before) {
		if hostTag(rest) {
			b.WriteString("&lt;")
		} else {
			b.WriteByte('<')
		}
		before, rest, found = strings.Cut(rest, "<")
	}
	return b.String()
}

// hostTag says whether what follows a "<" makes it one of a host's tags.
func hostTag(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 64)], "/ \t\n")
	for tag := range strings.FieldsSeq(hostTags) {
		if len(rest) >= len(tag) && strings.EqualFold(rest[:len(tag)], tag) {
			return true
		}
	}
	return false
}

// deceives says whether a character does something else than show: it moves a
// terminal's cursor, turns the order of letters, or is a letter that nobody sees.
// Joiners and variation selectors, which scripts and emoji need, stay.
func deceives(r rune) bool {
	switch {
	case r == '\n', r == '\t', r >= ' ' && r < 0x7f:
		return false
	}
	const firstTag, lastTag = 0xe0000, 0xe007f
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r >= firstTag && r <= lastTag
}
