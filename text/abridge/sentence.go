package abridge

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSentenceChars bounds a first sentence to one or two displayed lines.
const maxSentenceChars = 300

// FirstSentence returns the first sentence of a text, as one line of at most 300 characters; a
// longer one is cut between words and ends in "…". Text without a sentence end is taken up to its
// first blank line or next block. Headings are skipped unless nothing follows them.
func FirstSentence(s string) string {
	return firstSentence(openingText(s), maxSentenceChars)
}

// firstSentence returns the first sentence of text, in at most n characters.
func firstSentence(text string, n int) string {
	end := SentenceEnd(text[:offset(text, n+1)])
	if end > offset(text, n) {
		return clip(text, n)
	}
	return unfence(text[:end])
}

// openingText returns the first lines of running text in s as one line, or the first heading. It
// may omit lines beyond what a sentence needs.
func openingText(s string) string {
	var title string
	var lines []string
	size := 0
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		name, isTitle := headingText(line)
		if isTitle && title == "" {
			title = name
		}
		first := len(lines) == 0
		for first && openingMarker(line) > 0 {
			line = strings.TrimSpace(line[openingMarker(line):])
		}
		switch parts := line == "" || isTitle || IsFence(line); {
		case first && parts:
			continue
		case parts, openingMarker(line) > 0, size > utf8.UTFMax*maxSentenceChars:
			return strings.Join(lines, " ")
		}
		lines = append(lines, line)
		size += len(line)
	}
	return cmp.Or(strings.Join(lines, " "), title)
}

// headingText returns the text of a line that is a heading.
func headingText(line string) (string, bool) {
	t := strings.TrimLeft(line, "#")
	if n := len(line) - len(t); n == 0 || n > 6 || (t != "" && t[0] != ' ') {
		return "", false
	}
	return strings.TrimSpace(t), true
}

// IsFence reports whether a line, without indentation, opens or closes a code block.
func IsFence(line string) bool {
	return strings.HasPrefix(line, "~~~") ||
		(strings.HasPrefix(line, "```") && !strings.Contains(strings.TrimLeft(line, "`"), "`"))
}

// openingMarker returns the length of the list or quote marker of a line, or 0.
func openingMarker(line string) int {
	if line == "" {
		return 0
	}
	return marker([]byte(line[:min(len(line), 12)]))
}

// SentenceEnd returns where the first sentence of text ends, or len(text).
func SentenceEnd(text string) int {
	depth := 0
	for i := 0; i < len(text); {
		if n := span(text[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '(' && strings.IndexByte(text[i:], ')') > 0:
			depth++
		case r == ')':
			depth = max(0, depth-1)
		case isEnd(r):
			stop := i + len(text[i:]) - len(strings.TrimLeftFunc(text[i:], isEnd))
			end := stop + len(text[stop:]) - len(strings.TrimLeft(text[stop:], closers))
			depth = max(0, depth-strings.Count(text[stop:end], ")"))
			if depth == 0 && ends(text, i, stop, end) {
				return end
			}
			i = end
			continue
		}
		i += n
	}
	return len(text)
}

// closers can appear between the punctuation that ends a sentence and the space after it.
const closers = "\"')]}*_”’»」』）】"

func isEnd(r rune) bool { return strings.ContainsRune(".!?…", r) || isWideEnd(r) }

func isWideEnd(r rune) bool { return strings.ContainsRune("。！？｡", r) }

// ends reports whether the punctuation text[at:stop], followed by the closers text[stop:end], ends a sentence. In doubt
// it does not: an overlong sentence is clipped, but half a sentence can say the opposite.
func ends(text string, at, stop, end int) bool {
	last, _ := utf8.DecodeLastRuneInString(text[:stop])
	if isWideEnd(last) || end == len(text) {
		return true
	}
	next, size := utf8.DecodeRuneInString(text[end:])
	if !unicode.IsSpace(next) {
		return false
	}
	rest := strings.TrimLeftFunc(text[end+size:],
		func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'(*_“‘", r) })
	next, _ = utf8.DecodeRuneInString(rest)
	lower := unicode.IsLower(next)
	signs := text[at:stop]
	switch {
	case strings.ContainsRune(",;:)–—-/=&|", next):
		return false // the sentence goes on
	case lower && strings.ContainsAny(text[stop:end], "\"')]}”’»"):
		return false // the quotation ended, not the sentence around it
	case signs == "...", signs == "..", strings.HasSuffix(signs, "…"):
		return !lower
	case signs == ".":
		return wordEnds(text, at, next)
	case lower && (signs == "!" || signs == "?"):
		return opens(rest)
	}
	return true
}

// opens reports whether a text in lower case begins a sentence for sure. Elsewhere, a sign before it can belong to a
// name: "empty? returns", "File.stream! with".
func opens(text string) bool {
	word, _, _ := strings.Cut(strings.ReplaceAll(text, "’", "'"), " ")
	return slices.Contains(strings.Fields("i i'm it it's we you they he she this there what why how please let let's "+
		"don't"), strings.TrimRight(word, ",.!?"))
}

// wordEnds reports whether the full stop at text[at] ends a sentence and not just an abbreviation
// or a number, if the next word begins with next.
func wordEnds(text string, at int, next rune) bool {
	start := strings.LastIndexFunc(text[:at], unicode.IsSpace) + 1
	word := strings.TrimLeft(text[start:at], "\"'([{*_“‘")
	switch {
	case word == "", isInitials(word), start == 0 && strings.Trim(word, "0123456789") == "": // "1. First"
		return false
	}
	switch strings.ToLower(word) {
	case "vs", "cf", "viz", "ca", "approx", "resp", "incl", "excl", "fig", "eq", "sec", "ch", "pp", "vol", "ver", "nr",
		"dr", "mr", "mrs",
		"ms", "prof", "st", "bzw", "ggf", "evtl", "vgl", "inkl", "eg", "ie", "esp":
		return false
	case "no", "max", "min", "avg", "ref", "refs", "etc", "al", "inc", "ltd", "corp", "co", "jr", "sr", "dept", "est",
		"usw", "aka":
		return unicode.IsUpper(next) || !isWord(next) // words, or abbreviations that also end sentences
	}
	return true
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isInitials reports whether a word is single letters separated by full stops: "e.g", "i.e", "U.S", "J".
func isInitials(word string) bool {
	for part := range strings.SplitSeq(word, ".") {
		r, n := utf8.DecodeRuneInString(part)
		if n != len(part) || !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}
