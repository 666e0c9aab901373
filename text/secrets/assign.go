package secrets

import "strings"

// maxName limits how far back a name reaches.
const maxName = 80

// assignment handles a name before the separator at i and a value from after on.
func (s *scanner) assignment(i, after int) {
	t := s.text
	name, start := s.nameBefore(i)
	if foreign(t, start, i) {
		s.told(rolePassword, after)
		return
	}
	if name == "" {
		if t[i] == '=' && s.at(i-1) == ' ' && mentions(lineBefore(t, i), "set password for ") {
			s.quoted(rolePassword, after)
		}
		return
	}
	query := s.at(start-1) == '?' || s.at(start-1) == '&'
	name, start, r := s.named(name, start, i, after)
	plain := t[i] == '=' && after == i+1 // as in an environment
	if plain && strings.HasSuffix(name, "_AUTH") {
		s.userAndPassword(name, after)
	}
	if r == roleNone {
		s.unnamed(name, i, after)
		return
	}
	if plain && allUpper(name) {
		r = sure(r)
	}
	call := t[i] == ',' // setenv("NAME", "value")
	if call && !opens(t, start-1) || closes(t, start, i, after) {
		return
	}
	if at := nextLine(t, after); at > 0 && t[i] == ':' {
		s.below(r, at)
		return
	}
	s.judge(r, after, query, call)
}

// named returns the name of a value and its role: of name, which begins at start, or what is before it if it is a type.
func (s *scanner) named(name string, start, i, after int) (string, int, role) {
	r := s.special(name, start, i, after)
	if r == roleNone {
		r = roleOf(name)
	}
	isType := oneOf(afterLast(name, ' '), "string", "str", "String", "char", "text")
	if r == roleNone && isType && s.text[i] != ',' {
		for start > 0 && strings.IndexByte(" :*&?", s.text[start-1]) >= 0 {
			start--
		}
		name, start = s.nameBefore(start)
		r = roleOf(name)
	}
	if r == roleNone {
		r = s.roleNearby(name, start)
	}
	return name, start, r
}

// below judges a value that is alone in the line below its name.
func (s *scanner) below(r role, i int) {
	if r == rolePassword {
		s.passwordAt(i, true)
	} else if r < rolePassword && strongRandom(nextWord(s.text[i:])) {
		s.value(r, i)
	}
}

// special returns the role of names that tell one only before a certain separator.
func (s *scanner) special(name string, start, i, after int) role {
	plain := s.text[i] == '=' && after == i+1
	switch s.at(start - 1) {
	case '?', '&': // a shared access signature, a key for the weather
		if name == "sig" || name == "appid" && !strings.HasPrefix(s.text[after:], "wx") {
			return roleWeak
		}
	case '/': // xfreerdp /p:…
		if s.text[i] == ':' && (name == "p" || name == "pass") && !strings.Contains(nextWord(s.text[after:]), "=") {
			return roleSure
		}
	}
	switch {
	case name == "PASS" && plain: // and not the result of a test
		return rolePassword
	case name == "KEY" && plain:
		return roleWeak
	}
	return roleNone
}

