package transcript

import "bytes"

// hash is FNV-1a. 32 bits are enough where a hash is compared with some dozens
// of others.
func hash(parts ...[]byte) uint32 {
	h := uint32(2166136261)
	for _, p := range parts {
		for _, b := range p {
			h = (h ^ uint32(b)) * 16777619
		}
		h = (h ^ 0xff) * 16777619 // no byte of UTF-8: parts do not run together
	}
	return h
}

// Target names what a call of a tool is about, as a failure and its retry have it
// in common; see the package's documentation. input is the call's, as JSON.
func Target(tool string, input []byte) uint32 { return target([]byte(tool), input) }

// target names what a call is about, see the package's documentation. Strings
// are compared as the client writes them, which is always the same way.
func target(tool, input []byte) uint32 {
	c := cursor{b: input}
	if c.peek() != '{' {
		return hash(tool, input)
	}
	var about []byte
	best, all := nothing, uint32(0)
	c.object(func(key []byte) bool {
		value := c.value()
		all += hash(key, value) // whatever the order
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

// The fields of an input that say what a call is about, the best first.
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

// longCommand is how much of a command line is looked at, in bytes.
const longCommand = 1000

// words returns what a command line runs: its first word and, unless that is a
// flag, the second. A change of folder before it and variables set for it are
// passed over: "cd api && CI=1 go test -run X" is "go test".
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
