package refs

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quotes are what paths with spaces and brackets stand between.
var quotes = [...][2]string{{"`", "`"}, {`"`, `"`}, {"“", "”"}}

// wordsOf returns what in a text may be a reference, in order: what is between delimiters, and before that its parts,
// and what has delimiters in it and is quoted as a whole, or has a path's slash before a bracket, such as
// app/[id]/page.tsx. The second value tells parts, which come before their word.
func wordsOf(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for line := range strings.Lines(text) {
			wide, at := wideOf(line), 0
			for word := range strings.FieldsFuncSeq(line, isDelimiter) {
				at += strings.Index(line[at:], word)
				for ; len(wide) > 0 && wide[0].at <= at; wide = wide[1:] {
					if !yield(wide[0].text, false) {
						return
					}
				}
				for _, part := range partsOf(word) {
					if !yield(part, true) {
						return
					}
				}
				if !yield(word, false) {
					return
				}
				at += len(word)
			}
		}
	}
}

// partsOf returns what in a word may be a path that the text runs into: "a.go" in "a.go—which", "a.go→b.go",
// "见a.go。" and "@a.go", as Claude Code has people name files.
func partsOf(word string) (parts []string) {
	if strings.Contains(word, "://") {
		return nil
	}
	if name, ok := strings.CutPrefix(word, "@"); ok {
		parts = append(parts, name)
	}
	if !strings.ContainsFunc(word, isSeam) {
		return parts
	}
	for part := range strings.FieldsFuncSeq(word, isSeam) {
		if strings.ContainsAny(part, "./") && (part[0] != '.' || strings.Contains(part, "/")) { // not an extension
			parts = append(parts, part)
		}
	}
	return parts
}

// isSeam reports whether a path may end at a character without a blank: at punctuation, and in scripts that write no
// blanks or join particles to words. All of them are in names of files, too.
func isSeam(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.IsPunct(r) || unicode.IsSymbol(r) || r == 'ー' ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai))
}

// wide is a word with delimiters in it, and where in its line it is.
type wide struct {
	at   int
	text string
}

// wideOf returns the words of a line that have delimiters in them. Quotes do not reach over a line's end.
func wideOf(line string) (found []wide) {
	next := [len(quotes)]quoteAt{{-1, -1}, {-1, -1}, {-1, -1}}
	for at := 0; at < len(line); {
		open, end, inner := nextQuoted(line, at, &next)
		bare := line[at:]
		if open >= 0 {
			bare = line[at:open]
		}
		found = append(found, bracketed(bare, at)...)
		if open < 0 {
			break
		}
		if strings.ContainsAny(inner, "./") && strings.ContainsFunc(inner, isDelimiter) {
			found = append(found, wide{open, inner})
		}
		at = end
	}
	return found
}

// quoteAt is where the next quote of a kind opens in a line, and the next that closes one. Both only go forward, so
// that a long line is searched once for each.
type quoteAt [2]int

// seek moves to the first quoted text from a place on. ok is false if nothing is quoted.
func (a *quoteAt) seek(line string, from int, kind [2]string) (ok bool) {
	for i, quote := range kind {
		if a[i] < from {
			a[i] = len(line)
			if n := strings.Index(line[min(from, len(line)):], quote); n >= 0 {
				a[i] = from + n
			}
		}
		from = a[i] + len(quote)
	}
	return a[0] < len(line) && a[1] < len(line)
}

// nextQuoted returns where the first quoted text of a line from a place on begins and ends, with its quotes. open is -1
// if nothing is quoted.
func nextQuoted(line string, from int, next *[len(quotes)]quoteAt) (open, end int, inner string) {
	open = -1
	for i, q := range quotes {
		a := &next[i]
		if a.seek(line, from, q) && (open < 0 || a[0] < open) {
			open, end, inner = a[0], a[1]+len(q[1]), line[a[0]+len(q[0]):a[1]]
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
