package secrets

import "strings"

const (
	// minShaped and maxShaped are the lengths of a password that is recognized by its characters alone.
	minShaped = 9
	maxShaped = 40
	// minMade is the minimum length of a word of letters and digits that a generator made.
	minMade = 12
)

// shaped handles what is made like a password, whatever precedes it: small letters, capitals, digits and the sign at i,
// in a line that is about accounts.
func (s *scanner) shaped(i int) {
	t := s.text
	if i == 0 || i < s.done || !isAlnum(t[i-1]) && !isSign(t[i-1]) {
		return
	}
	start, end := shapedAround(t, i)
	v := t[start:end]
	if len(v) < minShaped || len(v) > maxShaped || inCode(v, s.at(start-1)) || !apart(t, start, end) || !everyKind(v) ||
		!spoken(v, false) {
		return
	}
	after := lineAt(t, end)
	if aboutAccounts(lineBefore(t, start)) || aboutAccounts(after[:min(len(after), maxName)]) {
		s.done = end
		s.addPassword(start, end)
	}
}

// shapedAround returns the bounds of what may be a password around i.
func shapedAround(t string, i int) (start, end int) {
	part := func(c byte) bool { return urlSafe.has(c) || isSign(c) }
	for start = i; start > 0 && i-start <= maxShaped && part(t[start-1]); {
		start--
	}
	for end = i + 1; end < len(t) && end-i <= maxShaped && part(t[end]); {
		end++
	}
	return start, end
}

// aboutAccounts reports whether a part of a line has a word that is common near passwords.
func aboutAccounts(line string) bool {
	return mentions(line, "passw", "pwd", " pw", "pass ", "login", "user", "auth", "cred", "secure", "secret", "psk",
		"account", "admin", "root", " -u ", " -p ", "/ru ")
}

// inCode reports whether a value with signs is code or markup: an entity, names that signs join, a part of an address.
func inCode(v string, before byte) bool {
	if strings.Contains(v, "&#") || strings.Contains(v, "&&") || isDigit(v[0]) && strings.IndexByte(v, '*') >= 0 {
		return true
	}
	if at := strings.IndexByte(v, '$'); at > 0 && at+1 < len(v) && (isUpper(v[at+1]) || digits.all(v[at+1:])) {
		return true // Outer$Inner, name$1
	}
	return strings.IndexByte(v, '@') >= 0 && before == ':'
}

// isSign reports whether a byte is a sign that passwords have and names do not.
func isSign(c byte) bool { return strings.IndexByte("!#$%^&*?@", c) >= 0 }

// apart reports whether space, quotes or the end of a sentence are around a value.
func apart(t string, start, end int) bool {
	before := start == 0 || strings.IndexByte(" \t\n\"'`=:/", t[start-1]) >= 0
	return before && (end == len(t) || strings.IndexByte(" \t\r\n\"'`,.;", t[end]) >= 0)
}

// everyKind reports whether a value has small letters, capitals and digits, and letters enough.
func everyKind(v string) bool {
	lower, upper, _, _ := classes(v)
	return mixed(v) && lower+upper > 4
}

// made handles a word of letters and digits in a line that is about passwords: small letters, capitals and digits that
// alternate.
func (s *scanner) made(i, end int) {
	t := s.text
	v := t[i:end]
	if i < s.done || !alternating(v) || !apart(t, i, end) || i > 0 && strings.IndexByte(":=/", t[i-1]) >= 0 ||
		wordlike(v) || technical(v) || !genuine(v) || namesItself(v) {
		return
	}
	if text, ok := plainText(v); ok && isASCII(text) {
		return
	}
	before, after := lineBefore(t, i), lineAt(t, end)
	if mentions(before[max(0, len(before)-maxName):], "password", "passphrase", " pw ", "psk ", "pwd ", "passwort") ||
		mentions(after[:min(len(after), minMade)], "password") {
		s.done = end
		s.addPassword(i, end)
	}
}

// alternating reports whether letters, capitals and digits alternate in a word, as they do by chance.
func alternating(v string) bool {
	lower, upper, digit, other := classes(v[2:]) // two capitals may be a prefix
	if lower < 2 || upper < 2 || digit < 2 || other > 0 {
		return false
	}
	turns := 0
	for i := 1; i < len(v); i++ {
		if isDigit(v[i]) != isDigit(v[i-1]) {
			turns++
		}
	}
	return turns > 2
}
