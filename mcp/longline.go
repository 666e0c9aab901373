package mcp

import (
	"bytes"
	"encoding/json"
)

// maxID bounds what is kept of an id, and of a key, of a line that is too long.
const maxID = 256

// longLine finds the id of a message that is too long to be kept, reading it
// piece by piece.
type longLine struct {
	depth   int    // of objects and lists
	text    bool   // in a string
	escaped bool   // the next character of the string is escaped
	value   bool   // behind a colon of the message itself, not of what is in it
	object  bool   // the message is an object
	key     []byte // of the message, with its quotes
	held    []byte // the string or number being read, as far as it is of the message itself
	id      []byte
}

// read goes on with the next piece.
func (l *longLine) read(piece []byte) {
	for len(piece) > 0 {
		if l.text && !l.escaped && !l.keeps() {
			if piece = piece[plainText(piece):]; len(piece) == 0 {
				return
			}
		}
		b := piece[0]
		piece = piece[1:]
		switch {
		case l.text:
			l.keep(b)
			l.inText(b)
		case b == '"':
			l.text = true
			l.keep(b)
		default:
			l.between(b)
		}
	}
}

// plainText returns how many characters of a string's rest neither end it nor
// escape another.
func plainText(rest []byte) int {
	end := len(rest)
	if i := bytes.IndexByte(rest, '"'); i >= 0 {
		end = i
	}
	if i := bytes.IndexByte(rest[:end], '\\'); i >= 0 {
		end = i
	}
	return end
}

// inText follows a string to its end.
func (l *longLine) inText(b byte) {
	switch {
	case l.escaped:
		l.escaped = false
	case b == '\\':
		l.escaped = true
	case b == '"':
		l.text = false
	}
}

// between handles what is outside of strings.
func (l *longLine) between(b byte) {
	switch b {
	case '{', '[':
		l.object = l.object || l.depth == 0 && b == '{'
		l.depth++
	case '}', ']':
		if l.depth == 1 {
			l.endValue()
		}
		l.depth--
		l.keep(b) // so that an object or a list is not taken for an id
	case ':':
		if l.depth == 1 {
			l.key, l.held, l.value = l.held, nil, true
		}
	case ',':
		if l.depth == 1 {
			l.endValue()
		}
	case ' ', '\t', '\r', '\n':
	default:
		l.keep(b)
	}
}

// keep holds on to a character of the message itself.
func (l *longLine) keep(b byte) {
	if l.keeps() {
		l.held = append(l.held, b)
	}
}

func (l *longLine) keeps() bool { return l.depth == 1 && len(l.held) <= maxID }

// endValue notes the value, if it is the id.
func (l *longLine) endValue() {
	if l.value && string(l.key) == `"id"` {
		l.id = l.held
	}
	l.key, l.held, l.value = nil, nil, false
}

// known returns the id, or nil: it is not known, or none that a request may have.
func (l *longLine) known() json.RawMessage {
	if !l.object || len(l.id) > maxID || !isID(l.id) {
		return nil
	}
	return l.id
}
