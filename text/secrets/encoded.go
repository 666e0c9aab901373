package secrets

import (
	b64 "encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	// minEncoded is the length from which base64 is read: less cannot hold a credential with its name.
	minEncoded = 24
	// minWrapped is the length of a line of base64 that continues in the next one.
	minWrapped = 60
	// maxDepth is how often base64 is searched inside base64: settings of Docker in a secret of Kubernetes take two.
	maxDepth = 2
	// minText is the length from which a value that decodes to text counts as base64 of it: by chance one in a million
	// does.
	minText = 11
)

// encoded searches the base64 that begins at i for credentials, and returns its end when it holds one. Every byte of a
// text is decoded once.
func (s *scanner) encoded(i int) int {
	if i < s.decoded || s.depth >= maxDepth {
		return 0
	}
	data, end := s.base64At(i)
	s.decoded = end
	text, ok := plainText(data)
	if !ok || len(data) < minEncoded {
		return 0
	}
	inner := scanner{text: text, forms: s.forms, depth: s.depth + 1}
	inner.scan()
	found := merge(inner.found)
	if len(found) == 0 {
		return 0
	}
	return s.addToken(found[0].Kind+" in base64", i, end)
}

// base64At returns the base64 at i without its line breaks, and where it ends. Its lines are as long as the usual
// encoders make them.
func (s *scanner) base64At(i int) (data string, end int) {
	t := s.text
	end = s.run(i, encoding, len(t))
	if end-i < minWrapped {
		return t[i:end], s.padding(end)
	}
	if ok, _ := beginsText(t[i:end]); !ok {
		return "", end
	}
	var b strings.Builder
	for start := i; ; {
		b.WriteString(t[start:end])
		next := end
		for next < len(t) && strings.IndexByte(" \t\r\n", t[next]) >= 0 {
			next++
		}
		stop := s.run(next, encoding, len(t))
		if end-start < minWrapped || next == end || stop == next {
			return b.String(), s.padding(end)
		}
		start, end = next, stop
	}
}

// padding returns the end of the padding at end, at most two signs.
func (s *scanner) padding(end int) int { return s.run(end, equals, 2) }

func decode(data string) (string, error) {
	out, err := b64.RawStdEncoding.DecodeString(data)
	return string(out), err
}

// plainText decodes base64 of text, also of the two bytes a letter that PowerShell encodes.
func plainText(data string) (string, bool) {
	data = strings.TrimRight(data, "=")
	if len(data) < minText {
		return "", false
	}
	ok, wide := beginsText(data)
	if !ok {
		return "", false
	}
	text, err := decode(data)
	if err != nil {
		return "", false
	}
	if wide {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	return text, printable(text) && utf8.ValidString(text)
}

// beginsText reports whether base64 begins as that of a text does, and whether its letters have two bytes each.
func beginsText(data string) (ok, wide bool) {
	head, err := decode(data[:min(len(data), 16)])
	wide = len(head) > 4 && head[1] == 0 && head[3] == 0
	return err == nil && (wide || printable(head)), wide
}
