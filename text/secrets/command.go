package secrets

import "strings"

// command handles a word that is followed by space, for what is assigned without a sign: flags, settings, statements of
// SQL, and "the API key is …".
func (s *scanner) command(start, end int) {
	w := s.text[start:end]
	if len(w) > 40 {
		return
	}
	if s.at(start-1) == '-' {
		s.dashed(w, start, end)
		return
	}
	if s.keyword(w, start, end) || s.positional(w, start, end) {
		return
	}
	switch {
	case w == "_authToken" || w == "password" && inNetrc(lineBefore(s.text, start)):
		s.value(rolePassword, end)
	case names(w):
		s.spaced(start, end)
	case isUpper(w[0]) && allUpper(w):
		s.setting(start, end)
	}
}

// keyword handles the words of sentences and statements that a credential may follow, and reports whether w is one. A
// password may still be an argument.
func (s *scanner) keyword(w string, start, end int) bool {
	switch w {
	case "is", "was", "ist", "lautet", "holds", "equals", "es", "est":
		s.sentence(start, end)
	case "to":
		s.changed(start, end)
	case "psk":
		if s.at(start-1) == '.' { // nmcli connection modify … wifi-sec.psk
			s.passwordArgument(end)
		} else {
			s.secondWord(w, start, end)
		}
	case "password", "Password", "passphrase", "Passphrase", "passwort", "Passwort", "passcode", "pass", "pw", "pwd",
		"PW", "PSK", "token", "secret", "key":
		s.secondWord(w, start, end)
		return w != "password"
	case "Basic", "basic":
		s.basic(end)
	case "login", "Login", "creds", "credentials", "Credentials":
		s.accountAfter(end)
	case "as":
		s.asPassword(start, end)
	case "or":
		name, _ := s.nameBefore(start)
		s.quoted(roleOf(name), end)
	case "sqlplus", "expdp", "impdp", "rman":
		s.oracle(end)
	case "Bearer", "bearer", "GenieKey", "SSWS":
		s.value(roleToken, end)
	case "BY", "by", "PASSWORD":
		if w == "PASSWORD" || mentions(lineBefore(s.text, start), "identified ") {
			s.quoted(rolePassword, end)
		}
	case "with":
		s.lockedWith(start, end)
	default:
		return false
	}
	return true
}

// names reports whether a word ends like a name for a credential. Many words are checked: the last byte rules out most.
func names(w string) bool {
	switch w[len(w)-1] | 0x20 {
	case 'd':
		return endsFold(w, "assword", "asswd", "pwd")
	case 'n':
		return endsFold(w, "oken")
	case 't':
		return endsFold(w, "ecret")
	case 's':
		return endsFold(w, "pass")
	case 'w', 'k', 'y':
		return endsFold(w, "pw", "psk", "key")
	}
	return false
}

// spaced handles a name of several parts with a value behind a space, as in storePassword "…", requirepass … and
// spark.authToken ….
func (s *scanner) spaced(start, end int) {
	t := s.text
	last := start
	for start > 0 && end-start < maxName && dotted.has(t[start-1]) {
		start--
	}
	name := t[start:end]
	plain := start == last && !strings.Contains(name, "_")
	ordinary := plain && allLower(name) && !hasSuffix(name, "pass", "pw", "apikey", "accesskey", "secretkey", "authkey")
	if ordinary || len(name) <= len("Pass") { // a word of a sentence
		s.device(start, end)
		return
	}
	r, word := roleOf(name), nextWord(t[end:])
	if word == "" {
		return
	}
	random := len(word) >= minRandom && strongRandom(strings.TrimRight(word, ".,;:)"))
	switch {
	case isQuote(word[0]):
		if r != rolePassword || spoken(strings.TrimLeft(word, "\"'`"), true) {
			s.quoted(r, end)
		}
	case r == rolePassword && (!plain || allLower(name) || allUpper(name)):
		s.notDescribed(word, end)
	case random, r == rolePassword && notType(word):
		s.value(r, end)
	}
}

// notType reports whether the word behind a name is a password and not the type of a field.
func notType(word string) bool {
	return spoken(word, false) && !wordlike(word) || spoken(word, true) && twoDigits(word)
}

// notDescribed judges the word behind i as a password, if the next one does not say what was done to it.
func (s *scanner) notDescribed(word string, i int) {
	if generated(word) || spoken(word, true) && !participle(nextWord(s.text[i:], word)) {
		s.value(rolePassword, i)
	}
}

// twoDigits reports whether a word has two digits in a row, which names of types rarely have.
func twoDigits(word string) bool {
	for i := 1; i < len(word); i++ {
		if isDigit(word[i]) && isDigit(word[i-1]) {
			return true
		}
	}
	return false
}

// setting handles NAME value in a Dockerfile's ENV and fish's set.
func (s *scanner) setting(start, end int) {
	r := roleOf(s.text[start:end])
	if r == roleNone {
		return
	}
	line := lineBefore(s.text, start)
	if hasPrefix(line, "ENV ", "ARG ", "set -", "setenv ") || hasSuffix(line, "secrets set ", "setx ") {
		s.value(r, end)
	}
}

// inNetrc reports whether what precedes a password is of a .netrc: nothing, or the account.
func inNetrc(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || hasPrefix(line, "machine ", "login ", "default ")
}

// lineBefore returns the line that i is in, up to there; it may be cut off at its start.
func lineBefore(t string, i int) string { return afterLast(t[max(0, i-lookAhead):i], '\n') }

// dashed handles a word behind a dash: a flag, or the end of a command's name.
func (s *scanner) dashed(w string, start, end int) {
	t := s.text
	switch {
	case len(w) == len("SecureString") && strings.EqualFold(t[max(0, start-len("ConvertTo-")):end],
		"ConvertTo-SecureString"):
		s.piped(start-len("ConvertTo-"), handedPlain)
		s.secureString(end)
	case w == "authtoken" && strings.HasSuffix(t[:start], " add-"): // ngrok config add-authtoken
		s.value(roleWeak, end)
	default:
		s.flag(w, start, end)
	}
}

// secureString handles ConvertTo-SecureString of PowerShell: the plain text is the first argument that is not a flag.
func (s *scanner) secureString(i int) {
	for range maxArguments {
		if i = s.skip(i, 0); s.at(i) != '-' {
			break
		}
		i = s.run(i, urlSafe, maxName)
	}
	start, quote := s.opening(i)
	end := s.extent(start, quote, false)
	v := s.text[start:end]
	if v != "" && !reference(v, quote) && (strongPassword(v) || quote != 0 && urlPassword("", v)) {
		s.addPassword(start, end)
	}
}

// passwordArgument judges an argument in the place of a password.
func (s *scanner) passwordArgument(i int) {
	start, end, quote := s.argument(i)
	v := s.text[start:end]
	if len(v) > minPassword && strong(roleSure, v, quote != 0) && !strings.ContainsAny(v,
		"/\\") && !reference(v, quote) {
		s.addPassword(start, end)
	}
}
