package secrets

import "strings"

const (
	// maxRows is how many rows of a table are examined.
	maxRows = 50
	// maxHeading is the length of the longest heading of one word.
	maxHeading = 16
	// maxCookies is how many cookies of a line are examined.
	maxCookies = 16
)

// table judges the column of a table whose head names a credential. The first row begins at i, with a bar.
func (s *scanner) table(i int) {
	t := s.text
	before := lineBefore(t, i)
	i -= len(before)
	if strings.Contains(before, "|") || i > 0 && strings.Contains(lineBefore(t, i-1), "|") {
		return
	}
	head := lineAt(t, i)
	if at := i + len(head) + 1; before != "" && // then a line separates the head from the rows
		(at >= len(t) || t[at] != '-' || strings.Trim(lineAt(t, at), "-|: \r") != "") {
		return
	}
	column, r := headed(head)
	if r == roleNone {
		return
	}
	for range maxRows {
		i += len(lineAt(t, i)) + 1
		if i >= len(t) || !strings.Contains(lineAt(t, i), "|") {
			return
		}
		s.cell(i, column, r)
	}
}

// headed returns the column whose head names a credential, and its role.
func headed(line string) (column int, r role) {
	for n, head := range strings.Split(line, "|") {
		if r := roleOf(strings.Trim(head, " *`")); r != roleNone {
			return n, r
		}
	}
	return 0, roleNone
}

// cell judges a column of the row that begins at i.
func (s *scanner) cell(i, column int, r role) {
	cells := strings.Split(lineAt(s.text, i), "|")
	if column >= len(cells) {
		return
	}
	v := strings.Trim(cells[column], " `")
	start := i + len(strings.Join(cells[:column], "|")) + min(column, 1) + strings.Index(cells[column], v)
	ok := isASCII(v) && (spoken(v, true) || generated(v))
	if r != rolePassword {
		ok = strongRandom(v) && strong(r, v, false) && !reference(v, 0)
	}
	if ok {
		s.add(kindOf(r), weightValue, start, start+len(v))
	}
}

// lineAt returns the line that begins at i; it may be cut off at its end.
func lineAt(t string, i int) string {
	line, _, _ := strings.Cut(t[i:min(len(t), i+lookAhead)], "\n")
	return line
}

// heading judges the line below the word from i to end, which is all of its line.
func (s *scanner) heading(i, end int) {
	if i > 0 && s.text[i-1] != '\n' && !hasSuffix(s.text[:i], "\n# ", "\n## ") {
		return
	}
	if end-i > maxHeading || roleOf(s.text[i:end]) != rolePassword {
		return
	}
	if at := nextLine(s.text, end); at > 0 {
		s.passwordAt(at, true)
	}
}

// element handles <password>…</password> and the like, whose '>' is at i: the name is that of the element, of an
// attribute, or of the key before it.
func (s *scanner) element(i int) {
	t := s.text
	switch before := s.at(i - 1); {
	case isQuote(before): // <entry key="db.password">
		s.attribute(i)
		return
	case before == ' ' && mentions(lineBefore(t, i), "setuser "): // ACL of Redis
		s.passwordArgument(i + 1)
		return
	}
	open := i
	for open > 0 && i-open < maxName && dotted.has(t[open-1]) {
		open--
	}
	if s.at(open-1) != '<' || open == i {
		return
	}
	name := t[open:i]
	if name == "string" { // <key>APIKey</key><string>
		key, ok := strings.CutSuffix(strings.TrimSpace(t[max(0, open-1-maxName):open-1]), "</key>")
		if !ok {
			return
		}
		name = afterLast(key, '>')
	}
	s.value(sure(roleOf(name)), i+1)
}

// attribute handles the text of an element whose last attribute is its name; the quote of that ends before i.
func (s *scanner) attribute(i int) {
	t := s.text
	first := max(0, i-1-maxName)
	start := strings.LastIndexByte(t[first:i-1], t[i-1])
	if start < 0 {
		return
	}
	start += first + 1
	if hasSuffix(t[max(0, start-6):start-1], "name=", "key=", "id=") {
		s.value(roleOf(t[start:i-1]), i+1)
	}
}

// cookies judges those that begin at i, name=value and a semicolon between: one that identifies a login is a
// credential.
func (s *scanner) cookies(i int) {
	t := s.text
	at, _ := s.opening(s.skip(i, 0))
	stop := at
	for c := s.at(stop); stop-at < lookAhead && (visible(c) || c == ' ') && !isQuote(c) && c != '['; c = s.at(stop) {
		stop++
	}
	for n := 0; n < maxCookies && at < stop; n++ {
		cookie, _, _ := strings.Cut(t[at:stop], ";")
		at += len(cookie)
		name, v, ok := strings.Cut(cookie, "=")
		if ok && strongRandom(v) && sessionCookie(strings.TrimSpace(name)) && !strings.Contains(v, " ") {
			s.add("session cookie", weightValue, at-len(v), at)
		}
		at++
	}
}

// sessionCookie reports whether a cookie of that name identifies a login.
func sessionCookie(name string) bool {
	return oneOf(strings.ToLower(name), "session", "sessionid", "session_id",
		"_session_id", "user_session", "laravel_session", "sid", "connect.sid", "phpsessid", "jsessionid",
		"asp.net_sessionid", "remember_token", "auth", "auth_token")
}
