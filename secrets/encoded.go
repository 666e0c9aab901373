package secrets

import (
	b64 "encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	// minEncoded is the length from which base64 is read: less holds no credential
	// with its name.
	minEncoded = 24
	// minWrapped is the length of a line of base64 that goes on in the next one.
	minWrapped = 60
	// maxDepth is how often base64 is looked for inside of base64: settings of
	// Docker in a secret of Kubernetes take two.
	maxDepth = 2
	// minText is the length from which a value that decodes to text is taken for the
	// base64 of it: by chance one in a million does.
	minText = 11
)

// encoded looks for credentials in the base64 that begins at i, and returns its
// end when it holds one. Every byte of a text is decoded once.
func (s *scanner) encoded(i int) int {
	if i < s.decoded || s.depth >= maxDepth {
		return 0
	}
	data, end := s.base64At(i)
	s.decoded = end
	if len(data) < minEncoded {
		return 0
	}
	text, ok := plainText(data)
	if !ok {
		return 0
	}
	inner := scanner{text: text, known: s.known, depth: s.depth + 1}
	inner.scan()
	found := merge(inner.found)
	if len(found) == 0 {
		return 0
	}
	s.add(found[0].Kind+" in base64", weightToken, i, end)
	return end
}

// base64At returns the base64 at i without its line breaks, and where it ends. Its
// lines are as long as the usual encoders make them.
func (s *scanner) base64At(i int) (data string, end int) {
	t := s.text
	end = s.encodedRun(i)
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
		for next < len(t) && (t[next] == '\n' || t[next] == '\r' || isSpace(t[next])) {
			next++
		}
		stop := s.encodedRun(next)
		if end-start < minWrapped || next == end || stop == next {
			return b.String(), s.padding(end)
		}
		start, end = next, stop
	}
}

// encodedRun returns the end of the letters of base64 at i.
func (s *scanner) encodedRun(i int) int {
	end := i
	for end < len(s.text) && (isAlnum(s.text[end]) || s.text[end] == '+' || s.text[end] == '/') {
		end++
	}
	return end
}

// padding returns the end of the signs that fill base64 up, at most two.
func (s *scanner) padding(end int) int {
	for n := 0; n < 2 && end < len(s.text) && s.text[end] == '='; n++ {
		end++
	}
	return end
}

func decode(data string) (string, error) {
	out, err := b64.RawStdEncoding.DecodeString(data)
	return string(out), err
}

// plainText decodes base64 of text, also of the two bytes a letter that PowerShell
// encodes.
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

// beginsText reports whether base64 begins as that of a text does, and whether its
// letters have two bytes each.
func beginsText(data string) (ok, wide bool) {
	head, err := decode(data[:min(len(data), 16)])
	wide = len(head) > 4 && head[1] == 0 && head[3] == 0
	return err == nil && (wide || printable(head)), wide
}

// printable reports whether a text has no control characters but breaks and tabs.
func printable(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return text != ""
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
