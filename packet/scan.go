package packet

import (
	"bytes"
	"encoding/json"
	"errors"
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

// scanner makes a tree of the tokens of a document. Unlike [json.Unmarshal], it keeps duplicate keys and notes texts
// whose encoding is broken, so that both can be reported.
type scanner struct {
	data   []byte
	d      *json.Decoder
	values int
}

// scan reads a document that is one value and nothing else.
func scan(data []byte) (node, error) {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return node{}, fail(KindSyntax, "it begins with a byte order mark, which JSON does not allow")
	}
	var valid json.RawMessage
	if err := json.Unmarshal(data, &valid); err != nil {
		return node{}, syntaxFault(data, err)
	}
	s := &scanner{data: data, d: json.NewDecoder(bytes.NewReader(data))}
	s.d.UseNumber()
	return s.value(1)
}

// syntaxFault says where a document stops being JSON.
func syntaxFault(data []byte, err error) error {
	if strings.Contains(err.Error(), "max depth") {
		return tooDeep()
	}
	at, found, wanted := len(data), "the end", "instead of the rest"
	var syntax *json.SyntaxError
	if reason, ok := strings.CutPrefix(err.Error(), "invalid character "); ok && errors.As(err, &syntax) {
		at = min(at, int(syntax.Offset)-1)
		r, n := utf8.DecodeRune(data[at:])
		if found = strconv.QuoteRune(r); r == utf8.RuneError && n == 1 {
			found = fmt.Sprintf("the byte 0x%02x", data[at])
		}
		_, wanted, _ = strings.Cut(reason[1:], "' ") // the character itself may be a quote
		wanted = strings.NewReplacer("looking for beginning of value", "instead of a value",
			"looking for beginning of object key string", "instead of a key in quotes").Replace(wanted)
	}
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	column := 1 + utf8.RuneCount(data[bytes.LastIndexByte(data[:at], '\n')+1:at])
	return fail(KindSyntax, "it is not JSON: line %d, column %d has %s %s", line, column, found, wanted)
}

func tooDeep() error {
	return fail(KindNesting, "lists and objects are more than %d deep in each other", maxDepth)
}

// token returns the next token and its bytes, with what separates it from the one before.
func (s *scanner) token() (token json.Token, raw []byte, err error) {
	start := s.d.InputOffset()
	token, err = s.d.Token()
	return token, s.data[start:s.d.InputOffset()], err
}

// value reads a value; depth counts the list or object that it would be.
func (s *scanner) value(depth int) (n node, err error) {
	if s.values++; s.values > maxValues {
		return n, fail(KindValues, "it has more than %d values", maxValues)
	}
	token, raw, err := s.token()
	switch v := token.(type) {
	case json.Delim:
		if depth > maxDepth {
			return n, tooDeep()
		}
		return s.inside(v, depth)
	case string:
		n.form, n.text, n.flaw = textForm, v, flawOf(raw, v)
	case bool:
		n.form, n.flag = flagForm, v
	case json.Number:
		n.form = numberForm
	}
	return n, err
}

// inside reads the values of a list or an object that begins with a bracket.
func (s *scanner) inside(begin json.Delim, depth int) (n node, err error) {
	n.form = listForm
	if begin == '{' {
		n.form = objectForm
	}
	for s.d.More() {
		var m member
		if n.form == objectForm {
			// A key with a broken encoding has a U+FFFD, which no known key has.
			key, _, err := s.token()
			if err != nil {
				return n, err
			}
			m.name, _ = key.(string)
		}
		if m.node, err = s.value(depth + 1); err != nil {
			return n, err
		}
		if n.form == objectForm {
			n.members = append(n.members, m)
		} else {
			n.items = append(n.items, m.node)
		}
	}
	_, _, err = s.token()
	return n, err
}

// The possible faults of a text's encoding.
const (
	flawSurrogate = "has half of a surrogate pair (such as \\ud800), which is not a character"
	flawBytes     = "has bytes that are not UTF-8"
)

// flawOf says what is wrong with the encoding of a text, by the bytes that it was read from: what cannot be decoded
// became U+FFFD.
func flawOf(raw []byte, text string) string {
	written := strings.ToLower(strings.ReplaceAll(string(raw), `\\`, ""))
	known := strings.Count(written, `\ufffd`)
	for _, r := range string(raw) {
		if r == utf8.RuneError {
			known++
		}
	}
	switch {
	case strings.Count(text, "\ufffd") > known:
		return flawSurrogate
	case !utf8.Valid(raw):
		return flawBytes
	}
	return ""
}

// validText returns a text in UTF-8, and what is wrong with it.
func validText(text string) (valid, flaw string) {
	if utf8.ValidString(text) {
		return text, ""
	}
	return strings.ToValidUTF8(text, "\ufffd"), flawBytes
}
