package handoff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ltm/packet/redact"
)

// clean returns a text of a session's record without paths of the machine and without credentials.
func clean(s string, roots []string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "")
	for _, root := range roots {
		s = relativized(s, root)
	}
	s, _ = redact.Mask(s)
	return strings.TrimSpace(s)
}

// relativized makes the paths in a text relative that are below a directory.
func relativized(s, root string) string {
	root = strings.TrimRight(root, `/\`)
	if len(root) < 2 { // the root of a file system
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, root)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		rest := s[i+len(root):]
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		switch {
		case i > 0 && isPathRune(before) || rest != "" && rest[0] != '/' && rest[0] != '\\' && startsName(rest):
			b.WriteString(s[:i+len(root)]) // a part of another path
		case rest == "" || rest[0] != '/' && rest[0] != '\\' || !startsName(rest[1:]):
			b.WriteString(s[:i] + ".")
			rest = strings.TrimLeft(rest, `/\`)
		default:
			b.WriteString(s[:i])
			rest = rest[1:]
		}
		s = rest
	}
}

// startsName reports whether a text begins with a character of a file's name.
func startsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && isPathRune(r) && r != '/' && r != '\\'
}

// isPathRune reports whether a character is usual in paths.
func isPathRune(r rune) bool {
	return r > 0x7f || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		strings.ContainsRune(`./\_-~+@`, r)
}

// relative returns the name of a file below one of the directories, with slashes.
func relative(file string, roots []string) (name string, inside bool) {
	for _, root := range roots {
		root = strings.TrimRight(root, `/\`)
		rest, ok := strings.CutPrefix(file, root)
		if ok && root != "" && len(rest) > 1 && (rest[0] == '/' || rest[0] == '\\') {
			return strings.ReplaceAll(rest[1:], `\`, "/"), true
		}
	}
	return "", false
}

// clip returns at most that many characters of a text.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:most-1])) + "…"
}

// weight is how long a text is, in characters of English: others are tokens of their own.
func weight(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > unicode.MaxASCII {
			n += 2
		}
	}
	return n
}

// middle returns a text of at most that weight: the beginning and the end of a longer one, of which the end says more.
func middle(s string, most int) string {
	all := weight(s)
	if all <= most {
		return s
	}
	runes := []rune(s)
	keep := len(runes) * most / all
	head, tail := keep*2/5, keep*3/5
	return strings.TrimSpace(string(runes[:head])) + " … " + strings.TrimSpace(string(runes[len(runes)-tail:]))
}
