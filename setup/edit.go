package setup

import (
	"bytes"
	"encoding/json"
	"strings"
)

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
