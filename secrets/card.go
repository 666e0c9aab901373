package secrets

// InTalk is [Find] for what people say to each other: it also returns the numbers of payment cards. In code and
// records, a number with a valid check digit is most often an id.
func InTalk(text string) []Finding { return find(text, true) }

// RedactTalk is [Redact] for what [InTalk] finds.
func RedactTalk(text string) (string, int) { return redact(text, true) }

// card adds the number of a payment card that begins at i: 13 to 19 digits, by themselves or in groups of 4, 5 or 6.
func (s *scanner) card(i int) {
	if i < s.carded {
		return
	}
	var number []byte
	group, end := 0, i
	for ; end < len(s.text) && len(number) <= 19; end++ {
		switch c := s.text[end]; {
		case isDigit(c):
			number, group = append(number, c-'0'), group+1
			continue
		case (c == ' ' || c == '-') && isDigit(s.at(end+1)) && group >= 4 && group <= 6:
			group = 0
			continue
		}
		break
	}
	if isWord(s.at(end)) || !isCard(number) {
		return
	}
	s.carded = end
	s.add("card number", weightValue, i, end)
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
