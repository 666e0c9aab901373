package longline

import (
	"bytes"
	"encoding/json"
)

// maxID bounds the length of an id or a key that is read from a line that is too long.
const maxID = 256

// message finds the id of a message that is too long to hold in memory. It reads it piece by piece.
type message struct {
	depth   int    // of nested objects and lists
	text    bool   // in a string
	escaped bool   // the next character of the string is escaped
	value   bool   // after a colon at the top level of the message
	object  bool   // the message is an object
	key     []byte // the top-level key, with its quotes
	token   []byte // the top-level string or number being read
	id      []byte
}

// read continues with the next piece.
func (l *message) read(piece []byte) {
	for len(piece) > 0 {
		if l.text && !l.escaped && !l.collects() {
			if piece = piece[plainText(piece):]; len(piece) == 0 {
				return
			}
		}
		b := piece[0]
		piece = piece[1:]
		switch {
		case l.text:
			l.collect(b)
			l.inText(b)
		case b == '"':
			l.text = true
			l.collect(b)
		default:
			l.between(b)
		}
	}
}

// plainText returns the number of bytes before the next quote or backslash.
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

// inText handles a byte of a string.
func (l *message) inText(b byte) {
	switch {
	case l.escaped:
		l.escaped = false
	case b == '\\':
		l.escaped = true
	case b == '"':
		l.text = false
	}
}

// between handles a byte outside strings.
func (l *message) between(b byte) {
	switch b {
	case '{', '[':
		l.object = l.object || l.depth == 0 && b == '{'
		l.depth++
	case '}', ']':
		if l.depth == 1 {
			l.endValue()
		}
		l.depth--
		l.collect(b) // so that an object or a list is not mistaken for an id
	case ':':
		if l.depth == 1 {
			l.key, l.token, l.value = l.token, nil, true
		}
	case ',':
		if l.depth == 1 {
			l.endValue()
		}
	case ' ', '\t', '\r', '\n':
	default:
		l.collect(b)
	}
}

// collect appends a byte to the token if it is at the top level and not too long.
func (l *message) collect(b byte) {
	if l.collects() {
		l.token = append(l.token, b)
	}
}

func (l *message) collects() bool { return l.depth == 1 && len(l.token) <= maxID }

// endValue ends a top-level value and records it if it is the id.
func (l *message) endValue() {
	if l.value && string(l.key) == `"id"` {
		l.id = l.token
	}
	l.key, l.token, l.value = nil, nil, false
}

// known returns the id, or nil if none was found that a request may have.
func (l *message) known() json.RawMessage {
	if !l.object || len(l.id) > maxID || !IsID(l.id) {
		return nil
	}
	return l.id
}
