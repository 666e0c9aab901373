package longline

import "encoding/json"

// IDOf returns the id that is found in a line that is too long, read in pieces of a size.
func IDOf(line string, piece int) json.RawMessage {
	var m message
	piece = max(1, piece)
	for ; len(line) > piece; line = line[piece:] {
		m.read([]byte(line[:piece]))
	}
	m.read([]byte(line))
	return m.known()
}
