package secrets

import "strings"

// command handles a word that is followed by space, for what is assigned without
// a sign: flags, settings, statements of SQL, and "the API key is …".
func (s *scanner) command(start, end int) {
	t := s.text
	w := t[start:end]
	if len(w) > 40 {
		return
	}
	if start > 0 && t[start-1] == '-' {
		s.dashed(w, start, end)
		return
	}
	switch w {
	case "is", "was", "ist", "lautet", "holds", "equals", "es", "est":
		s.sentence(start, end)
		return
	case "to":
		s.changed(start, end)
		return
	case "psk":
		if start > 0 && t[start-1] == '.' { // nmcli connection modify … wifi-sec.psk
			s.passwordArgument(end)
			return
		}
		s.secondWord(w, start, end)
		return
	case "password", "Password", "passphrase", "Passphrase", "passwort", "Passwort", "passcode", "pass", "pw", "pwd", "PW", "PSK":
		s.secondWord(w, start, end)
		if w != "password" {
			return
		}
	case "token", "secret", "key":
		s.secondWord(w, start, end)
		return
	case "Basic", "basic":
		s.basic(end)
		return
	case "login", "Login", "creds", "credentials", "Credentials":
		s.accountAfter(end)
		return
	case "as":
		s.asPassword(start, end)
		return
	case "or":
		s.fallback(start, end)
		return
	case "sqlplus", "expdp", "impdp", "rman":
		s.oracle(end)
		return
	case "Bearer", "bearer", "GenieKey", "SSWS":
		s.value(roleToken, end, false, false)
		return
	case "BY", "by", "PASSWORD":
		if w == "PASSWORD" || mentions(lineBefore(t, start), "identified ") {
			s.value(rolePassword, end, false, true)
		}
		return
	case "with":
		s.lockedWith(start, end)
		return
	}
	if s.positional(w, start, end) {
		return
	}
	switch {
	case w == "_authToken" || w == "password" && inNetrc(lineBefore(t, start)):
		s.value(rolePassword, end, false, false)
	case names(w):
		s.named(start, end)
	case isUpper(w[0]) && allUpper(w):
		s.setting(start, end)
	}
}

// names reports whether a word may end in one that names a credential: it is
// looked at for many words, so that the last byte decides for most.
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
	case 'w':
		return endsFold(w, "pw")
	case 'k':
		return endsFold(w, "psk")
	case 'y':
		return endsFold(w, "key")
	}
	return false
}

// named handles a name of several parts with a value behind a space, as in
// storePassword "…", requirepass … and fs.s3a.secret.key ….
func (s *scanner) named(start, end int) {
	t := s.text
	last := start
	for start > 0 && end-start < maxName && (isWord(t[start-1]) || t[start-1] == '.' || t[start-1] == '-') {
		start--
	}
	name := t[start:end]
	plain := start == last && !strings.Contains(name, "_")
	if plain && allLower(name) && !hasSuffix(name, "pass", "pw", "apikey", "accesskey", "secretkey", "authkey") || len(name) <= len("Pass") {
		s.device(start, end) // or a word of a sentence
		return
	}
	r := roleOf(name)
	word := nextWord(t[end:])
	if r == roleNone || word == "" {
		return
	}
	switch {
	case isQuote(word[0]):
		if r != rolePassword || spoken(strings.TrimLeft(word, "\"'`"), true) {
			s.value(r, end, false, true)
		}
	case r == rolePassword && (!plain || allLower(name) || allUpper(name)):
		if generated(word) || spoken(word, true) && !participle(nextWord(t[end:], word)) {
			s.value(r, end, false, false)
		}
	case r == rolePassword && (spoken(word, false) && !wordlike(word) || spoken(word, true) && twoDigits(word)): // and no type behind a name
		s.value(r, end, false, false)
	case len(word) >= minRandom && strongRandom(strings.TrimRight(word, ".,;:)")):
		s.value(r, end, false, false)
	}
}

// twoDigits reports whether a word has two digits in a row, which names of types
// rarely have.
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
	if strings.HasPrefix(line, "ENV ") || strings.HasPrefix(line, "ARG ") || strings.HasPrefix(line, "set -") || strings.HasPrefix(line, "setenv ") ||
		strings.HasSuffix(line, "secrets set ") || strings.HasSuffix(line, "setx ") {
		s.value(r, end, false, false)
	}
}

// inNetrc reports whether what stands before a password is of a .netrc: nothing,
// or the account.
func inNetrc(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "machine ") || strings.HasPrefix(line, "login ") || strings.HasPrefix(line, "default ")
}

// lineBefore returns the line that i is in, up to there, as far as is worth a look.
func lineBefore(t string, i int) string {
	line := t[max(0, i-lookAhead):i]
	return line[strings.LastIndexByte(line, '\n')+1:]
}

// dashed handles a word behind a dash: a flag, or the end of a command's name.
func (s *scanner) dashed(w string, start, end int) {
	t := s.text
	switch {
	case len(w) == len("SecureString") && strings.EqualFold(t[max(0, start-len("ConvertTo-")):end], "ConvertTo-SecureString"):
		s.piped(start-len("ConvertTo-"), handedPlain)
		s.secureString(end)
	case w == "authtoken" && strings.HasSuffix(t[:start], " add-"): // ngrok config add-authtoken
		s.value(roleWeak, end, false, false)
	default:
		s.flag(w, start, end)
	}
}

// secureString handles ConvertTo-SecureString of PowerShell: the plain text is the
// first argument that is not a flag.
func (s *scanner) secureString(i int) {
	t := s.text
	for range maxArguments {
		for i < len(t) && isSpace(t[i]) {
			i++
		}
		if i >= len(t) || t[i] != '-' {
			break
		}
		i = s.run(i, urlSafe, maxName)
	}
	start, quote := s.opening(i)
	end := s.extent(start, quote, false)
	if v := t[start:end]; v != "" && !reference(v, quote) && (strongPassword(v) || quote != 0 && urlPassword("", v)) {
		s.add("password", weightValue, start, end)
	}
}

// skip returns where the word number n+1 after i begins.
func (s *scanner) skip(i, n int) int {
	t := s.text
	for ; n >= 0; n-- {
		for i < len(t) && isSpace(t[i]) {
			i++
		}
		if n == 0 {
			break
		}
		for stop := min(len(t), i+maxArgument); i < stop && !isSpace(t[i]) && t[i] != '\n'; {
			i++
		}
	}
	return i
}

// passwordArgument judges an argument in the place of a password.
func (s *scanner) passwordArgument(i int) {
	t := s.text
	start, quote := s.opening(s.skip(i, 0))
	end := s.extent(start, quote, false)
	v := t[start:end]
	if len(v) > minPassword && strong(roleSure, v, quote != 0) && !strings.ContainsAny(v, "/\\") && !reference(v, quote) {
		s.add("password", weightValue, start, end)
	}
}
