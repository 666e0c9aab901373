package secrets

import "strings"

// maxName bounds how far back a name reaches.
const maxName = 80

// assignment looks at the name before the separator at i and at the value from
// after on.
func (s *scanner) assignment(i, after int) {
	name, start := s.nameBefore(i)
	if name == "" {
		return
	}
	query := start > 0 && (s.text[start-1] == '?' || s.text[start-1] == '&')
	r := roleOf(name)
	if query && name == "sig" { // of a shared access signature
		r = roleWeak
	}
	if r == roleNone && typeName(name) && s.text[i] != ',' {
		for start > 0 && strings.IndexByte(" :*&?", s.text[start-1]) >= 0 {
			start--
		}
		name, start = s.nameBefore(start)
		r = roleOf(name)
	}
	if r == roleNone && (name == "value" || name == "Value") {
		r = s.siblingRole(start)
	}
	if r == roleNone {
		return
	}
	call := s.text[i] == ',' // setenv("NAME", "value")
	if call && (start < 2 || s.text[start-2] != '(') || closes(s.text, start, i, after) {
		return
	}
	s.value(r, after, query, call)
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
	if i < len(t) && t[i] == ',' && (end == i || strings.IndexByte("\"'`", t[end]) < 0) {
		return "", i // in a call, names are quoted
	}
	start := end
	for start > limit && (isWord(t[start-1]) || t[start-1] == '-' || t[start-1] == '.' ||
		t[start-1] == ' ' && start > limit+1 && start < end && isAlnum(t[start]) && isAlnum(t[start-2])) {
		start--
	}
	if start == limit && limit > 0 && isWord(t[start-1]) && end-start > maxName-10 {
		return "", i
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
	for _, attr := range []string{"name", "key", "Name", "Key"} {
		at := strings.LastIndex(before, attr)
		if at < 0 {
			continue
		}
		rest := strings.TrimLeft(before[at+len(attr):], " \t:=\"'")
		end := 0
		for end < len(rest) && (isWord(rest[end]) || rest[end] == '-' || rest[end] == '.') {
			end++
		}
		if strings.Count(rest[end:], "\n") <= 1 && end > 0 {
			return roleOf(rest[:end])
		}
	}
	return roleNone
}