// roleNearby returns the role of a general name by what is written around it.
func (s *scanner) roleNearby(name string, start int) role {
	switch name {
	case "Key", "Password", "Secret", "Token": // Jwt:Key
		if s.at(start-1) == ':' && isAlnum(s.at(start-2)) {
			section, _ := s.nameBefore(start - 1)
			return roleOf(section + name)
		}
	case "value", "Value":
		return s.siblingRole(start)
	case "default", "Default":
		if r := s.siblingRole(start); r != roleNone {
			return r
		}
		return roleOfLine(lineBefore(s.text, start))
	case "key":
		if mentions(lineBefore(s.text, start), `"username"`) { // kaggle.json
			return roleWeak
		}
	}
	return roleNone
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

// fallback handles NAME || "…" and NAME ?? "…", whose sign is at i, and returns its last byte.
func (s *scanner) fallback(i int) int {
	if s.at(i+1) != s.text[i] {
		return i
	}
	name, _ := s.nameBefore(i)
	s.quoted(roleOf(name), i+2)
	return i + 1
}

// pointed handles "password → …", whose arrow or dash is at i.
func (s *scanner) pointed(i, after int) {
	name, _ := s.nameBefore(i)
	word := nextWord(s.text[after:])
	if r := subject(name); r != roleNone && (r != rolePassword || spoken(word, false) || s.lastWord(word, after)) {
		s.told(r, after)
	}
}

// foreign reports whether what ends at i is the word for a password in a language that ASCII cannot write; start is
// where the ASCII before i begins.
func foreign(t string, start, i int) bool {
	if start == 0 || t[start-1] < 0x80 {
		return false
	}
	return hasSuffix(strings.TrimRight(t[max(0, i-maxName):i], " *`\"'"), "密码", "密碼", "パスワード", "비밀번호",
		"пароль", "Пароль", "hasło", "Hasło", "contraseña", "Contraseña", "lösenord", "Lösenord", "jelszó", "Jelszó",
		"şifre", "Şifre")
}

// nextLine returns where the line below i begins when that line is one word, and nothing follows i in its own line but
// the sign of a block in YAML; else 0.
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

// unnamed handles the value of a name whose last word tells nothing.
func (s *scanner) unnamed(name string, i, after int) {
	switch c := s.text[i]; {
	case c == '=' && phraseName(name):
		s.phrase(after)
	case c == '|':
		s.owner(name, after, false)
	case c == ':':
		s.labeled(name, i, after)
	}
}

// labeled handles the value behind the colon at i.
func (s *scanner) labeled(name string, i, after int) {
	t := s.text
	glued := after < len(t) && !isSpace(t[after])
	switch before := s.at(i - 1); {
	case before == ')', before == '*' && strings.HasSuffix(t[:i], ")**"): // admin password (staging): …
		s.bracketed(i, after)
	case strings.HasSuffix(name, "ookie"):
		s.cookies(after)
	case phraseName(name):
		s.phrase(after)
	case introducesAccount(name):
		s.accountAfter(after)
	case strings.HasPrefix(t[i:], ": ") && s.aside(name, i, after):
	case name == "Private-Lines":
		s.puttyKey(after)
	case name == "d" && mentions(t[max(0, i-lookAhead):i], `"kty"`):
		s.quoted(roleSecret, after)
	case s.at(i-len(name)-1) == '@' && strings.Contains(name, "."): // ann@example.com:…
		if glued {
			s.spokenAt(after, true)
		}
	case glued && allLetters(afterLast(name, ' ')) &&
		mentions(lineBefore(t, i), ":587 ", ":465 ", ":25 ", "sasl", "smtp", "digest "): // [host]:587 user:…
		s.passwordAt(after, true)
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

// closes reports whether the quote after a separator closes what was opened before the name: "password=" + p.
func closes(t string, start, i, after int) bool {
	return start > 0 && i > 0 && after < len(t) && isWord(t[i-1]) && t[start-1] == t[after] && isQuote(t[after])
}

// nameBefore returns the name that ends before i, over spaces, quotes and brackets, and where it begins. In prose a
// name has several words.
func (s *scanner) nameBefore(i int) (string, int) {
	t := s.text
	end := i
	limit := max(0, i-maxName)
	for end > limit && end > i-8 && strings.IndexByte(" \t\"'`\\])?*", t[end-1]) >= 0 {
		end--
	}
	if end < i && t[end] == ']' {
		end = beforeIndex(t, limit, end)
	}
	if i < len(t) && t[i] == ',' && (end == i || !isQuote(t[end])) {
		return "", i // in a call, names are quoted
	}
	start := nameStart(t, limit, end)
	if start == limit && limit > 0 && isWord(t[start-1]) && end-start > maxName-10 {
		cut := strings.IndexByte(t[start:end], ' ') // a sentence: its last words
		if cut < 0 {
			return "", i
		}
		start += cut + 1
	}
	return t[start:end], start
}

// beforeIndex returns the end of the name before the index that the bracket at end closes: char pass[32].
func beforeIndex(t string, limit, end int) int {
	open := end
	for open > limit && isDigit(t[open-1]) {
		open--
	}
	if open > limit && t[open-1] == '[' {
		return open - 1
	}
	return end
}

// nameStart returns where the words begin that end at end; limit is the first byte that may belong to them.
func nameStart(t string, limit, end int) int {
	start := end
	for start > limit {
		c := t[start-1]
		between := c == ' ' && start > limit+1 && start < end && isAlnum(t[start]) && isAlnum(t[start-2])
		if !isWord(c) && c != '-' && c != '.' && !between {
			break
		}
		start--
	}
	return start
}

// siblingRole handles a value whose name is in an attribute or a line before it: name: DB_PASSWORD, value: …. It ends
// at the start of the word "value".
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
		for end < len(rest) && dotted.has(rest[end]) {
			end++
		}
		lines := 1
		if attr == "variable" { // of Terraform, with a type and a description
			lines = 3
		}
		if end > 0 && strings.Count(rest[end:], "\n") <= lines {
			return roleOf(rest[:end])
		}
	}
	return parentRole(before)
}

// parentRole returns the role of the key that a line of YAML belongs to: the last one that ends its line.
func parentRole(before string) role {
	for before != "" {
		cut := strings.LastIndexByte(before, '\n')
		if name, ok := strings.CutSuffix(strings.TrimSpace(before[cut+1:]), ":"); ok {
			return roleOf(name)
		}
		before = before[:max(0, cut)]
	}
	return roleNone
}
