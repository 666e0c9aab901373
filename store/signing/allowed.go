package signing

import (
	"bytes"
	"path"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// MaxAllowedBytes bounds a list of allowed signers.
const MaxAllowedBytes = 1 << 20

// Allowed is a list of allowed signers: the keys that may sign, and whose they are.
type Allowed []allowed

type allowed struct {
	principals    string
	key           []byte // in wire format
	after, before time.Time
}

// ParseAllowed parses a list in the format of git's gpg.ssh.allowedSignersFile, which
// ssh-keygen(1) describes. Lines that it cannot parse, that are for certificates, or whose
// namespaces do not include "ltm" allow nothing: a line must not allow more than it says.
func ParseAllowed(text []byte) Allowed {
	var list Allowed
	if len(text) > MaxAllowedBytes {
		return nil
	}
	for line := range bytes.Lines(text) {
		if a, ok := parseAllowed(strings.TrimSpace(string(line))); ok {
			list = append(list, a)
		}
	}
	return list
}

func parseAllowed(line string) (allowed, bool) {
	if line == "" || line[0] == '#' {
		return allowed{}, false
	}
	first, rest, ok := word(line)
	a := allowed{principals: strings.Trim(first, `"`)}
	if !ok || a.principals == "" {
		return a, false
	}
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil || !canCheck(key) || !a.takeOptions(options) {
		return a, false
	}
	a.key = key.Marshal()
	return a, true
}

// word cuts the first word off a line. Spaces in quotes are part of it.
func word(line string) (first, rest string, ok bool) {
	quoted := false
	for i := range len(line) {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
		case (c == ' ' || c == '\t') && !quoted:
			return line[:i], strings.TrimLeft(line[i:], " \t"), true
		}
	}
	return line, "", line != "" && !quoted
}

// takeOptions reads the options of a line. It reports false if the line allows nothing here.
func (a *allowed) takeOptions(options []string) bool {
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		value = strings.Trim(value, `"`)
		ok := true
		switch strings.ToLower(name) {
		case "namespaces":
			ok = matchesAny(value, Namespace)
		case "valid-after":
			a.after, ok = sshTime(value)
		case "valid-before":
			a.before, ok = sshTime(value)
		default: // certificates, and what is not known
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

// matchesAny reports whether a list of patterns with commas between them matches a name. A pattern
// that begins with "!" excludes what it matches.
func matchesAny(patterns, name string) bool {
	found := false
	for pattern := range strings.SplitSeq(patterns, ",") {
		pattern, not := strings.CutPrefix(strings.TrimSpace(pattern), "!")
		if strings.ContainsAny(pattern, `[]\`) { // which have no meaning in these patterns
			continue
		}
		if ok, err := path.Match(pattern, name); err != nil || !ok {
			continue
		}
		if not {
			return false
		}
		found = true
	}
	return found
}

// sshTime parses a time of an option: YYYYMMDD, or with HHMM or HHMMSS, in this machine's zone unless it ends with Z.
func sshTime(text string) (time.Time, bool) {
	zone := time.Local
	if utc, ok := strings.CutSuffix(text, "Z"); ok {
		text, zone = utc, time.UTC
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil && len(layout) == len(text) {
			return at, true
		}
	}
	return time.Time{}, false
}

// find returns the principals of a key that is allowed at a time.
func (list Allowed) find(key []byte, at time.Time) (principals string, ok bool) {
	for _, a := range list {
		if bytes.Equal(a.key, key) && (a.after.IsZero() || !at.Before(a.after)) &&
			(a.before.IsZero() || at.Before(a.before)) {
			return a.principals, true
		}
	}
	return "", false
}
