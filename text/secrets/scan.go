package secrets

import "strings"

// lookAhead limits how far a credential may reach; private keys and web tokens may be longer.
const lookAhead = 512

// hit is a finding with its weight: of overlapping findings, the heaviest gives the name.
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
	forms *[256][]form
	found []hit
	pem   int  // private keys are found up to here
	done  int  // values are found up to here
	cards bool // numbers of payment cards are looked for, too
	// Numbers of cards are found up to here.
	carded int
	depth  int // how often the text was decoded from base64
	// Base64 is read up to here, credential or not.
	decoded int
	// Names inside a value that was not a credential, as in "a=token=b", are judged maxNested times only: otherwise a
	// long value would be read once for each.
	judged, nested int
}

func (s *scanner) add(kind string, weight, start, end int) {
	s.found = append(s.found, hit{Finding{kind, start, end}, weight})
}

// addToken adds a credential that has a form of its own, and returns where it ends.
func (s *scanner) addToken(kind string, start, end int) int {
	s.add(kind, weightToken, start, end)
	return end
}

func (s *scanner) addPassword(start, end int) { s.add("password", weightValue, start, end) }

// at returns the byte at i, or 0 outside the text.
func (s *scanner) at(i int) byte {
	if i < 0 || i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

// scan reads the text once and calls the rules for what begins at each byte.
func (s *scanner) scan() {
	for i := 0; i < len(s.text); {
		if isWord(s.text[i]) {
			i = s.word(i)
		} else {
			i = s.sign(i) + 1
		}
	}
}

// word handles the word that begins at i and returns where it ends.
func (s *scanner) word(i int) int {
	end := i + 1
	for end < len(s.text) && isWord(s.text[end]) {
		end++
	}
	if s.cards && isDigit(s.text[i]) {
		s.card(i)
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
	switch s.at(end) {
	case ' ', '\t':
		s.command(i, end)
	case '\n':
		if c := s.text[i] | 0x20; c == 'p' || c == 'k' { // Password, Kennwort
			s.heading(i, end)
		}
	}
	return end
}

// sign handles the sign at i and returns its last byte: several may make one.
func (s *scanner) sign(i int) int {
	switch s.text[i] {
	case '\\':
		if c := s.at(i + 1); c == 'n' || c == 'r' || c == 't' {
			return i + 1 // the n of \n in JSON does not belong to the next word
		}
	case '%':
		if isHex(s.at(i+1)) && isHex(s.at(i+2)) && !(isUpper(s.text[i+1]) && isLower(s.text[i+2])) {
			return i + 2 // nor do the digits of %3D
		}
		s.shaped(i)
	case ':', '=', ',':
		return s.separator(i)
	case '|':
		return s.bar(i)
	case '?':
		s.shaped(i)
		return s.fallback(i)
	case 0xe2: // the first byte of arrows and long dashes
		if n := arrow(s.text[i:]); n > 0 {
			s.pointed(i, i+n)
			return i + n - 1
		}
	default:
		s.mark(i)
	}
	return i
}

func (s *scanner) mark(i int) {
	switch s.text[i] {
	case '-':
		s.dash(i)
	case '@':
		s.driverDSN(i)
		s.shaped(i)
	case '>':
		s.element(i)
	case '(':
		s.call(i)
	case '{': // std::string password{"…"}
		if i > 0 && s.at(i+1) == '"' && isAlnum(s.text[i-1]) {
			name, _ := s.nameBefore(i)
			s.quoted(roleOf(name), i+1)
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
}

// separator handles ':', '=' and ',' at i and returns the last byte of the separator: of "=>", ":=", "://".
func (s *scanner) separator(i int) int {
	t := s.text
	if strings.HasPrefix(t[i:], "://") {
		s.url(i)
		return i + 2
	}
	if t[i] == ':' && isDigit(s.at(i+1)) {
		s.pgpass(i)
	}
	end := i
	for end+1 < len(t) && end < i+2 && (t[end+1] == '=' || t[end+1] == '>' || t[end+1] == ':') && t[i] != ',' {
		end++
	}
	s.assignment(i, end+1)
	return end
}

// bar handles '|' at i: of a table (| name | value |), of a pipe, or of "||".
func (s *scanner) bar(i int) int {
	if s.at(i+1) != ' ' {
		return s.fallback(i)
	}
	s.fed(i)
	s.table(i)
	s.assignment(i, i+1)
	return i
}

// dash handles what begins with dashes: an arrow, the header and the footer of a PEM block.
func (s *scanner) dash(i int) {
	rest := s.text[i:]
	switch {
	case strings.HasPrefix(rest, "->"):
		s.pointed(i, i+2)
	case s.at(i-1) == ' ' && strings.HasPrefix(rest, "- "):
		s.pointed(i, i+1)
	case strings.HasPrefix(rest, pemBegin):
		s.privateKey(i)
	case strings.HasPrefix(rest, pemEnd):
		s.privateKeyTail(i)
	}
}

// arrow returns the length of the arrow or the long dash that a text begins with.
func arrow(t string) int {
	for _, sign := range []string{"→", "➜", "➔", "⇒", "—", "–"} {
		if strings.HasPrefix(t, sign) {
			return len(sign)
		}
	}
	return 0
}
