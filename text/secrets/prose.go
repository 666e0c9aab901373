package secrets

import "strings"

// sentence handles "the password of the demo is …": the word that tells may be further ahead. A word of a sentence has
// to look like a password; a quoted one may be any that is strong enough.
func (s *scanner) sentence(i, after int) {
	name, start := s.nameBefore(i)
	if phraseName(name) {
		s.phrase(after)
	} else if foreign(s.text, start, i) {
		s.told(rolePassword, after)
	} else if r := subject(name); r != roleNone {
		s.told(r, after)
	} else {
		s.clause(i, after, true)
	}
}

// subject returns the role of the words that a name begins with: the last ones may tell whose it is, "password of the
// demo", but not that something else of it is meant, "password hash".
func subject(name string) role {
	for name != "" {
		if r := roleOf(name); r != roleNone {
			return r
		}
		cut := max(0, strings.LastIndexByte(name, ' '))
		switch strings.ToLower(strings.TrimSpace(name[cut:])) {
		case "id", "ids", "name", "names", "hash", "hashes",
			"digest", "fingerprint", "thumbprint", "checksum", "type", "format", "length", "size", "count", "number",
			"path", "file", "url", "uri", "endpoint", "arn", "version", "prefix", "suffix", "algorithm", "ttl",
			"expiry", "policy", "header", "field", "label", "alias", "scope", "scopes", "rotation", "manager", "hasher",
			"status", "param", "parameter", "variable", "column", "table":
			return roleNone
		}
		name = name[:cut]
	}
	return roleNone
}

// clause finds a password, or a token, by what a sentence said before i, when signs keep the words apart: "the password
// for ann@example.com is …".
func (s *scanner) clause(i, after int, sentence bool) {
	word := nextWord(s.text[after:])
	if len(word) < minSpoken || hopeless(word) {
		return
	}
	_, start := s.nameBefore(i) // which tells nothing
	line := lineBefore(s.text, start)
	line = line[strings.LastIndex(line, ". ")+1:]
	switch v := trimPunct(word); {
	case spoken(word, false):
		if mentions(line, "password", "passphrase", "passwort") {
			s.value(rolePassword, after)
		}
	case sentence && len(v) >= minLone && strongRandom(strings.TrimLeft(v, "`\"'")) && !isUUID(v):
		if mentions(line, "token", "secret", "api key", "api-key") {
			s.value(roleWeak, after)
		}
	}
}

// told judges the value that a sentence gives for a name.
func (s *scanner) told(r role, after int) {
	word := nextWord(s.text[after:])
	if word == "" {
		return
	}
	if r == roleSecret && spoken(strings.Trim(word, "\"'`"), true) { // a secret that two share
		r = rolePassword
	}
	if r != rolePassword || isQuote(word[0]) {
		s.value(r, after)
	} else {
		s.notDescribed(word, after)
	}
}

// minLone is the minimum length of a random value that only the word before it makes a credential.
const minLone = 24

// secondWord handles "with password …" and "passphrase …", where only the order of the words tells.
func (s *scanner) secondWord(w string, start, after int) {
	t := s.text
	if start > 0 && strings.IndexByte("-_.$/{<'\"", t[start-1]) >= 0 {
		return
	}
	word := nextWord(t[after:])
	router := word == "0" || word == "7" // plain or weakly encrypted
	if router {
		after += strings.Index(t[after:], word) + 1
		word = nextWord(t[after:])
	}
	if word == "" {
		return
	}
	if oneOf(w, "token", "secret", "key") {
		s.loneKey(w, word, start, after)
		return
	}
	if isQuote(word[0]) {
		if spoken(strings.Trim(word, "\"'`.,;:)]}"), true) {
			s.quoted(rolePassword, after)
		}
		return
	}
	handed := introduced(t[max(0, start-24):start])
	sure := router || handed || w == "psk" || len(w) > 4 && s.lastWord(word, after)
	if oneOf(w, "pass", "pw", "pwd") {
		if !handed && !mentions(lineBefore(t, start), "user", "login", "admin", "account", "ssh ", "root") {
			return
		}
		sure = true
	}
	if spoken(word, sure) && !participle(nextWord(t[after:], word)) {
		s.value(rolePassword, after)
	}
}

// loneKey judges the word behind "token", "secret" or "key".
func (s *scanner) loneKey(w, word string, start, after int) {
	if s.device(start, after) {
		return
	}
	v := strings.Trim(word, "\"'`.,;:)")
	if len(v) < minLone || !strongRandom(v) && !keyGroups(v) || isUUID(v) || reference(v, 0) {
		return
	}
	if name, _ := s.nameBefore(after); w != "key" || roleOf(name) != roleNone { // "key" needs a word before it
		s.value(roleSecret, after)
	}
}

