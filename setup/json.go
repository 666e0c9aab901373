package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"ltm/memory"
)

// node is a value in a JSON text, by its place.
type node struct {
	kind       byte // '{', '[', or 0 for a plain value
	start, end int
	members    []member
}

// member is an element of a list, or a key with its value.
type member struct {
	key   string
	start int // of the key, or of the element
	value *node
}

// find returns the index of a key, or -1. If a key is duplicated, the last one counts, as it does for the client.
func (n *node) find(key string) int {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return i
		}
	}
	return -1
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.members[i].value
	}
	return nil
}

// text returns the bytes of the value.
func (n *node) text(data []byte) []byte { return data[n.start:n.end] }

const byteOrderMark = "\xef\xbb\xbf"

// parseJSON finds the values of a JSON text, which must be an object. name is the file, for messages.
func parseJSON(name string, data []byte) (*node, error) {
	skip := 0
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		skip = len(byteOrderMark)
	}
	var valid json.RawMessage
	if err := json.Unmarshal(data[skip:], &valid); err != nil {
		return nil, syntaxError(name, data, skip, err)
	}
	p := &parser{data: data, at: skip, skip: skip, d: json.NewDecoder(bytes.NewReader(data[skip:]))}
	p.d.UseNumber()
	root, err := p.value()
	if err != nil {
		return nil, syntaxError(name, data, skip, err)
	}
	if root.kind != '{' {
		return nil, refuse(name, data, root.start, "not a JSON object")
	}
	return root, nil
}

// parser builds the tree from the decoder's tokens.
type parser struct {
	data     []byte
	at, skip int // end of the last token; what the decoder does not see
	d        *json.Decoder
}

func (p *parser) token() (tok json.Token, start int, err error) {
	start = p.at
	for start < len(p.data) && strings.IndexByte(" \t\r\n,:", p.data[start]) >= 0 {
		start++
	}
	tok, err = p.d.Token()
	p.at = p.skip + int(p.d.InputOffset())
	return tok, start, err
}

func (p *parser) value() (*node, error) {
	tok, start, err := p.token()
	if err != nil {
		return nil, err
	}
	n := &node{start: start, end: p.at}
	delim, ok := tok.(json.Delim)
	if !ok {
		return n, nil
	}
	n.kind = byte(delim)
	for p.d.More() {
		var m member
		if n.kind == '{' {
			key, start, err := p.token()
			if err != nil {
				return nil, err
			}
			m.key, m.start = key.(string), start
		}
		if m.value, err = p.value(); err != nil {
			return nil, err
		}
		if n.kind == '[' {
			m.start = m.value.start
		}
		n.members = append(n.members, m)
	}
	_, _, err = p.token()
	n.end = p.at
	return n, err
}

// syntaxError returns where a text stops being JSON, and names the usual reasons.
func syntaxError(name string, data []byte, skip int, err error) error {
	at, reason := len(data), err.Error()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = min(len(data), skip+max(0, int(syntax.Offset)-1))
	}
	rest := data[at:]
	switch {
	case len(bytes.TrimSpace(data[skip:])) == 0:
		reason = "the file is empty; it needs at least {}"
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")):
		reason = "it has a comment, and adding to it could lose it"
	case bytes.HasPrefix(rest, []byte("}")), bytes.HasPrefix(rest, []byte("]")):
		reason += ": a comma too many?"
	}
	return refuse(name, data, at, reason)
}

// refuse returns the error for a file that cannot be merged.
func refuse(name string, data []byte, at int, reason string) error {
	line := 1 + bytes.Count(data[:min(at, len(data))], []byte("\n"))
	return memory.NewError(memory.CodeConflict, memory.KindSetupJSON, name, "%s, line %d: %s", name, line, reason)
}
