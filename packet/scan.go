package packet

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// maxDepth is how deep lists and objects may be in each other. A packet needs 3.
	maxDepth = 64

	// maxValues bounds the memory for a document of MaxStoredBytes. A packet has about 1,000
	// values at most, and a document of MaxBytes has room for 16,383.
	maxValues = 20_000
)

// scanner reads JSON (RFC 8259) more strictly than encoding/json: it keeps duplicate keys and
// notes texts whose encoding is broken, so that both can be reported.
type scanner struct {
	data   string
	pos    int
	values int
	fault  *Fault // the one that ended the scan
}

// scan reads a document that is one value and nothing else.
func scan(data []byte) (node, error) {
	s := &scanner{data: string(data)}
	if strings.HasPrefix(s.data, "\ufeff") {
		return node{}, fail(KindSyntax, "it begins with a byte order mark, which JSON does not allow")
	}
	s.space()
	n, ok := s.value(1)
	if ok {
		if s.space(); s.pos < len(s.data) {
			ok = s.unexpected("nothing after the value")
		}
	}
	if !ok {
		return node{}, Faults{*s.fault}
	}
	return n, nil
}

// stop ends the scan. It returns false.
func (s *scanner) stop(kind Kind, message string) bool {
	s.fault = &Fault{Kind: kind, Message: message}
	return false
}

// unexpected ends the scan at the current position, because something else is needed there.
func (s *scanner) unexpected(wanted string) bool {
	before := s.data[:s.pos]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	found := "the end"
	if s.pos < len(s.data) {
		r, n := utf8.DecodeRuneInString(s.data[s.pos:])
		found = strconv.QuoteRune(r)
		if r == utf8.RuneError && n == 1 {
			found = fmt.Sprintf("the byte 0x%02x", s.data[s.pos])
		}
	}
	return s.stop(KindSyntax, fmt.Sprintf("it is not JSON: line %d, column %d has %s instead of %s",
		line, column, found, wanted))
}

// space skips white space.
func (s *scanner) space() {
	for s.pos < len(s.data) && strings.IndexByte(" \t\r\n", s.data[s.pos]) >= 0 {
		s.pos++
	}
}

// next returns the current byte, or 0 at the end. A 0 in the document is never expected either.
func (s *scanner) next() byte {
	if s.pos == len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

// accept skips the byte if it is the current one.
func (s *scanner) accept(c byte) bool {
	if s.next() != c {
		return false
	}
	s.pos++
	return true
}

// value reads a value; depth counts the list or object that it would be.
func (s *scanner) value(depth int) (n node, ok bool) {
	if s.values++; s.values > maxValues {
		return n, s.stop(KindValues, fmt.Sprintf("it has more than %d values", maxValues))
	}
	c := s.next()
	if (c == '{' || c == '[') && depth > maxDepth {
		return n, s.stop(KindNesting, fmt.Sprintf("lists and objects are more than %d deep in each other", maxDepth))
	}
	switch {
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.list(depth)
	case c == '"':
		n.form = textForm
		n.text, n.flaw, ok = s.text()
		return n, ok
	case c == '-' || isDigit(c):
		n.form = numberForm
		return n, s.number()
	case s.word("true"):
		return node{form: flagForm, flag: true}, true
	case s.word("false"):
		return node{form: flagForm}, true
	case s.word("null"):
		return node{form: nullForm}, true
	}
	return n, s.unexpected("a value")
}

// word skips one of JSON's three words.
func (s *scanner) word(word string) bool {
	if !strings.HasPrefix(s.data[s.pos:], word) {
		return false
	}
	s.pos += len(word)
	return true
}

func (s *scanner) object(depth int) (n node, ok bool) {
	n.form = objectForm
	s.pos++
	if s.space(); s.accept('}') {
		return n, true
	}
	for {
		if s.next() != '"' {
			return n, s.unexpected("a key in quotes")
		}
		var m member
		// A key with a broken encoding has a U+FFFD, which no known key has.
		if m.name, _, ok = s.text(); !ok {
			return n, false
		}
		if s.space(); !s.accept(':') {
			return n, s.unexpected("a colon")
		}
		s.space()
		if m.node, ok = s.value(depth + 1); !ok {
			return n, false
		}
		n.members = append(n.members, m)
		if s.space(); s.accept('}') {
			return n, true
		}
		if !s.accept(',') {
			return n, s.unexpected("a comma or a closing brace")
		}
		s.space()
	}
}

func (s *scanner) list(depth int) (n node, ok bool) {
	n.form = listForm
	s.pos++
	if s.space(); s.accept(']') {
		return n, true
	}
	for {
		item, ok := s.value(depth + 1)
		if !ok {
			return n, false
		}
		n.items = append(n.items, item)
		if s.space(); s.accept(']') {
			return n, true
		}
		if !s.accept(',') {
			return n, s.unexpected("a comma or a closing bracket")
		}
		s.space()
	}
}

// number skips a number of any size: no field is a number.
func (s *scanner) number() bool {
	s.accept('-')
	if !s.accept('0') && !s.digits() {
		return s.unexpected("a digit")
	}
	if s.accept('.') && !s.digits() {
		return s.unexpected("a digit")
	}
	if s.accept('e') || s.accept('E') {
		if !s.accept('+') {
			s.accept('-')
		}
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	return true
}

// digits skips digits, and reports whether there was one.
func (s *scanner) digits() bool {
	from := s.pos
	for isDigit(s.next()) {
		s.pos++
	}
	return s.pos > from
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
