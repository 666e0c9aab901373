package secrets

import (
	b64 "encoding/base64"
	"strings"
)

// maxNested is how many values inside of another one are judged.
const maxNested = 4

// value judges the value that begins at i. In a query it ends at '&'; after a
// comma it has to be quoted.
func (s *scanner) value(r role, i int, query, quotedOnly bool) {
	t := s.text
	for i < len(t) && isSpace(t[i]) {
		i++
	}
	if r == roleNone || i < s.done {
		return
	}
	if strings.HasPrefix(t[i:], "** ") { // **name:** value
		i += len("** ")
	}
	i, quote := s.opening(i)
	if quotedOnly && quote == 0 {
		return
	}
	start, basic := s.scheme(i)
	if start < s.judged && s.nested >= maxNested {
		return
	}
	end := s.extent(start, quote, query)
	if quote == 0 {
		end = trimValue(t, start, end)
	} else if end < len(t) && end-start < lookAhead && t[end] != quote && t[end] != '\\' {
		return // a sentence, or code around it
	}
	if end <= start {
		return
	}
	if start >= s.judged {
		s.judged, s.nested = end, 0
	} else {
		s.nested++
	}
	v := t[start:end]
	if basic {
		if basicAuth(v) {
			s.add("password", weightValue, start, end)
		}
		return
	}
	if reference(v, quote) || quote == 0 && end < len(t) && (t[end] == '(' || t[end] == '[') || !strong(r, v, quote != 0) {
		return
	}
	if len(v) >= lookAhead { // to its end, however long it is
		for end < len(t) && !stops(t, end, quote) {
			end++
		}
	}
	s.done = end
	s.add(kindOf(r), weightValue, start, end)
}

// opening passes over a quote, also an escaped one, and returns it.
func (s *scanner) opening(i int) (int, byte) {
	t := s.text
	at := i
	for at < len(t) && at < i+3 && t[at] == '\\' {
		at++
	}
	if at < len(t) && (t[at] == '"' || t[at] == '\'' || t[at] == '`') {
		return at + 1, t[at]
	}
	return i, 0
}

// scheme passes over "Bearer " and the like, and tells if it was "Basic ".
func (s *scanner) scheme(i int) (start int, basic bool) {
	end := s.run(i, urlSafe, 8)
	if end == i || end >= len(s.text) || s.text[end] != ' ' {
		return i, false
	}
	switch strings.ToLower(s.text[i:end]) {
	case "basic":
		return end + 1, true
	case "bearer", "token", "apikey", "api-key", "key":
		return end + 1, false
	}
	return i, false
}

// extent returns the end of the value at i.
func (s *scanner) extent(i int, quote byte, query bool) int {
	end := i
	for end < len(s.text) && end-i < lookAhead && !stops(s.text, end, quote) {
		if c := s.text[end]; query && (c == '&' || c == '#') {
			break
		}
		end++
	}
	return end
}

// stops reports whether a value ends before i: at space, at what is not ASCII, at
// its quote or a break in it, at a mask, and without quotes at what ends a value
// in lists, markup and statements.
func stops(t string, i int, quote byte) bool {
	c := t[i]
	switch {
	case c <= ' ' || c >= 0x7f || c == quote:
		return true
	case c == '\\':
		return i+1 < len(t) && strings.IndexByte("\"'nrt", t[i+1]) >= 0
	case c == '[':
		return strings.HasPrefix(t[i:], Mask)
	}
	return quote == 0 && strings.IndexByte("\"'`<>,;", c) >= 0
}

// trimValue leaves out what belongs to the text around an unquoted value: the
// brackets that it closes, the end of a sentence.
func trimValue(t string, start, end int) int {
	for end > start && strings.IndexByte(").]}:|", t[end-1]) >= 0 {
		end--
	}
	return end
}

// kindOf names what a role finds.
func kindOf(r role) string {
	switch r {
	case rolePassword:
		return "password"
	case roleAWS:
		return "AWS secret key"
	default:
		return "secret value"
	}
}

// strong judges a value by the role of its name.
func strong(r role, v string, quoted bool) bool {
	switch r {
	case rolePassword:
		return strongRandom(v) || strongPassword(v)
	case roleSecret:
		return isUUID(v) || strongRandom(v) || quoted && len(v) >= 10 && mixed(v) && strongPassword(v) && !wordlike(v)
	default:
		return strongRandom(v) && !isUUID(v)
	}
}

// reference reports whether a value only names or refers to the credential, or is
// of a kind that is none: variables, templates, calls, paths, addresses, hashes.
func reference(v string, quote byte) bool {
	switch v[0] {
	case '$':
		if len(v) > 1 && (quote == 0 || v[1] == '{' || v[1] == '(' || isUpper(v[1]) || strings.Count(v, "$") > 1) {
			return true
		}
	case '<', '{', '%', '&', '@', '.', '*', '^', '|', '\\':
		if !strongRandom(v) {
			return true
		}
	}
	if strings.ContainsAny(v, "{}<>") || strings.Contains(v, "$(") || strings.Contains(v, "://") {
		return true
	}
	if quote == 0 && strings.ContainsAny(v, "()[]") {
		return true
	}
	for _, prefix := range []string{"arn:", "data:", "sha1-", "sha256", "sha384-", "sha512", "SHA256", "ENC[", "./", "../", "ssh-", "vault:", "kv/"} {
		if strings.HasPrefix(v, prefix) {
			return true
		}
	}
	return dottedName(strings.TrimLeft(v, "*&")) || isPath(v) || fileName(v) || isTime(v)
}

// dottedName reports whether a value is a path in code: var.db_password_2.
func dottedName(v string) bool {
	if !strings.Contains(v, ".") || !isAlpha(v[0]) {
		return false
	}
	for part := range strings.SplitSeq(v, ".") {
		if part == "" || len(part) > 40 || !isAlpha(part[0]) && part[0] != '_' {
			return false
		}
		for i := range len(part) {
			if !isWord(part[i]) && part[i] != '?' {
				return false
			}
		}
		if strongRandom(part) {
			return false
		}
	}
	return true
}

// isPath reports whether a value is the path of a file: none of its parts is
// random.
func isPath(v string) bool {
	if v[0] != '/' && v[0] != '~' && (len(v) < 3 || v[1] != ':' || v[2] != '\\') {
		return false
	}
	parts := strings.FieldsFunc(v, func(r rune) bool { return r == '/' || r == '\\' })
	for _, part := range parts {
		if strings.ContainsAny(part, "+=") || strongRandom(part) {
			return false
		}
	}
	return len(parts) > 1
}

// fileName reports whether a value ends as files do that hold keys and settings.
func fileName(v string) bool {
	return hasSuffix(v, ".pem", ".key", ".json", ".txt", ".yaml", ".yml", ".crt", ".p12", ".pfx", ".jks", ".env", ".go", ".ts", ".js", ".py")
}

// isTime reports whether a value begins as a date or a time does.
func isTime(v string) bool {
	return len(v) >= 10 && isDigit(v[0]) && isDigit(v[3]) && v[4] == '-' && isDigit(v[5]) && isDigit(v[6]) && v[7] == '-'
}

// isUUID reports whether a value is a UUID: a credential only where its name
// leaves no doubt.
func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (v[i] == '-') || !dash && !isHex(v[i]) {
			return false
		}
	}
	return true
}

// basicAuth reports whether a value is base64 of a user and a real password.
func basicAuth(v string) bool {
	data, err := b64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil {
		return false
	}
	user, password, ok := strings.Cut(string(data), ":")
	return ok && urlPassword(user, password)
}
