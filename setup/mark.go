package setup

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
)

// A file that ltm writes whole says so in one line, with a checksum of all other lines: every clone can tell if a
// person changed it.
const markText = `written by "ltm init" `

// markSize is the length of the checksum in the line, in hexadecimal digits.
const markSize = 12

// script is a file in JavaScript, with the line as a comment.
func script(body []byte) []byte {
	return append([]byte("// "+markText+checksum(body)+"; a copy that is edited is left alone\n"), body...)
}

// marked adds the line: to the front matter if there is one, else as a comment at the end.
func marked(body []byte) []byte {
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	mark := markText + checksum(body) + "; a copy that is edited is left alone"
	if rest, ok := bytes.CutPrefix(body, []byte("---\n")); ok {
		return append([]byte("---\n# "+mark+"\n"), rest...)
	}
	return append(bytes.Clone(body), "<!-- "+mark+" -->\n"...)
}

func checksum(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])[:markSize]
}

// origin is the author of a file that may be ltm's.
type origin int

const (
	unmarked origin = iota // ltm did not write it
	edited                 // ltm wrote it, and a person changed it
	pristine               // as ltm wrote it
)

// originOf reads a file's mark. It ignores line endings, which git may change.
func originOf(data []byte) origin {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	var body []byte
	sum := ""
	for line := range bytes.Lines(data) {
		if _, rest, ok := strings.Cut(string(line), markText); ok && sum == "" {
			sum = rest[:min(len(rest), markSize)]
			continue
		}
		body = append(body, line...)
	}
	switch sum {
	case "":
		return unmarked
	case checksum(body):
		return pristine
	}
	return edited
}

//go:embed readme.txt
var readmeText string
