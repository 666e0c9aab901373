package mcp

import "encoding/json"

// LongLineID returns the id that a longLine finds in a line read in pieces of a size.
func LongLineID(line string, piece int) []byte {
	var l longLine
	piece = max(1, piece)
	for ; len(line) > piece; line = line[piece:] {
		l.read([]byte(line[:piece]))
	}
	l.read([]byte(line))
	return l.known()
}

// Schemas returns the input schema of every tool by name, unlisted tools included.
func Schemas(e Engine, p Packets) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, t := range tools(e, p, "") {
		all[t.tool.Name] = t.tool.RawInputSchema
	}
	return all
}
