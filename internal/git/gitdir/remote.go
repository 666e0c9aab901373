package gitdir

import (
	"path/filepath"
	"strings"
)

type Remote struct {
	Name string
	URL  string // as the configuration has it, possibly with credentials
}

// Remotes returns the remotes in the clone's own configuration, in its order. Files that it includes are not read,
// because they could be anywhere. If there are several addresses, the first counts, as for git.
func (c Clone) Remotes() []Remote {
	var found []Remote
	seen := map[string]bool{}
	for _, s := range settings(readSmall(filepath.Join(c.Common, "config"))) {
		if s.section == "remote" && s.key == "url" && s.name != "" && s.value != "" && !seen[s.name] {
			seen[s.name] = true
			found = append(found, Remote{Name: s.name, URL: s.value})
		}
	}
	return found
}

// setting is one line of a configuration: section.name.key = value.
type setting struct{ section, name, key, value string }

// settings parses a file in git's form (git-config(1)). Lines that are not in it are skipped.
func settings(text string) []setting {
	var found []setting
	section, name := "", ""
	for text != "" {
		text = strings.TrimLeft(text, " \t\r\n")
		switch {
		case text == "":
		case text[0] == '#' || text[0] == ';':
			_, text, _ = strings.Cut(text, "\n")
		case text[0] == '[':
			section, name, text = heading(text[1:])
		default:
			var s setting
			s, text = assignment(text)
			if s.section, s.name = section, name; section != "" && s.key != "" {
				found = append(found, s)
			}
		}
	}
	return found
}

// heading parses what follows the bracket of [section] and [section "name"], and returns the rest.
// The section is "" if it is neither.
func heading(text string) (section, name, rest string) {
	end := strings.IndexAny(text, "]\"\n")
	if end < 0 {
		return "", "", ""
	}
	section = strings.ToLower(strings.TrimSpace(text[:end]))
	switch text[end] {
	case ']':
		return section, "", text[end+1:]
	case '\n':
		return "", "", text[end:]
	}
	var b strings.Builder
	for text = text[end+1:]; text != "" && text[0] != '\n'; text = text[1:] {
		if text[0] == '"' {
			after, ok := strings.CutPrefix(text, `"]`)
			if !ok {
				break
			}
			return section, b.String(), after
		}
		if text[0] == '\\' && len(text) > 1 && text[1] != '\n' {
			text = text[1:]
		}
		b.WriteByte(text[0])
	}
	_, text, _ = strings.Cut(text, "\n")
	return "", "", text
}

// assignment parses "key = value", and returns what follows its end.
func assignment(text string) (s setting, rest string) {
	end := strings.IndexAny(text, "=\n#;")
	if end < 0 {
		return s, ""
	}
	key := strings.ToLower(strings.TrimSpace(text[:end]))
	if text[end] != '=' {
		_, rest, _ = strings.Cut(text, "\n")
		return s, rest
	}
	value, rest, ok := settingValue(text[end+1:])
	if !ok || strings.ContainsAny(key, " \t\r") {
		return s, rest
	}
	return setting{key: key, value: value}, rest
}

// settingValue parses a value: with parts in quotes, escapes, comments at its end, and backslashes
// at the ends of lines. ok is false if it is not one.
func settingValue(text string) (value, rest string, ok bool) {
	text = strings.TrimLeft(text, " \t")
	var b strings.Builder
	quoted, kept := false, 0 // kept: without blanks at the end
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			return b.String()[:kept], text[i+1:], !quoted
		case c == '\r' && strings.HasPrefix(text[i:], "\r\n"):
		case !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return b.String()[:kept], rest, true
		case c == '"':
			quoted = !quoted
			kept = b.Len()
		case c == '\\':
			if i++; i == len(text) {
				return "", "", false
			}
			if text[i] == '\n' {
				continue
			}
			at := strings.IndexByte(`ntb"\`, text[i])
			if at < 0 {
				_, rest, _ = strings.Cut(text[i:], "\n")
				return "", rest, false
			}
			b.WriteByte("\n\t\b\"\\"[at])
			kept = b.Len()
		default:
			b.WriteByte(c)
			if quoted || c != ' ' && c != '\t' {
				kept = b.Len()
			}
		}
	}
	return b.String()[:kept], "", !quoted
}
