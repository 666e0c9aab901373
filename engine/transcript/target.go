package transcript

import "bytes"

// hash is FNV-1a. 32 bits are enough, because a hash is only compared with a few dozen others.
func hash(parts ...[]byte) uint32 {
	h := uint32(2166136261)
	for _, p := range parts {
		for _, b := range p {
			h = (h ^ uint32(b)) * 16777619
		}
		h = (h ^ 0xff) * 16777619 // not a byte of UTF-8: separates the parts
	}
	return h
}

// Target returns the hash of a call's target, which a failure and its retry have in common; see the
// package documentation. input is the call's input, as JSON.
func Target(tool string, input []byte) uint32 { return target([]byte(tool), input) }

// target is [Target] of a raw tool name. Strings are compared raw: the client always escapes them in the same way.
func target(tool, input []byte) uint32 {
	c := cursor{b: input}
	if c.peek() != '{' {
		return hash(tool, input)
	}
	var about []byte
	best, all := nothing, uint32(0)
	c.object(func(key []byte) bool {
		value := c.value()
		all += hash(key, value) // independent of their order
		if rank := subject(key); rank < best && len(value) > 2 && value[0] == '"' {
			about, best = value[1:len(value)-1], rank
		}
		return true
	})
	switch best {
	case nothing:
		return hash(tool) ^ all
	case command:
		return hash(append([][]byte{tool}, words(about)...)...)
	}
	return hash(tool, about)
}

// The fields of an input that can be the target, in order of preference.
const (
	filePath = iota
	notebookPath
	command
	pattern
	url
	nothing
)

func subject(key []byte) int {
	switch string(key) {
	case "file_path":
		return filePath
	case "notebook_path":
		return notebookPath
	case "command":
		return command
	case "pattern":
		return pattern
	case "url":
		return url
	}
	return nothing
}

// longCommand bounds how much of a command line is read, in bytes.
const longCommand = 1000

// words returns what a command line runs: its first word and, unless that is a flag, the second. It
// skips a leading change of directory and variables: "cd api && CI=1 go test -run X" is "go test".
func words(line []byte) [][]byte {
	line = line[:min(len(line), longCommand)]
	for _, end := range [...]string{`\n`, "&&", ";"} {
		line = bytes.ReplaceAll(line, []byte(end), []byte(" ; "))
	}
	fields := bytes.Fields(bytes.ReplaceAll(line, []byte(`\t`), []byte(" ")))
	for len(fields) > 3 && string(fields[0]) == "cd" && string(fields[2]) == ";" {
		fields = fields[3:]
	}
	var found [][]byte
	for _, f := range fields {
		end := bytes.IndexAny(f, ";|&<>()")
		word := f
		if end >= 0 {
			word = f[:end]
		}
		if len(found) == 0 && bytes.IndexByte(word, '=') > 0 {
			continue
		}
		if len(word) > 0 && (len(found) == 0 || word[0] != '-') {
			found = append(found, word)
		} else {
			break
		}
		if end >= 0 || len(found) == 2 {
			break
		}
	}
	return found
}
