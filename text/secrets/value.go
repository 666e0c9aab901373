package secrets

import "strings"

// maxNested is how many values inside another one are judged.
const maxNested = 4

// value judges the value that begins at i, whose name has the role r.
func (s *scanner) value(r role, i int) { s.judge(r, i, false, false) }

// quoted is for places where a value has to be quoted.
func (s *scanner) quoted(r role, i int) { s.judge(r, i, false, true) }

// judge adds the value that begins at i if it is a credential. In a query it ends at '&'.
func (s *scanner) judge(r role, i int, query, quotedOnly bool) {
	i = s.skip(i, 0)
	if r == roleNone || i < s.done {
		return
	}
	i, quote := s.opening(s.marks(i))
	start, basic := s.scheme(i)
	if quotedOnly && quote == 0 || start < s.judged && s.nested >= maxNested {
		return
	}
	end := s.valueEnd(start, quote, query)
	if end <= start {
		return
	}
	v, end := s.literal(start, end, quote)
	if start >= s.judged {
		s.judged, s.nested = end, 0
	} else {
		s.nested++
	}
	if basic {
		if basicAuth(v) {
			s.addPassword(start, end)
		}
		return
	}
	called := quote == 0 && (s.at(end) == '(' || s.at(end) == '[')
	if called || hopeless(v) || reference(v, quote) || !strong(r, v, quote != 0) {
		return
	}
	if len(v) >= lookAhead { // to its end, however long it is
		for end < len(s.text) && !stops(s.text, end, quote) {
			end++
		}
	}
	s.done = end
	s.add(kindOf(r), weightValue, start, end)
}

// valueEnd returns the end of the value at start, or 0 for a sentence or code in quotes.
func (s *scanner) valueEnd(start int, quote byte, query bool) int {
	end := s.extent(start, quote, query)
	if quote != 0 {
		if end < len(s.text) && end-start < lookAhead && s.text[end] != quote && s.text[end] != '\\' {
			return 0
		}
		return end
	}
	if !query { // fields of a form end like those of a query
		end = formField(s.text, start, end)
	}
	return trimValue(s.text, start, end)
}

// marks skips what may be between a name and its value.
func (s *scanner) marks(i int) int {
	for _, mark := range []string{"** ", "!unsafe "} { // **name:** value, and Ansible's
		if strings.HasPrefix(s.text[i:], mark) {
			i += len(mark)
		}
	}
	for _, call := range []string{"(", "[]byte(", "bytes(", "str(", "string(", "new String(", "SecretStr(",
		"Buffer.from(", "new TextEncoder().encode(", "b", "rb", "u", "f", "@", "N"} { // the last ones begin literals
		if end := i + len(call); isQuote(s.at(end)) && s.text[i:end] == call {
			return end
		}
	}
	return i
}

// formField returns the end of the value from start to end, which is earlier when another field follows:
// secret=…&grant_type=….
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

// basic judges what follows "Basic" without a name before it, in a header that a server or a command sets.
func (s *scanner) basic(i int) {
	start := s.skip(i, 0)
	if end := s.extent(start, 0, false); end-start >= minText && basicAuth(s.text[start:end]) {
		s.addPassword(start, end)
	}
}

// skip returns where the word number n+1 after i begins.
func (s *scanner) skip(i, n int) int {
	t := s.text
	for {
		for i < len(t) && isSpace(t[i]) {
			i++
		}
		if n--; n < 0 {
			return i
		}
		for stop := min(len(t), i+maxArgument); i < stop && !isSpace(t[i]) && t[i] != '\n'; {
			i++
		}
	}
}

// opening skips a quote, also an escaped one, and returns it.
func (s *scanner) opening(i int) (int, byte) {
	at := i
	for at < i+3 && s.at(at) == '\\' {
		at++
	}
	if c := s.at(at); isQuote(c) {
		return at + 1, c
	}
	return i, 0
}

// argument returns the extent of the word behind i, and the quote that it is in.
func (s *scanner) argument(i int) (start, end int, quote byte) {
	start, quote = s.opening(s.skip(i, 0))
	return start, s.extent(start, quote, false), quote
}

// scheme skips "Bearer " and the like, and tells if it was "Basic ".
func (s *scanner) scheme(i int) (start int, basic bool) {
	end := s.run(i, urlSafe, 10)
	if end == i || s.at(end) != ' ' {
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

// stops reports whether a value ends before i: at space, at what is not ASCII, at its quote or a break in it, at a
// mask, and without quotes at what ends a value in lists, markup and statements.
func stops(t string, i int, quote byte) bool {
	c := t[i]
	switch {
	case !visible(c) || c == quote:
		return true
	case c == '\\':
		return i+1 < len(t) && strings.IndexByte("\"'nrt", t[i+1]) >= 0
	case c == '[':
		return strings.HasPrefix(t[i:], Mask)
	}
	return quote == 0 && strings.IndexByte("\"'`<>,;", c) >= 0
}

// trimValue leaves out what belongs to the text around an unquoted value: the brackets that it closes, the end of a
// sentence.
func trimValue(t string, start, end int) int {
	for end > start && strings.IndexByte(").]}:|", t[end-1]) >= 0 {
		end--
	}
	return end
}

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
	if r >= rolePassword {
		return strongRandom(v) || strongPassword(v) || chained(v) ||
			r == rolePassword && quoted && wordsAndYear(v) || r == roleSure && wordsAndNumber(v)
	}
	if isUUID(v) {
		return r == roleToken || r == roleSecret
	}
	return strongRandom(v) || r == roleSecret && quoted && len(v) >= 10 && mixed(v) && strongPassword(v) && !wordlike(v)
}

// hopeless reports whether a value is too short and plain for anything. It spares most values the other checks.
func hopeless(v string) bool {
	if len(v) >= minText {
		return false
	}
	if (letters | underscore | period | dash).all(v) {
		return true
	}
	return len(v) < minPassword
}

// strongEncoded judges a value that was the base64 of a text: a password, or a user and one.
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
