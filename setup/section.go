package setup

import (
	"bytes"
	_ "embed"
	"strings"

	"ltm/memory"
)

// marks are the lines around what ltm adds to a text, and that.
type marks struct{ begin, end, text string }

// inMarkdown is the section for the model.
func inMarkdown() marks { return marks{"<!-- ltm:begin -->", "<!-- ltm:end -->", sectionText} }

// sectionPiece is that section in a file.
func sectionPiece(path string) piece {
	m := inMarkdown()
	return piece{path: path, what: "a section on when to recall and what to store", merge: m.merge, strip: m.remove}
}

// inTOML is a part of a TOML file. It ends the file, so that nothing else gets into its last table.
func inTOML(text string) marks { return marks{"# ltm:begin", "# ltm:end", text} }

// sectionText is what the section says to the model.
//
//go:embed section.txt
var sectionText string

// section is the marked part of a file: data[from:to], markers included.
type section struct{ from, to int }

// find finds the section, or nil. Markers that do not make exactly one pair are refused.
func (m marks) find(name string, data []byte) (*section, error) {
	var found *section
	open := -1
	at := 0
	for line := range bytes.Lines(data) {
		switch strings.TrimSpace(string(line)) {
		case m.begin:
			if open >= 0 || found != nil {
				return nil, refuse(name, data, at, "a second "+m.begin)
			}
			open = at + bytes.Index(line, []byte(m.begin))
		case m.end:
			if open < 0 {
				return nil, refuse(name, data, at, m.end+" without "+m.begin)
			}
			found = &section{open, at + bytes.Index(line, []byte(m.end)) + len(m.end)}
			open = -1
		}
		at += len(line)
	}
	if open >= 0 {
		return nil, refuse(name, data, open, m.begin+" without "+m.end)
	}
	return found, nil
}

// merge appends the section to a file, or updates the one that is there. A file without a final newline stays
// without one.
func (m marks) merge(name string, data []byte) ([]byte, memory.Note, error) {
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, nil, memory.NewError(memory.CodeConflict, memory.KindSetupText, name,
			"%s is not a text that can be added to", name)
	}
	found, err := m.find(name, data)
	if err != nil {
		return nil, nil, err
	}
	newline := newlineOf(data)
	text := strings.ReplaceAll(m.begin+"\n"+m.text+m.end, "\n", newline)
	switch {
	case found != nil && sameText(data[found.from:found.to], text):
		return data, nil, nil
	case found != nil:
		return splice(data, found.from, found.to, text), nil, nil
	case len(data) == 0:
		return []byte(text + newline), nil, nil
	case bytes.HasSuffix(data, []byte("\n")):
		return splice(data, len(data), len(data), newline+text+newline), nil, nil
	}
	return splice(data, len(data), len(data), newline+newline+text), nil, nil
}

// sameText compares texts up to line endings.
func sameText(a []byte, b string) bool {
	return strings.ReplaceAll(string(a), "\r\n", "\n") == strings.ReplaceAll(b, "\r\n", "\n")
}

// remove removes the section, with the line breaks that came with it.
func (m marks) remove(name string, data []byte) ([]byte, error) {
	found, err := m.find(name, data)
	if err != nil || found == nil {
		return data, err
	}
	newline := newlineOf(data[found.from:])
	before, after := data[:found.from], data[found.to:]
	rest, ended := bytes.CutPrefix(after, []byte(newline))
	before = bytes.TrimSuffix(before, []byte(newline))
	if !ended && len(after) == 0 {
		before = bytes.TrimSuffix(before, []byte(newline))
	}
	return splice(before, len(before), len(before), string(rest)), nil
}
