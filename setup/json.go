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
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
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

// style is how a JSON text is laid out.
type style struct {
	newline string
	unit    string // one step of indentation
	inline  bool   // the whole text is in one line
	space   string // after colons and commas in a line
}

func styleOf(data []byte, root *node) style {
	s := style{newline: newlineOf(data), unit: "  ", space: " "}
	if len(root.members) == 0 {
		return s
	}
	first := root.members[0]
	lead := string(data[root.start+1 : first.start])
	if i := strings.LastIndexByte(lead, '\n'); i >= 0 && len(lead) > i+1 {
		s.unit = lead[i+1:]
	}
	s.inline = !bytes.ContainsRune(root.text(data), '\n')
	if s.inline && data[first.value.start-1] == ':' {
		s.space = ""
	}
	return s
}

// newlineOf returns the first line ending of a text.
func newlineOf(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// insert adds a value at the end of an object (with its key) or list, in the style of the text. All other bytes stay,
// except blanks in an empty one.
func (s style) insert(data []byte, parent *node, key string, value any) ([]byte, error) {
	body := data[parent.start:parent.end]
	if len(parent.members) == 0 {
		if s.inline {
			text, err := s.render(key, value, "", false)
			return splice(data, parent.start+1, parent.end-1, text), err
		}
		indent := lineIndent(data, parent.start)
		text, err := s.render(key, value, indent+s.unit, true)
		return splice(data, parent.start+1, parent.end-1, s.newline+indent+s.unit+text+s.newline+indent), err
	}
	at := parent.members[len(parent.members)-1].value.end
	lead := string(data[parent.start+1 : parent.members[0].start])
	if i := strings.LastIndexByte(lead, '\n'); i >= 0 {
		text, err := s.render(key, value, lead[i+1:], true)
		return splice(data, at, at, ","+s.newline+lead[i+1:]+text), err
	}
	text, err := s.render(key, value, lineIndent(data, parent.start), bytes.ContainsRune(body, '\n'))
	return splice(data, at, at, ","+s.space+text), err
}

// remove removes a member, and the comma that it no longer needs.
func remove(data []byte, parent *node, i int) []byte {
	m := parent.members
	switch {
	case len(m) == 1:
		return splice(data, parent.start+1, parent.end-1, "")
	case i > 0:
		return splice(data, m[i-1].value.end, m[i].value.end, "")
	}
	return splice(data, m[0].start, m[1].start, "")
}

// render formats a value, after its key if it has one: over several indented lines, or in one.
func (s style) render(key string, value any, indent string, lines bool) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if lines {
		e.SetIndent(indent, s.unit)
	}
	if err := e.Encode(value); err != nil {
		return "", err
	}
	text := strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", s.newline)
	if key == "" {
		return text, nil
	}
	name, err := json.Marshal(key)
	return string(name) + ":" + s.space + text, err
}

// lineIndent returns the blanks at the start of the line of a place.
func lineIndent(data []byte, at int) string {
	line := data[bytes.LastIndexByte(data[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// splice returns data with text instead of data[from:to].
func splice(data []byte, from, to int, text string) []byte {
	out := make([]byte, 0, len(data)-(to-from)+len(text))
	out = append(out, data[:from]...)
	out = append(out, text...)
	return append(out, data[to:]...)
}