// lockedWith handles "the archive is encrypted with …".
func (s *scanner) lockedWith(start, after int) {
	before := lineBefore(s.text, start)
	before = before[max(0, len(before)-maxName):]
	if mentions(before, "encrypted ", "unlock", "protected ", "locked ", "log in ", "logs in ") {
		word := nextWord(s.text[after:])
		if spoken(strings.Trim(word, "\"'`"), false) || generated(word) {
			s.value(rolePassword, after)
		}
	}
}

// lastWord reports whether a word behind i is the last one of its line, or of what was said.
func (s *scanner) lastWord(word string, i int) bool {
	end := s.skip(i, 0) + len(word)
	return end >= len(s.text) || s.text[end] == '\n' || strings.IndexByte(".,;)", word[len(word)-1]) >= 0
}

// changed handles "the password was reset to …", "root was reset to …" and "set the password to …".
func (s *scanner) changed(start, after int) {
	name, _ := s.nameBefore(start)
	verb := hasSuffix(s.text[max(0, start-9):start], "reset ", "set ", "changed ", "updated ", "rotated ")
	r := roleOf(name)
	if verb {
		r = subject(name)
	}
	if r != roleNone {
		s.told(r, after)
	} else if verb && strings.HasSuffix(name, "reset") {
		s.spokenAt(after, mentions(name, "root", "admin"))
	}
}

// introduced reports whether what precedes the word "password" hands it over.
func introduced(before string) bool {
	before = strings.ToLower(strings.TrimRight(before, " "))
	return before == "" || hasSuffix(before, ",", "(", "/", "with", " and", "use", "using", " the", " has", " its",
		" as")
}

// phraseName reports whether a name is that of the words of a wallet.
func phraseName(name string) bool {
	return endsFold(name, "mnemonic", "seed phrase", "recovery phrase", "seed_phrase", "secret phrase")
}

// asPassword handles "use … as the password", where the word before start is the password.
func (s *scanner) asPassword(start, after int) {
	t := s.text
	rest := strings.TrimPrefix(strings.TrimPrefix(t[after:min(len(t), after+24)], " the"), " a")
	if !hasPrefix(rest, " password", " passphrase", " admin password", " root password") {
		return
	}
	end := start - 1
	begin := end
	for begin > 0 && end-begin < maxName && visible(t[begin-1]) && t[begin-1] != ']' {
		begin--
	}
	for end > begin && isQuote(t[end-1]) {
		end--
	}
	for begin < end && isQuote(t[begin]) {
		begin++
	}
	if begin < end && spoken(t[begin:end], true) {
		s.addPassword(begin, end)
	}
}

// bracketed handles a name with a remark behind it: "admin password (staging): …".
func (s *scanner) bracketed(i, after int) {
	t := s.text
	first := max(0, i-maxName)
	open := strings.LastIndexByte(t[first:i], '(')
	if open < 0 {
		return
	}
	open += first
	for open > 0 && t[open-1] == ' ' {
		open--
	}
	name, _ := s.nameBefore(open)
	r := roleOf(name)
	if word := nextWord(t[after:]); word != "" && (r != rolePassword || isQuote(word[0]) || spoken(word, true)) {
		s.value(r, after)
	}
}

// aside handles names of several words of which an early one tells, and reports whether one does: "sudo password on
// build-3: …".
func (s *scanner) aside(name string, i, after int) bool {
	if r := subject(name); r != roleNone && strings.IndexByte(name, ' ') > 0 {
		s.told(r, after)
		return true
	}
	if strings.HasPrefix(name, "key ") && strings.Contains(name, "API") { // key for the maps API: …
		s.told(roleWeak, after)
		return true
	}
	if !account(afterLast(name, ' ')) {
		s.clause(i, after, false)
	}
	return false
}

// phrase handles the words that make up the key of a wallet, twelve or more of them, behind a name that tells so.
func (s *scanner) phrase(after int) {
	const least, most = 12, 24
	t := s.text
	start, _ := s.opening(s.skip(after, 0))
	at, end, n := start, start, 0
	for n < most {
		stop := s.run(at, small, 9)
		if stop-at < 3 || stop-at > 8 {
			break
		}
		n++
		end = stop
		if s.at(stop) != ' ' {
			break
		}
		at = stop + 1
	}
	if n >= least && !hasPrefix(t[start:], "test test ", "abandon abandon ") {
		s.add("recovery phrase", weightValue, start, end)
	}
}

// nextWord returns the first word of a text, as far as a value may reach, or the first one after another word.
func nextWord(t string, after ...string) string {
	t = strings.TrimLeft(t[:min(len(t), lookAhead)], " \t")
	for _, word := range after {
		t = strings.TrimLeft(strings.TrimPrefix(t, word), " \t")
	}
	if end := strings.IndexAny(t, " \t\n"); end >= 0 {
		t = t[:end]
	}
	return t
}

// mentions reports whether the end of a line holds one of some words, in any case.
func mentions(line string, words ...string) bool {
	return contains(strings.ToLower(line[max(0, len(line)-160):]), words...)
}
