package secrets

import "strings"

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	pemDash  = "-----"
	// minPEM is the minimum size of the base64 of a private key; shorter ones are illustrations.
	minPEM = 24
)

// pemLabel returns where the header or footer at i ends, if it is that of a private key; else 0.
func (s *scanner) pemLabel(i int, prefix string) int {
	rest := s.text[i+len(prefix):]
	rest = rest[:min(len(rest), 64)]
	label, _, ok := strings.Cut(rest, pemDash)
	if !ok || !strings.Contains(label, "PRIVATE KEY") {
		return 0
	}
	return i + len(prefix) + len(label) + len(pemDash)
}

// privateKey finds the key whose header is at i, with its footer or cut off.
func (s *scanner) privateKey(i int) {
	start := s.pemLabel(i, pemBegin)
	if start == 0 {
		return
	}
	end, size := s.pemBody(start)
	if size < minPEM || !random(s.text[start:end]) {
		return
	}
	if strings.HasPrefix(s.text[end:], pemEnd) {
		if foot := s.pemLabel(end, pemEnd); foot > 0 {
			end = foot
		}
	}
	s.pem = end
	s.add("private key", weightKey, i, end)
}

// pemBody reads lines of base64 from i, however they are indented, quoted or joined, and the header lines of older
// keys. It returns where the next dashes or the first other line begins, and how much base64 there was.
func (s *scanner) pemBody(i int) (end, size int) {
	end = i
	for end < len(s.text) {
		next, n, ok := s.pemLine(end)
		if !ok {
			return next, size
		}
		end, size = next, size+n
	}
	return end, size
}

// pemLine reads one line of a key at i: its end, with the line's break, and its base64. A break may be a real one or an
// escaped one.
func (s *scanner) pemLine(i int) (end, size int, ok bool) {
	t := s.text
	for i < len(t) && strings.IndexByte(" \t\"'+|>#*,;.-", t[i]) >= 0 && !strings.HasPrefix(t[i:], pemDash) {
		i++
	}
	if n := lineBreak(t, i); n > 0 {
		return i + n, 0, true
	}
	end = s.run(i, base64, lookAhead*16)
	size = end - i
	dashes := strings.HasPrefix(t[end:], pemDash)
	if c := s.at(end); c == ':' && size < 24 || c == '-' && size > 0 && !dashes { // Proc-Type: 4,ENCRYPTED
		return s.pemHeader(end)
	}
	if size == 0 || size < 4 && t[i] != '=' {
		return i, 0, false
	}
	for end < len(t) && strings.IndexByte(" \t\"'+,", t[end]) >= 0 {
		end++
	}
	n := lineBreak(t, end)
	if n == 0 && end < len(t) && !strings.HasPrefix(t[end:], pemDash) {
		// The last line of a text that continues: base64 that is too long for a word is part of the key.
		return end, size, size >= 16
	}
	return end + n, size, true
}

// pemHeader reads the rest of a line such as "DEK-Info: AES-128-CBC,0123".
func (s *scanner) pemHeader(i int) (end, size int, ok bool) {
	t := s.text
	colon := strings.Index(t[i:min(len(t), i+24)], ": ")
	if colon < 0 {
		return i, 0, false
	}
	end = i + colon
	for end < len(t) && end-i < 200 && lineBreak(t, end) == 0 && t[end] >= ' ' && t[end] != '[' {
		end++
	}
	return end + lineBreak(t, end), 0, lineBreak(t, end) > 0
}

// lineBreak returns the length of the line break at i: "\n", "\r\n", or one of them escaped.
func lineBreak(t string, i int) int {
	n := 0
	for n < 8 && i+n < len(t) {
		switch {
		case t[i+n] == '\n' || t[i+n] == '\r':
			n++
			continue
		case t[i+n] == '\\':
			k := i + n
			for k < len(t) && k < i+n+3 && t[k] == '\\' {
				k++
			}
			if k < len(t) && (t[k] == 'n' || t[k] == 'r') {
				n = k + 1 - i
				continue
			}
		}
		break
	}
	return n
}

// puttyKey finds the lines of base64 behind "Private-Lines: 14" in a key of PuTTY.
func (s *scanner) puttyKey(i int) {
	t := s.text
	for i < len(t) && (isSpace(t[i]) || isDigit(t[i])) {
		i++
	}
	start := i + lineBreak(t, i)
	end, size := s.pemBody(start)
	if size >= minPEM && random(t[start:end]) {
		s.add("private key", weightKey, start, end)
	}
}

// privateKeyTail finds the key whose footer is at i and whose header is lost.
func (s *scanner) privateKeyTail(i int) {
	end := s.pemLabel(i, pemEnd)
	if end == 0 || i <= s.pem {
		return
	}
	t := s.text
	start := i
	for start > s.pem && t[start-1] == '\n' {
		line := start - 1
		for line > s.pem && base64.has(t[line-1]) {
			line--
		}
		if n := start - 1 - line; n == 0 || n < 16 && start != i || line > 0 && t[line-1] != '\n' {
			break
		}
		start = line
	}
	if i-start < minPEM || !random(t[start:i]) {
		return
	}
	s.pem = end
	s.add("private key", weightKey, start, end)
}
