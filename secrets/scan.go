package secrets

import "strings"

// lookAhead bounds how far from a byte a credential may reach, private keys and
// web tokens not counted.
const lookAhead = 512

// hit is a finding with its weight: the heavier names a merged one.
type hit struct {
	Finding
	weight int
}

const (
	weightValue = iota // strong enough beside a telling name
	weightURL
	weightToken // a form of its own
	weightKey
)

type scanner struct {
	text  string
	known *[256]bucket
	found []hit
	pem   int // private keys are found up to here
	done  int // values are found up to here
	depth int // how often the text was decoded from base64
	// Base64 is read up to here, credential or not.
	decoded int
	// Names inside of a value that was no credential, "a=token=b", are looked at a
	// few times only: long values would be read once for each.
	judged, nested int
}

func (s *scanner) add(kind string, weight, start, end int) {
	s.found = append(s.found, hit{Finding{kind, start, end}, weight})
}

// scan reads the text once, and calls what the byte at hand may begin.
func (s *scanner) scan() {
	t := s.text
	for i := 0; i < len(t); {
		c := t[i]
		if isWord(c) {
			i = s.word(i)
			continue
		}
		switch c {
		case '\\': // \n in JSON is no letter of the word after it
			if i+1 < len(t) && (t[i+1] == 'n' || t[i+1] == 'r' || t[i+1] == 't') {
				i++
			}
		case '%': // nor are the digits of %3D
			if i+2 < len(t) && isHex(t[i+1]) && isHex(t[i+2]) && !(isUpper(t[i+1]) && isLower(t[i+2])) {
				i += 2
			} else {
				s.shaped(i)
			}
		case ':', '=', ',':
			i = s.separator(i)
		case '-':
			s.dash(i)
		case '@':
			s.driverDSN(i)
			s.shaped(i)
		case '|': // a table: | name | value |
			if i+1 < len(t) && t[i+1] == ' ' {
				s.fed(i)
				s.table(i)
				s.assignment(i, i+1)
			} else if strings.HasPrefix(t[i:], "||") {
				s.fallback(i, i+2)
				i++
			}
		case '?':
			s.shaped(i)
			if strings.HasPrefix(t[i:], "??") {
				s.fallback(i, i+2)
				i++
			}
		case 0xe2: // the first byte of arrows and long dashes
			if n := arrow(t[i:]); n > 0 {
				s.pointed(i, i+n)
				i += n - 1
			}
		case '>':
			s.element(i)
		case '(':
			s.call(i)
		case '{': // std::string password{"…"}
			if i > 0 && i+1 < len(t) && t[i+1] == '"' && isAlnum(t[i-1]) {
				name, _ := s.nameBefore(i)
				s.value(roleOf(name), i+1, false, true)
			}
		case '/': // a user / a password
			s.pair(i)
		case '~':
			s.azureSecret(i)
		case '"', '\'':
			s.beside(i)
		case '<':
			s.hereString(i)
		case '!', '#', '*', '$', '&', '^':
			s.shaped(i)
		}
		i++
	}
}

// word looks at the word that begins at i, and returns where it ends.
func (s *scanner) word(i int) int {
	end := i + 1
	for end < len(s.text) && isWord(s.text[end]) {
		end++
	}
	if next := s.token(i, end); next > end {
		return next
	}
	if end-i >= minMade && end-i <= maxShaped {
		s.made(i, end)
	}
	switch s.text[i] {
	case 'h', 'p':
		s.gluedFlag(i)
	case 'c':
		if s.text[i:end] == "chpasswd" {
			s.piped(i, handedAccount)
		}
	}
	if end < len(s.text) {
		switch s.text[end] {
		case ' ', '\t':
			s.command(i, end)
		case '\n':
			if c := s.text[i] | 0x20; c == 'p' || c == 'k' { // Password, Kennwort
				s.heading(i, end)
			}
		}
	}
	return end
}

// separator handles ':', '=' and ',' at i and returns the last byte of the
// separator: of "=>", ":=", "://".
func (s *scanner) separator(i int) int {
	t := s.text
	if t[i] == ':' && strings.HasPrefix(t[i:], "://") {
		s.url(i)
		return i + 2
	}
	if t[i] == ':' && i+1 < len(t) && isDigit(t[i+1]) {
		s.pgpass(i)
	}
	end := i
	for end+1 < len(t) && end < i+2 && (t[end+1] == '=' || t[end+1] == '>' || t[end+1] == ':') && t[i] != ',' {
		end++
	}
	s.assignment(i, end+1)
	return end
}

// dash handles what begins with dashes: an arrow, the header and the footer of a
// PEM block.
func (s *scanner) dash(i int) {
	if strings.HasPrefix(s.text[i:], "->") {
		s.pointed(i, i+2)
	} else if i > 0 && s.text[i-1] == ' ' && strings.HasPrefix(s.text[i:], "- ") {
		s.pointed(i, i+1)
	} else if strings.HasPrefix(s.text[i:], pemBegin) {
		s.privateKey(i)
	} else if strings.HasPrefix(s.text[i:], pemEnd) {
		s.privateKeyTail(i)
	}
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isWord(c byte) bool  { return isAlnum(c) || c == '_' }
func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' }
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// allLower reports whether a word has no capitals.
func allLower(word string) bool {
	for i := range len(word) {
		if isUpper(word[i]) {
			return false
		}
	}
	return true
}

// allUpper reports whether a word has no small letters.
func allUpper(word string) bool {
	for i := range len(word) {
		if isLower(word[i]) {
			return false
		}
	}
	return true
}

// allLetters reports whether a word has letters only.
func allLetters(word string) bool {
	for i := range len(word) {
		if !isAlpha(word[i]) {
			return false
		}
	}
	return true
}
