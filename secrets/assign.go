package secrets

import "strings"

// maxName bounds how far back a name reaches.
const maxName = 80

// assignment looks at the name before the separator at i and at the value from
// after on.
func (s *scanner) assignment(i, after int) {
	name, start := s.nameBefore(i)
	if foreign(s.text, start, i) {
		s.told(rolePassword, after)
		return
	}
	if name == "" {
		if s.text[i] == '=' && i > 0 && s.text[i-1] == ' ' && mentions(lineBefore(s.text, i), "set password for ") {
			s.value(rolePassword, after, false, true)
		}
		return
	}
	query := start > 0 && (s.text[start-1] == '?' || s.text[start-1] == '&')
	r := roleOf(name)
	switch {
	case query && (name == "sig" || name == "appid" && !strings.HasPrefix(s.text[after:], "wx")): // a shared access signature, a key for the weather
		r = roleWeak
	case start > 0 && s.text[start-1] == '/' && s.text[i] == ':' && (name == "p" || name == "pass") && !strings.Contains(nextWord(s.text[after:]), "="): // xfreerdp /p:…
		r = roleSure
	case name == "PASS" && s.text[i] == '=' && after == i+1: // not the result of a test
		r = rolePassword
	case name == "KEY" && s.text[i] == '=' && after == i+1:
		r = roleWeak
	}
	if r == roleNone && typeName(name) && s.text[i] != ',' {
		for start > 0 && strings.IndexByte(" :*&?", s.text[start-1]) >= 0 {
			start--
		}
		name, start = s.nameBefore(start)
		r = roleOf(name)
	}
	if r == roleNone {
		switch name {
		case "Key", "Password", "Secret", "Token": // Jwt:Key
			if start > 1 && s.text[start-1] == ':' && isAlnum(s.text[start-2]) {
				section, _ := s.nameBefore(start - 1)
				r = roleOf(section + name)
			}
		case "value", "Value":
			r = s.siblingRole(start)
		case "default", "Default":
			if r = s.siblingRole(start); r == roleNone {
				r = roleOfLine(lineBefore(s.text, start))
			}
		}
	}
	if s.text[i] == '=' && after == i+1 && strings.HasSuffix(name, "_AUTH") {
		s.userAndPassword(name, after)
	}
	if r == roleNone && name == "key" && mentions(lineBefore(s.text, start), `"username"`) { // kaggle.json
		r = roleWeak
	}
	if r == roleNone {
		s.unnamed(name, i, after)
		return
	}
	if r == rolePassword && s.text[i] == '=' && after == i+1 && allUpper(name) { // in an environment
		r = roleSure
	}
	call := s.text[i] == ',' // setenv("NAME", "value")
	if call && !opens(s.text, start-1) || closes(s.text, start, i, after) {
		return
	}
	if at := nextLine(s.text, after); at > 0 && s.text[i] == ':' {
		if word := nextWord(s.text[at:]); r < rolePassword && strongRandom(word) || r == rolePassword && (spoken(word, true) || generated(word)) {
			s.value(r, at, false, false)
		}
		return
	}
	s.value(r, after, query, call)
}

// userAndPassword handles BASIC_AUTH=ann:… and NEO4J_AUTH=neo4j/….
func (s *scanner) userAndPassword(name string, after int) {
	sign := ":"
	if strings.HasPrefix(name, "NEO4J") {
		sign = "/"
	}
	if at := strings.Index(nextWord(s.text[after:]), sign); at > 0 {
		s.passwordArgument(after + at + 1)
	}
}

// fallback handles NAME || "…" and the like, whose sign is at i: what is taken when
// nothing else is set.
func (s *scanner) fallback(i, after int) {
	name, _ := s.nameBefore(i)
	s.value(roleOf(name), after, false, true)
}

// pointed handles "password → …", whose arrow or dash is at i.
func (s *scanner) pointed(i, after int) {
	name, _ := s.nameBefore(i)
	word := nextWord(s.text[after:])
	if r := subject(name); r != roleNone && (r != rolePassword || spoken(word, false) || s.lastWord(word, after)) {
		s.told(r, after)
	}
}

// foreign reports whether what ends at i is the word for a password in a language
// whose letters are not those of ASCII; start is where the ASCII before i begins.
func foreign(t string, start, i int) bool {
	if start == 0 || t[start-1] < 0x80 {
		return false
	}
	return hasSuffix(strings.TrimRight(t[max(0, i-maxName):i], " *`\"'"), "密码", "密碼", "パスワード", "비밀번호", "пароль", "Пароль",
		"hasło", "Hasło", "contraseña", "Contraseña",
		"lösenord", "Lösenord", "jelszó", "Jelszó", "şifre", "Şifre")
}

// arrow returns the length of the arrow or the long dash that a text begins with.
func arrow(t string) int {
	for _, sign := range []string{"→", "➜", "➔", "⇒", "—", "–"} {
		if strings.HasPrefix(t, sign) {
			return len(sign)
		}
	}
	return 0
}

// nextLine returns where the line below i begins when nothing follows i in its own
// line but the sign of a block in YAML, and the line below is one word; else 0.
func nextLine(t string, i int) int {
	for i < len(t) && strings.IndexByte(" \t|>+-\r*", t[i]) >= 0 {
		i++
	}
	if i >= len(t) || t[i] != '\n' {
		return 0
	}
	for i++; i < len(t) && isSpace(t[i]); {
		i++
	}
	word := nextWord(t[i:])
	end := i + len(word)
	if word == "" || end < len(t) && t[end] != '\n' {
		return 0
	}
	return i
}

