package abridge

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// cut shortens s to at most n characters: after the last sentence that fits or, if that would
// remove more than half, as [clip] does.
func cut(s string, n int) string {
	limit := offset(s, n)
	if limit == len(s) {
		return s
	}
	end := 0
	for text := s[:offset(s, n+1)]; ; {
		next := end + SentenceEnd(text[end:])
		if next > limit || next == end || next == len(text) {
			break
		}
		end = next
		end += len(text[end:]) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
	}
	if end > limit/2 {
		return unfence(strings.TrimSpace(s[:end]))
	}
	return clip(s, n)
}

// clip shortens s to at most n characters, the last of which is "…". It cuts between words and
// outside code spans and links if it can.
func clip(s string, n int) string {
	limit := offset(s, n)
	if limit == len(s) {
		return s
	}
	limit = offset(s, n-1)
	end := border(s, limit)
	if end < limit/2 {
		end = limit // one long word, or a script without spaces
		if i := strings.LastIndexAny(s[:limit], " \n\t"); i > limit/2 {
			end = i
		}
	}
	return unfence(strings.TrimRight(s[:end], " \n\t,;:-–—([{") + ellipsis)
}

// unfence prevents text whose end, and with it the end of a code span, was cut off from opening a code block.
func unfence(s string) string {
	if line, _, _ := strings.Cut(s, "\n"); IsFence(line) {
		return strings.TrimLeft(s, "`~ ")
	}
	return s
}

// border returns the last place up to limit at which s can be cut between words, or 0.
func border(s string, limit int) int {
	last := 0
	for i := 0; i < limit; {
		if n := span(s[i:]); n > 0 {
			if i += n; i > limit {
				return last
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			last = i
		}
		i += n
	}
	if r, _ := utf8.DecodeRuneInString(s[limit:]); unicode.IsSpace(r) {
		return limit
	}
	return last
}

// maxSpan bounds the search for the end of a code span or link, in bytes.
const maxSpan = 1000

// span returns the length of the code span, autolink or link at the start of s, or 0.
func span(s string) int {
	switch s = s[:min(len(s), maxSpan)]; s[0] {
	case '`':
		return codeSpan(s)
	case '[':
		if i := strings.Index(s, "]("); i > 0 && !strings.Contains(s[1:i], "[") {
			if j := strings.IndexByte(s[i:], ')'); j > 0 {
				return i + j + 1
			}
		}
	case '<':
		if i := strings.IndexAny(s, "> \n"); i > 1 && s[i] == '>' && strings.Contains(s[:i], ":") {
			return i + 1
		}
	}
	return 0
}

// codeSpan returns the length of the code span at the start of s, which ends with the next run of
// as many backticks. Without one it returns the length of the opening run.
func codeSpan(s string) int {
	run := len(s) - len(strings.TrimLeft(s, "`"))
	for i := run; i < len(s); {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			break
		}
		i += at
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if i += n; n == run {
			return i
		}
	}
	return run
}

// offset returns the number of bytes of the first n characters of s.
func offset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
