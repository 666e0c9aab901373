package redact

import (
	"strings"

	"ltm/text/secrets"
)

// PathMask replaces a path of a machine. [secrets.Mask] replaces a credential.
const PathMask = "[path]"

// The beginning of a private key, and the text in its last line.
const (
	keyBegin = "-----BEGIN "
	keyLast  = "-----END "
	keyDone  = "PRIVATE KEY-----"
)

// keyEnd returns where a private key ends whose first line ends at a place. Its lines may have been
// joined, and it may have been cut: then all that follows may be of it.
func keyEnd(s string, at int) int {
	last := strings.Index(s[at:], keyLast)
	if last < 0 {
		return len(s)
	}
	end := strings.Index(s[at+last:], keyDone)
	if end < 0 {
		return len(s)
	}
	return at + last + end + len(keyDone)
}

// Mask returns a text with a mask in place of each finding of [Text], and their number. Text finds
// nothing in the result: where masks are not enough for that, all of the text is replaced.
func Mask(s string) (masked string, n int) {
	found := places(s)
	if plain := unmask(s); plain != s {
		if more := places(plain); len(more) > len(found) {
			s, found = plain, more
		}
	}
	if len(found) == 0 {
		return s, 0
	}
	var b strings.Builder
	done := 0
	for _, f := range found {
		if f.start >= done {
			b.WriteString(s[done:f.start])
			mask := secrets.Mask
			if f.IsPath() {
				mask = PathMask
			}
			b.WriteString(mask)
		}
		done = max(done, f.end)
		if strings.HasPrefix(s[f.start:], keyBegin) {
			done = max(done, keyEnd(s, f.end))
		}
	}
	b.WriteString(s[done:])
	if masked = b.String(); len(Text(masked)) > 0 {
		masked = secrets.Mask
	}
	return masked, len(found)
}
