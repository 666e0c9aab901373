package secrets

import "strings"

// introducesAccount reports whether a name is followed by a user and a password.
func introducesAccount(name string) bool {
	switch strings.ToLower(name[strings.LastIndexByte(name, ' ')+1:]) {
	case "creds", "credentials", "login", "logins", "account", "cred":
		return true
	}
	return false
}

// accountAfter judges the user and the password that follow i with a slash, a
// colon or a space between.
func (s *scanner) accountAfter(i int) {
	t := s.text
	start, _ := s.opening(s.skip(i, 0))
	word := nextWord(t[start:])
	if isAddress(word) && !strings.ContainsAny(word, "/:") {
		start = s.skip(start, 1)
		if next := nextWord(t[start:]); spoken(next, true) {
			s.value(rolePassword, start, false, false)
		}
		return
	}
	if v := strings.TrimRight(word, ".,;:)`\"'"); len(v) >= 32 && strongRandom(v) && !isUUID(v) { // wandb login …
		s.value(roleWeak, start, false, false)
		return
	}
	if user, ok := strings.CutSuffix(word, ","); ok && account(user) { // admin, …
		start = s.skip(start, 1)
		if next := nextWord(t[start:]); spoken(next, false) || generated(next) {
			s.value(rolePassword, start, false, false)
		}
		return
	}
	at := strings.IndexAny(word, "/:")
	if at <= 0 || strings.HasPrefix(word[at:], "://") || !spoken(word[at+1:], true) {
		return
	}
	s.value(rolePassword, start+at+1, false, false)
}

// pair handles "login is admin / …", whose '/' is at i between spaces.
func (s *scanner) pair(i int) {
	t := s.text
	if i == 0 || i+2 >= len(t) {
		return
	}
	if isAlpha(t[i-1]) { // root/…
		start := i
		for start > 0 && i-start < 16 && isAlpha(t[start-1]) {
			start--
		}
		if !account(t[start:i]) || start > 0 && !isSpace(t[start-1]) && t[start-1] != '\n' {
			return
		}
		if word := nextWord(t[i+1:]); strings.ContainsAny(word, "0123456789") && spoken(word, false) {
			s.value(rolePassword, i+1, false, false)
		}
		return
	}
	if t[i-1] != ' ' || t[i+1] != ' ' {
		return
	}
	word := nextWord(t[i+1:])
	user := t[max(0, i-1-maxName) : i-1]
	user, before := user[strings.LastIndexByte(user, ' ')+1:], user[:strings.LastIndexByte(user, ' ')+1]
	if isAddress(user) && spoken(word, true) {
		s.value(rolePassword, i+1, false, false)
		return
	}
	if account(user) && (spoken(word, true) && s.lastWord(word, i+1) || generated(word)) {
		s.value(rolePassword, i+1, false, false)
		return
	}
	if (spoken(word, false) || chained(word) && isUpper(word[0])) && (strings.HasSuffix(before, ": ") && isAlnum(word[0])) {
		s.value(rolePassword, i+1, false, false)
		return
	}
	if spoken(word, true) && mentions(lineBefore(t, i)+" ", "admin ", "root ", "pass", "login", "log in", "credential", "creds", "account", "password", "sign in") {
		s.value(rolePassword, i+1, false, false)
	}
}

// owner handles "root:…" and "| root | … |": what follows the name of a user who is
// on most systems is the password if it looks like one.
func (s *scanner) owner(name string, after int, colon bool) {
	if !account(name[strings.LastIndexByte(name, ' ')+1:]) {
		return
	}
	if after >= len(s.text) || isSpace(s.text[after]) == colon {
		return
	}
	word := nextWord(s.text[after:])
	known := endsFold(name, "root", "admin", "administrator")
	if spoken(word, known) && !strings.ContainsAny(word, "/:") {
		s.value(rolePassword, after, false, false)
	}
}

// account reports whether a word is a user whom most systems have.
func account(name string) bool {
	switch name {
	case "root", "admin", "ADMIN", "administrator", "Administrator", "elastic", "postgres", "deploy", "sa", "ubuntu", "jenkins":
		return true
	}
	return false
}
