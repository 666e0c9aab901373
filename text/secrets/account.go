package secrets

import (
	"strings"
	"unicode/utf8"
)

// spokenAt judges the word behind i as a password in a sentence.
func (s *scanner) spokenAt(i int, sure bool) {
	if spoken(nextWord(s.text[i:]), sure) {
		s.value(rolePassword, i)
	}
}

// passwordAt judges it also as one that a machine made.
func (s *scanner) passwordAt(i int, sure bool) {
	if word := nextWord(s.text[i:]); spoken(word, sure) || generated(word) {
		s.value(rolePassword, i)
	}
}

// introducesAccount reports whether a name is followed by a user and a password.
func introducesAccount(name string) bool {
	return endsFold(name, "creds", "credentials", "login", "logins", "account", "cred") &&
		oneOf(strings.ToLower(afterLast(name, ' ')), "creds", "credentials", "login", "logins", "account", "cred")
}

// accountAfter judges the user and the password that follow i with a slash, a colon or a space between.
func (s *scanner) accountAfter(i int) {
	start, _ := s.opening(s.skip(i, 0))
	word := nextWord(s.text[start:])
	if isAddress(word) && !strings.ContainsAny(word, "/:") {
		s.spokenAt(s.skip(start, 1), true)
		return
	}
	if v := trimPunct(word); len(v) >= 32 && strongRandom(v) && !isUUID(v) { // wandb login …
		s.value(roleWeak, start)
		return
	}
	if user, ok := strings.CutSuffix(word, ","); ok && account(user) { // admin, …
		s.passwordAt(s.skip(start, 1), false)
		return
	}
	at := strings.IndexAny(word, "/:")
	if at > 0 && !strings.HasPrefix(word[at:], "://") && spoken(word[at+1:], true) {
		s.value(rolePassword, start+at+1)
	}
}

// pair handles "login is admin / …" and "root/…", whose '/' is at i.
func (s *scanner) pair(i int) {
	t := s.text
	if i == 0 || i+2 >= len(t) {
		return
	}
	if isAlpha(t[i-1]) {
		s.gluedPair(i)
		return
	}
	if t[i-1] != ' ' || t[i+1] != ' ' {
		return
	}
	word := nextWord(t[i+1:])
	before := t[max(0, i-1-maxName) : i-1]
	user := afterLast(before, ' ')
	before = strings.TrimSuffix(before, user)
	sure := spoken(word, true)
	switch {
	case sure && isAddress(user),
		account(user) && (sure && s.lastWord(word, i+1) || generated(word)),
		strings.HasSuffix(before,
			": ") && (spoken(word, false) || chained(word) && isUpper(word[0])) && isAlnum(word[0]),
		sure && mentions(lineBefore(t, i)+" ", "admin ", "root ", "pass", "login", "log in", "credential", "creds",
			"account", "sign in"):
		s.value(rolePassword, i+1)
	}
}

// gluedPair handles a slash without spaces around it.
func (s *scanner) gluedPair(i int) {
	start := i
	for start > 0 && i-start < 16 && isAlpha(s.text[start-1]) {
		start--
	}
	if !account(s.text[start:i]) || start > 0 && !isSpace(s.text[start-1]) && s.text[start-1] != '\n' {
		return
	}
	if digits.in(nextWord(s.text[i+1:])) {
		s.spokenAt(i+1, false)
	}
}

// owner handles "root:…" and "| root | … |": what follows the name of a user who is on most systems is a password if it
// looks like one.
func (s *scanner) owner(name string, after int, colon bool) {
	if after >= len(s.text) || isSpace(s.text[after]) == colon || !account(afterLast(name, ' ')) {
		return
	}
	if word := nextWord(s.text[after:]); !strings.ContainsAny(word, "/:") {
		s.spokenAt(after, endsFold(name, "root", "admin", "administrator"))
	}
}

// account reports whether a word is a user whom most systems have.
func account(name string) bool {
	switch name {
	case "root", "admin", "ADMIN", "administrator", "Administrator", "elastic", "postgres", "deploy", "sa", "ubuntu",
		"jenkins":
		return true
	}
	return false
}

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
