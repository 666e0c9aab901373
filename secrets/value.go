package secrets

import "strings"

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
	i, quote := s.opening(s.marks(i))
	if quotedOnly && quote == 0 {
		return
	}
	start, basic := s.scheme(i)
	if start < s.judged && s.nested >= maxNested {
		return
	}
	end := s.extent(start, quote, query)
	if quote == 0 && !query { // fields of a form end like those of a query
		end = formField(t, start, end)
	}
	if quote == 0 {
		end = trimValue(t, start, end)
	} else if end < len(t) && end-start < lookAhead && t[end] != quote && t[end] != '\\' {
		return // a sentence, or code around it
	}
	if end <= start {
		return
	}
	v := t[start:end]
	if quote != 0 {
		v, end = s.literal(start, end)
	}
	if start >= s.judged {
		s.judged, s.nested = end, 0
	} else {
		s.nested++
	}
	if basic {
		if basicAuth(v) {
			s.add("password", weightValue, start, end)
		}
		return
	}
	if hopeless(v) || reference(v, quote) || quote == 0 && end < len(t) && (t[end] == '(' || t[end] == '[') || !strong(r, v, quote != 0) {
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

// marks skips what may be between a name and its value.
func (s *scanner) marks(i int) int {
	for _, mark := range []string{"** ", "!unsafe "} { // **name:** value, and Ansible's
		if strings.HasPrefix(s.text[i:], mark) {
			i += len(mark)
		}
	}
	for _, call := range []string{"(", "[]byte(", "bytes(", "str(", "string(", "new String(", "SecretStr(", "Buffer.from(", "new TextEncoder().encode(",
		"b", "rb", "u", "f", "@", "N"} { // of literals
		if end := i + len(call); end < len(s.text) && isQuote(s.text[end]) && s.text[i:end] == call {
			return end
		}
	}
	return i
}

// formField returns the end of the value from start to end, which is earlier when
// another field follows: secret=…&grant_type=….
func formField(t string, start, end int) int {
	for at := start; at < end; at++ {
		if t[at] != '&' {
			continue
		}
		name := at + 1
		for name < end && isWord(t[name]) {
			name++
		}
		if name > at+1 && name < end && t[name] == '=' {
			return at
		}
	}
	return end
}

// basic judges what follows "Basic" without a name before it, in a header that a
// server or a command sets.
func (s *scanner) basic(i int) {
	start := s.skip(i, 0)
	end := s.extent(start, 0, false)
	if end-start >= minText && basicAuth(s.text[start:end]) {
		s.add("password", weightValue, start, end)
	}
}

// opening skips a quote, also an escaped one, and returns it.
func (s *scanner) opening(i int) (int, byte) {
	t := s.text
	at := i
	for at < len(t) && at < i+3 && t[at] == '\\' {
		at++
	}
	if at < len(t) && isQuote(t[at]) {
		return at + 1, t[at]
	}
	return i, 0
}

// scheme skips "Bearer " and the like, and tells if it was "Basic ".
func (s *scanner) scheme(i int) (start int, basic bool) {
	end := s.run(i, urlSafe, 10)
	if end == i || end >= len(s.text) || s.text[end] != ' ' {
		return i, false
	}
	switch strings.ToLower(s.text[i:end]) {
	case "basic":
		return end + 1, true
	case "bearer", "token", "apikey", "api-key", "key", "api-token", "ssws", "bot", "splunk", "geniekey":
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
	case rolePassword, roleSure:
		return "password"
	case roleAWS:
		return "AWS secret key"
	default:
		return "secret value"
	}
}

// strong judges a value by the role of its name.
func strong(r role, v string, quoted bool) bool {
	if documented(v) {
		return false
	}
	if text, ok := plainText(v); ok && isASCII(text) {
		return strongEncoded(r, text)
	}
	if keyGroups(v) {
		return r != roleWeak
	}
	switch r {
	case roleToken:
		return isUUID(v) || strongRandom(v)
	case rolePassword:
		return strongRandom(v) || strongPassword(v) || quoted && wordsAndYear(v) || chained(v)
	case roleSure:
		return strongRandom(v) || strongPassword(v) || wordsAndNumber(v) || chained(v)
	case roleSecret:
		return isUUID(v) || strongRandom(v) || quoted && len(v) >= 10 && mixed(v) && strongPassword(v) && !wordlike(v)
	default:
		return strongRandom(v) && !isUUID(v)
	}
}

// hopeless reports whether a value is too short and plain for anything: most are,
// which spares the other looks at them.
func hopeless(v string) bool {
	if len(v) >= minText {
		return false
	}
	for i := range len(v) {
		if !isAlpha(v[i]) && v[i] != '_' && v[i] != '.' && v[i] != '-' {
			return len(v) < minPassword
		}
	}
	return true
}

// strongEncoded judges a value that was the base64 of a text: a password, or a user
// and one.
func strongEncoded(r role, text string) bool {
	if user, password, ok := strings.Cut(text, ":"); ok && r < rolePassword {
		return urlPassword(user, password)
	}
	text = strings.TrimSpace(text)
	return strongRandom(text) || strongPassword(text) || r >= rolePassword && urlPassword("", text)
}

// basicAuth reports whether a value is base64 of a user and a real password.
func basicAuth(v string) bool {
	data, err := decode(strings.TrimRight(v, "="))
	if err != nil {
		return false
	}
	user, password, ok := strings.Cut(data, ":")
	return ok && urlPassword(user, password)
}
