package secrets

import (
	"strings"
	"unicode/utf8"
)

// InTalk is [Find] for what people say to each other: it also returns the numbers of payment cards. In code and
// records, a number with a valid check digit is most often an id.
func InTalk(text string) []Finding { return find(text, true) }

// RedactTalk is [Redact] for what [InTalk] finds.
func RedactTalk(text string) (string, int) { return redact(text, true) }

// card adds the number of a payment card that begins at i: 13 to 19 digits, by themselves or in groups of 4, 5 or 6. An
// expiry or a CVC may follow as one more group, so of the numbers that end with a group, the longest valid one counts.
func (s *scanner) card(i int) {
	if i < s.carded {
		return
	}
	var number []byte
	group := 0
	for at := i; len(number) <= 19; {
		if c := s.at(at); isDigit(c) {
			number, group, at = append(number, c-'0'), group+1, at+1
			continue
		}
		next := s.nextGroup(at)
		if (next > at || !isWord(s.at(at))) && isCard(number) {
			s.carded = at
		}
		if next == at || group < 4 || group > 6 {
			break
		}
		group, at = 0, next
	}
	if s.carded > i {
		s.add("card number", weightValue, i, s.carded)
	}
}

// nextGroup returns where the digits begin that one sign, or parentheses, separate from those before at; else at.
func (s *scanner) nextGroup(at int) int {
	next := at
	if s.at(next) == ')' {
		next++
	}
	r, size := utf8.DecodeRuneInString(s.text[next:])
	if strings.ContainsRune(" -./_,\u2010\u2011\u2012\u2013\u2014\u2015\u2212", r) {
		next += size
	}
	if s.at(next) == '(' {
		next++
	}
	if isDigit(s.at(next)) {
		return next
	}
	return at
}

// isCard reports whether digits have the beginning, the length and the check digit (Luhn) of a payment card's number.
func isCard(number []byte) bool {
	if len(number) < 13 || len(number) > 19 {
		return false
	}
	issuer := int(number[0])*1000 + int(number[1])*100 + int(number[2])*10 + int(number[3])
	n, ok := len(number), false
	for _, known := range []struct{ from, to, least, most int }{{4000, 4999, 13, 13},
		{4000, 4999, 16, 16}, {4000, 4999, 19, 19}, {5100, 5599, 16, 16},
		{2221, 2720, 16, 16}, {3400, 3499, 15, 15}, {3700, 3799, 15, 15}, {3000, 3059, 14, 14}, {3600, 3699, 14, 14},
		{3800, 3999, 14, 14}, {3528, 3589, 16, 19}, {6011, 6011, 16, 19}, {6200, 6299, 16, 19}, {6440, 6599, 16, 19}} {
		ok = ok || issuer >= known.from && issuer <= known.to && n >= known.least && n <= known.most
	}
	sum := 0
	for k, digit := range number {
		d := int(digit)
		if (n-k)%2 == 0 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return ok && sum%10 == 0
}
