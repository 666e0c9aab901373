package secrets

import "strings"

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
