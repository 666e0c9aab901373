package mcp

// LongLineID returns the id that is found in a line read in pieces of a size.
func LongLineID(line string, piece int) []byte {
	var l longLine
	piece = max(1, piece)
	for ; len(line) > piece; line = line[piece:] {
		l.read([]byte(line[:piece]))
	}
	l.read([]byte(line))
	return l.known()
}
