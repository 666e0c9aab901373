package search

import (
	"strings"
	"unicode/utf8"

	"ltm/text/abridge"
)

// sentence is a piece of text that is shown whole, on one line.
type sentence struct {
	text    string
	runes   int
	heading bool
	item    bool // it begins an item of a list
}

// gap is what stands between a sentence and the next one, when both are on one line: items of a list often end without
// a mark, and would read as one statement.
func (s sentence) gap(next sentence) string {
	if last, _ := utf8.DecodeLastRuneInString(s.text); next.item && !strings.ContainsRune(".:;,!?…", last) {
		return "; "
	}
	return " "
}

// splitSentences splits markdown into sentences, without the markers of headings, lists and quotes.
// Each list item, table row and line of code is a sentence; a line of a paragraph is not.
func splitSentences(text string) []sentence {
	var out []sentence
	var block []string
	listed := false // block is an item
	flush := func() {
		before := len(out)
		out = appendSentences(out, strings.Join(block, " "))
		if before < len(out) {
			out[before].item = listed
		}
		block, listed = block[:0], false
	}
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case abridge.IsFence(line):
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
				line, listed = item, true
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

// maxSentenceBytes bounds a sentence. Anything longer is text without punctuation, or made to cost time; it is cut
// between words.
const maxSentenceBytes = 4 << 10

// appendSentences splits a paragraph, on one line, into sentences.
func appendSentences(out []sentence, s string) []sentence {
	for s != "" {
		window := s
		if len(s) > maxSentenceBytes {
			window = strings.ToValidUTF8(s[:maxSentenceBytes], "")
			if i := strings.LastIndexByte(window, ' '); i > 0 {
				window = window[:i]
			}
		}
		end := abridge.SentenceEnd(window)
		out = appendTrimmed(out, s[:end])
		s = s[end:]
	}
	return out
}

func appendTrimmed(out []sentence, s string) []sentence {
	if s = strings.TrimSpace(s); s != "" {
		out = append(out, sentence{text: s, runes: utf8.RuneCountInString(s)})
	}
	return out
}
