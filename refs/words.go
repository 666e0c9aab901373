package refs

import (
	"iter"
	"strings"
	"unicode"
)

// quotes are what paths with spaces and brackets stand between.
var quotes = [...][2]string{{"`", "`"}, {`"`, `"`}, {"“", "”"}}

// wordsOf returns what in a text may be a reference, in order: what is between delimiters, and before that what has
// delimiters in it and is quoted as a whole, or has a path's slash before a bracket, such as app/[id]/page.tsx.
func wordsOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			wide, at := wideOf(line), 0
			for word := range strings.FieldsFuncSeq(line, isDelimiter) {
				at += strings.Index(line[at:], word)
				for ; len(wide) > 0 && wide[0].at <= at; wide = wide[1:] {
					if !yield(wide[0].text) {
						return
					}
				}
				if !yield(word) {
					return
				}
				at += len(word)
			}
		}
	}
}

// wide is a word with delimiters in it, and where in its line it is.
type wide struct {
	at   int
	text string
}

// wideOf returns the words of a line that have delimiters in them. Quotes do not reach over a line's end.
func wideOf(line string) (found []wide) {
	for at := 0; at < len(line); {
		open, end, inner := nextQuoted(line[at:])
		bare := line[at:]
		if open >= 0 {
			bare = line[at : at+open]
		}
		found = append(found, bracketed(bare, at)...)
		if open < 0 {
			break
		}
		if strings.ContainsAny(inner, "./") && strings.ContainsFunc(inner, isDelimiter) {
			found = append(found, wide{at + open, inner})
		}
		at += end
	}
	return found
}

// nextQuoted returns where the first quoted text of a line begins and ends, with its quotes. open is -1 if there is
// none.
func nextQuoted(line string) (open, end int, inner string) {
	open = -1
	for _, q := range quotes {
		begin := strings.Index(line, q[0])
		if begin < 0 || open >= 0 && begin > open {
			continue
		}
		inside := line[begin+len(q[0]):]
		if n := strings.Index(inside, q[1]); n >= 0 {
			open, end, inner = begin, begin+len(q[0])+n+len(q[1]), inside[:n]
		}
	}
	return open, end, inner
}

// bracketed returns the words between blanks that have a bracket in a path.
func bracketed(text string, from int) (found []wide) {
	at := 0
	for word := range strings.FieldsFuncSeq(text, unicode.IsSpace) {
		at += strings.Index(text[at:], word)
		if strings.Contains(word, "/[") || strings.Contains(word, "/(") {
			inner := word[strings.LastIndex(word, "](")+1:] // the target of a link
			inner = strings.TrimRight(strings.TrimLeft(inner, "([{<'‘"), ")]}>.,;:!?'’…")
			found = append(found, wide{from + at, inner})
		}
		at += len(word)
	}
	return found
}
