package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// hidden reports whether a character takes no room: people do not see it, and a program to which a credential is
// copied often leaves it out.
func hidden(r rune) bool { return r >= utf8.RuneSelf/2 && unicode.Is(unicode.Cf, r) }

// findShown adds what is found in the text as people read it, if that differs from its bytes: without hidden
// characters, and with letters in the place of their full-width, styled and other compatible forms.
func (s *scanner) findShown() {
	view, at := shown(s.text, s.cards)
	if at == nil {
		return
	}
	v := scanner{text: view, known: s.known, cards: s.cards}
	v.scan()
	for _, f := range v.found {
		f.Start, f.End = at[f.Start], at[f.End]
		for { // what follows a finding unseen is not of it
			r, size := utf8.DecodeLastRuneInString(s.text[f.Start:f.End])
			if !hidden(r) {
				break
			}
			f.End -= size
		}
		s.found = append(s.found, f)
	}
}

// shown returns a text as people read it, with the place in text of each of its bytes and of its end. at is nil if it
// is the same. With digits, those of all scripts become ASCII.
func shown(text string, digits bool) (view string, at []int) {
	foreign := func(r rune) bool { return digits && r >= utf8.RuneSelf && unicode.IsDigit(r) }
	if strings.IndexFunc(text, hidden) < 0 && (!digits || strings.IndexFunc(text, foreign) < 0) &&
		norm.NFKC.IsNormalString(text) {
		return text, nil
	}
	var kept strings.Builder
	var from []int // the places of its bytes
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		if hidden(r) {
			continue
		}
		if foreign(r) {
			kept.WriteByte(asciiDigit(r))
			from = append(from, i)
			continue
		}
		kept.WriteString(text[i : i+size]) // the bytes themselves, also of what is not UTF-8
		for k := range size {
			from = append(from, i+k)
		}
	}
	from = append(from, len(text))
	var out strings.Builder
	var segments norm.Iter
	for segments.InitString(norm.NFKC, kept.String()); !segments.Done(); {
		start := from[segments.Pos()]
		segment := segments.Next()
		out.Write(segment)
		for range segment {
			at = append(at, start)
		}
	}
	return out.String(), append(at, len(text))
}

// asciiDigit returns the ASCII form of a decimal digit. Unicode has those of each script in a row, from zero.
func asciiDigit(r rune) byte {
	zero := r
	for unicode.IsDigit(zero - 1) {
		zero--
	}
	return byte('0' + (r-zero)%10)
}
