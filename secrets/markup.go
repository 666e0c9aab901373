package secrets

import "strings"

// element handles <password>…</password> and the like, whose '>' is at i: the name
// is that of the element, of an attribute, or of the key before it.
func (s *scanner) element(i int) {
	t := s.text
	if i > 0 && isQuote(t[i-1]) { // <entry key="db.password">
		s.attribute(i)
		return
	}
	if i > 0 && t[i-1] == ' ' && mentions(lineBefore(t, i), "setuser ") { // ACL of Redis
		s.passwordArgument(i + 1)
		return
	}
	open := i
	for open > 0 && i-open < maxName && (isWord(t[open-1]) || t[open-1] == '-' || t[open-1] == '.') {
		open--
	}
	if open == 0 || t[open-1] != '<' || open == i {
		return
	}
	name := t[open:i]
	if name == "string" { // <key>APIKey</key><string>
		before := strings.TrimSpace(t[max(0, open-1-maxName) : open-1])
		key, ok := strings.CutSuffix(before, "</key>")
		if !ok {
			return
		}
		name = key[strings.LastIndexByte(key, '>')+1:]
	}
	if r := roleOf(name); r != roleNone {
		s.value(sure(r), i+1, false, false)
	}
}

// attribute handles the text of an element whose last attribute is its name; the
// quote of that ends before i.
func (s *scanner) attribute(i int) {
	t := s.text
	start := strings.LastIndexByte(t[max(0, i-1-maxName):i-1], t[i-1])
	if start < 0 {
		return
	}
	start += max(0, i-1-maxName) + 1
	if before := t[max(0, start-6) : start-1]; !hasSuffix(before, "name=", "key=", "id=") {
		return
	}
	if r := roleOf(t[start : i-1]); r != roleNone {
		s.value(r, i+1, false, false)
	}
}
