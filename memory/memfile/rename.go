package memfile

import (
	"slices"
	"strings"

	"ltm/memory"
)

// Renamed returns a file with another id wherever its header names an odd one (see [memory.IsOddID]):
// as its own id, and in its links. All other bytes stay.
func Renamed(data []byte, odd string, id memory.ID) []byte {
	f := located(data)
	for _, key := range slices.Backward(f.header.keys) {
		switch key.name {
		case keyID, keySupersedes, keyDisputes, keyRelated:
		default:
			continue
		}
		value := string(data[key.lines.start:max(key.lines.start, key.lines.end)])
		if now := replaceWord(value, odd, string(id)); now != value {
			data = slices.Concat(data[:key.lines.start], []byte(now), data[key.lines.end:])
		}
	}
	return data
}

// OddID returns the id in a file's header if it is odd, or "".
func OddID(data []byte) string {
	f := located(data)
	key := f.header.find(keyID)
	if key == nil {
		return ""
	}
	root, err := f.table.decode(string(data[key.lines.start:max(key.lines.start, key.lines.end)]))
	if err != nil || len(root.Content) != 2 || !memory.IsOddID(root.Content[1].Value) {
		return ""
	}
	return root.Content[1].Value
}

// located returns a file with the places of the keys in its header, if they can be told.
func located(data []byte) *File {
	f := &File{table: fields(), raw: data, eol: lineEnd(data)}
	if len(data) > MaxFileBytes || memory.HasConflict(string(data)) {
		return f
	}
	if at, err := f.splitHeader(); err == nil {
		_ = f.readHeader(at) // it fails at an odd id, which it has found
	}
	if f.header.flow {
		f.header.keys = nil // which are not lines
	}
	return f
}

// replaceWord replaces a word that no letter, digit or "_" continues.
func replaceWord(s, old, with string) string {
	isPart := func(r rune) bool {
		return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	var b strings.Builder
	for {
		at := strings.Index(s, old)
		if at < 0 {
			return b.String() + s
		}
		end := at + len(old)
		b.WriteString(s[:at])
		if strings.TrimRightFunc(s[:at], isPart) == s[:at] && strings.TrimLeftFunc(s[end:], isPart) == s[end:] {
			b.WriteString(with)
		} else {
			b.WriteString(old)
		}
		s = s[end:]
	}
}
