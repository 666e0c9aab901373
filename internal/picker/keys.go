package picker

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Key is what a person did: a character to type, or one of the constants.
type Key rune

// The keys that are not characters.
const (
	Ignored Key = -1 - iota // a key without a meaning here
	Up
	Down
	PageUp
	PageDown
	Rubout    // delete the last character of the query
	ClearWord // delete its last word
	ClearAll
	Mark   // mark or unmark the item
	Accept // accept the marked items, or the item at the cursor
	Cancel
)

// controls are the keys that a terminal sends as one byte.
func controls() map[byte]Key {
	return map[byte]Key{
		'\r': Accept, '\n': Accept, '\t': Mark, 0x7f: Rubout, 0x08: Rubout, 0x17: ClearWord, 0x15: ClearAll,
		0x10: Up, 0x0b: Up, 0x0e: Down, 0x03: Cancel, 0x04: Cancel, 0x07: Cancel,
	}
}

// sequences are the keys that a terminal sends as an escape sequence, without the ESC.
func sequences() map[string]Key {
	return map[string]Key{
		"[A": Up, "OA": Up, "[B": Down, "OB": Down, "[5~": PageUp, "[6~": PageDown,
	}
}

const escape = 0x1b

// Keys splits what a terminal sent at once into keys. An ESC with nothing after it is the Escape
// key.
func Keys(data []byte) []Key {
	var keys []Key
	known := controls()
	for len(data) > 0 {
		if data[0] == escape {
			key, n := escaped(data)
			keys, data = append(keys, key), data[n:]
			continue
		}
		r, n := utf8.DecodeRune(data)
		switch key, ok := known[data[0]]; {
		case ok:
			keys = append(keys, key)
		case r == utf8.RuneError && n == 1 || !unicode.IsPrint(r):
			keys = append(keys, Ignored)
		default:
			keys = append(keys, Key(r))
		}
		data = data[n:]
	}
	return keys
}

// escaped parses the escape sequence at the start of data, and returns its length.
func escaped(data []byte) (Key, int) {
	if len(data) == 1 || data[1] == escape {
		return Cancel, 1
	}
	for text, key := range sequences() {
		if bytes.HasPrefix(data[1:], []byte(text)) {
			return key, 1 + len(text)
		}
	}
	if data[1] != '[' && data[1] != 'O' {
		return Ignored, 2 // a key with Alt
	}
	for i, b := range data[2:] {
		if b >= 0x40 && b <= 0x7e {
			return Ignored, 3 + i
		}
	}
	return Ignored, len(data)
}
