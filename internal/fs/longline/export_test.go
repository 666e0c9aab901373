package longline

import "encoding/json"

// IDOf returns the id that is found in a line that is too long.
func IDOf(line string) json.RawMessage {
	return idOf([]byte(line[:min(len(line), maxEnd)]), []byte(line[max(0, len(line)-maxEnd):]))
}
