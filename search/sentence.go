package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentence is a piece of text that is shown whole, on one line.
type sentence struct {
	text    string
	runes   int
	heading bool
}

// splitSentences splits markdown into sentences, without the markers of headings, lists and quotes.
// Each list item, table row and line of code is a sentence; a line of a paragraph is not.
func splitSentences(text string) []sentence {
	var out []sentence
	var block []string
	flush := func() {
		out = appendSentences(out, strings.Join(block, " "))
		block = block[:0]
	}
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			flush()
			code = !code
		case line == "":
			flush()
		case code || line[0] == '|':
			flush()
			out = appendTrimmed(out, strings.Join(strings.Fields(line), " "))
		case line[0] == '#':
			flush()
			before := len(out)
			out = appendTrimmed(out, strings.Join(strings.Fields(strings.TrimLeft(line, "# ")), " "))
			for i := range out[before:] {
				out[before+i].heading = true
			}
		default:
			if item, ok := cutMark(line); ok {
				flush()
				line = item
			}
			block = append(block, strings.Fields(line)...)
		}
	}
	flush()
	return out
}

// cutMark cuts off the marker of a list item or a quote.
func cutMark(line string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "+ ", "> "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return rest, true
		}
	}
	digits := strings.TrimLeft(line, "0123456789")
	if len(digits) < len(line) && len(line)-len(digits) <= 3 &&
		(strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		return digits[2:], true
	}
	return line, false
}

// appendSentences splits a paragraph into sentences.
func appendSentences(out []sentence, s string) []sentence {
	from := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if !isSentenceEnd(r, s[i:]) {
			continue
		}
		for i < len(s) && strings.ContainsRune(`"')]`, rune(s[i])) {
			i++
		}
		out = appendTrimmed(out, s[from:i])
		from = i
	}
	return appendTrimmed(out, s[from:])
}

func appendTrimmed(out []sentence, s string) []sentence {
	if s = strings.TrimSpace(s); s != "" {
		out = append(out, sentence{text: s, runes: utf8.RuneCountInString(s)})
	}
	return out
}

// isSentenceEnd reports whether r ends a sentence, as opposed to a point in a number, file name or
// abbreviation: white space must follow, and then no lower-case letter.
func isSentenceEnd(r rune, rest string) bool {
	switch r {
	case '。', '！', '？':
		return true
	case '.', '!', '?':
	default:
		return false
	}
	after := strings.TrimLeft(rest, `"')]`)
	next := strings.TrimLeftFunc(after, unicode.IsSpace)
	if next == "" {
		return true
	}
	first, _ := utf8.DecodeRuneInString(next)
	return len(next) < len(after) && !unicode.IsLower(first)
}