// unnamed looks at the value of a name that tells nothing by its last word.
func (s *scanner) unnamed(name string, i, after int) {
	switch c := s.text[i]; {
	case c == '=' && phraseName(name):
		s.phrase(after)
		return
	case c == '|':
		s.owner(name, after, false)
		return
	case c != ':':
		return
	}
	switch {
	case i > 0 && s.text[i-1] == ')' || s.text[i-1] == '*' && strings.HasSuffix(s.text[:i], ")**"): // admin password (staging): …
		s.bracketed(i, after)
	case strings.HasSuffix(name, "ookie"):
		s.cookies(after)
	case phraseName(name):
		s.phrase(after)
	case introducesAccount(name):
		s.accountAfter(after)
	case strings.HasPrefix(s.text[i:], ": ") && s.aside(name, i, after):
	case name == "Private-Lines":
		s.puttyKey(after)
	case name == "d" && mentions(s.text[max(0, i-lookAhead):i], `"kty"`):
		s.value(roleSecret, after, false, true)
	case i > len(name) && s.text[i-len(name)-1] == '@' && strings.Contains(name, "."): // ann@example.com:…
		if word := nextWord(s.text[after:]); after < len(s.text) && !isSpace(s.text[after]) && spoken(word, true) {
			s.value(rolePassword, after, false, false)
		}
	case after < len(s.text) && !isSpace(s.text[after]) && allLetters(name[strings.LastIndexByte(name, ' ')+1:]) && mentions(lineBefore(s.text, i), ":587 ", ":465 ", ":25 ", "sasl", "smtp", "digest "): // [host]:587 user:…
		if word := nextWord(s.text[after:]); spoken(word, true) || generated(word) {
			s.value(rolePassword, after, false, false)
		}
	default:
		s.owner(name, after, true)
	}
}

// opens reports whether the quote at i is the first of a call: define( 'NAME', …
func opens(t string, i int) bool {
	for i > 0 && isSpace(t[i-1]) {
		i--
	}
	return i > 0 && t[i-1] == '('
}

// closes reports whether the quote after a separator closes what was opened before
// the name: "password=" + p.
func closes(t string, start, i, after int) bool {
	return start > 0 && i > 0 && after < len(t) && isWord(t[i-1]) && t[start-1] == t[after] && strings.IndexByte("\"'`", t[after]) >= 0
}

// nameBefore returns the name that ends before i, over spaces, quotes and
// brackets, and where it begins. Names of several words are those of prose.
func (s *scanner) nameBefore(i int) (string, int) {
	t := s.text
	end := i
	limit := max(0, i-maxName)
	for end > limit && end > i-8 && strings.IndexByte(" \t\"'`\\])?*", t[end-1]) >= 0 {
		end--
	}
	if end > limit && end < i && t[end] == ']' { // char pass[32] =
		open := end
		for open > limit && isDigit(t[open-1]) {
			open--
		}
		if open > limit && t[open-1] == '[' {
			end = open - 1
		}
	}
	if i < len(t) && t[i] == ',' && (end == i || strings.IndexByte("\"'`", t[end]) < 0) {
		return "", i // in a call, names are quoted
	}
	start := end
	for start > limit && (isWord(t[start-1]) || t[start-1] == '-' || t[start-1] == '.' ||
		t[start-1] == ' ' && start > limit+1 && start < end && isAlnum(t[start]) && isAlnum(t[start-2])) {
		start--
	}
	if start == limit && limit > 0 && isWord(t[start-1]) && end-start > maxName-10 {
		cut := strings.IndexByte(t[start:end], ' ') // a sentence: its last words
		if cut < 0 {
			return "", i
		}
		start += cut + 1
	}
	return t[start:end], start
}

// typeName reports whether a name that stands before a "=" is that of a type:
// the name of the value stands before it.
func typeName(name string) bool {
	if at := strings.LastIndexByte(name, ' '); at >= 0 {
		name = name[at+1:]
	}
	switch name {
	case "string", "str", "String", "char", "text":
		return true
	}
	return false
}

// siblingRole is for a value whose name is an attribute or a line before it:
// name: DB_PASSWORD, value: …. It ends at the start of the word "value".
func (s *scanner) siblingRole(i int) role {
	const reach = 120
	before := s.text[max(0, i-reach):i]
	for _, attr := range []string{"name", "key", "Name", "Key", "variable"} {
		at := strings.LastIndex(before, attr)
		if at < 0 {
			continue
		}
		rest := strings.TrimLeft(before[at+len(attr):], " \t:=\"'")
		end := 0
		for end < len(rest) && (isWord(rest[end]) || rest[end] == '-' || rest[end] == '.') {
			end++
		}
		lines := 1
		if attr == "variable" { // of Terraform, with a type and a description
			lines = 3
		}
		if strings.Count(rest[end:], "\n") <= lines && end > 0 {
			return roleOf(rest[:end])
		}
	}
	return s.parentRole(before)
}

// parentRole returns the role of the key that a line of YAML belongs to: the last
// one that ends its line.
func (s *scanner) parentRole(before string) role {
	for before != "" {
		cut := strings.LastIndexByte(before, '\n')
		line := strings.TrimSpace(before[cut+1:])
		if name, ok := strings.CutSuffix(line, ":"); ok {
			return roleOf(name)
		}
		before = before[:max(0, cut)]
	}
	return roleNone
}
