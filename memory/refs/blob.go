package refs

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // it is git's
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
)

// Blob returns git's id of a content, in the hash of repositories with ids of that many hex digits:
// 64 is SHA-256, anything else SHA-1.
func Blob(content []byte, digits int) string {
	var h hash.Hash
	if digits == 2*sha256.Size {
		h = sha256.New()
	} else {
		h = sha1.New() //nolint:gosec // it is git's
	}
	h.Write([]byte("blob " + strconv.Itoa(len(content)) + "\x00"))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// IsBlob reports whether a file with this content is the one that git has as blob: as it is, with "\n"
// line ends, or as what git-lfs keeps in its place. Which of them git would make depends on attributes
// and settings, but a file is unchanged if it is any of them.
func IsBlob(content []byte, blob string) bool {
	if Blob(content, len(blob)) == blob {
		return true
	}
	if bytes.Contains(content, []byte("\r\n")) && Blob(unixLines(content), len(blob)) == blob {
		return true
	}
	return Blob(Pointer(content), len(blob)) == blob
}

// Pointer returns what git-lfs keeps in git of a file.
func Pointer(content []byte) []byte {
	if len(content) == 0 {
		return nil // git-lfs leaves an empty file as it is
	}
	sum := sha256.Sum256(content)
	return []byte("version https://git-lfs.github.com/spec/v1\noid sha256:" + hex.EncodeToString(sum[:]) + "\nsize " +
		strconv.Itoa(len(content)) + "\n")
}

func unixLines(content []byte) []byte { return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")) }

// Attributes say how a file gets into git, according to git's attributes and settings.
type Attributes struct {
	Text   string // the attribute text: "set", "unset", "auto", or empty
	EOL    string // the attribute eol: "lf", "crlf", or empty
	Filter string // the name of a filter; empty: none
	Other  bool   // there is a conversion that this package does not do: ident, working-tree-encoding

	// AutoCRLF is the setting core.autocrlf: "true", "input", or anything else for false.
	AutoCRLF string
}

// lfsFilter is the name of the filter of git-lfs.
const lfsFilter = "lfs"

// Convert returns what git would keep of a file. exact is false if only a program, or a conversion that
// this package does not do, can tell: the content is then returned as it is.
func Convert(content []byte, a Attributes) (kept []byte, exact bool) {
	pointer := []byte("version https://git-lfs.github.com/spec/v1\n")
	switch {
	case a.Filter == lfsFilter && (len(content) >= 1024 || !bytes.HasPrefix(content, pointer)):
		return Pointer(content), true
	case a.Filter == lfsFilter:
		return content, true
	case a.Filter != "" || a.Other:
		return content, false
	}
	auto := a.Text == "auto"
	switch {
	case a.Text == "unset":
		return content, true
	case a.Text == "" && a.EOL == "":
		if auto = a.AutoCRLF == "true" || a.AutoCRLF == "input"; !auto {
			return content, true
		}
	}
	if auto && isBinary(content) || !bytes.Contains(content, []byte("\r\n")) {
		return content, true
	}
	return unixLines(content), true
}

// isBinary reports whether git takes a content for binary when it has to guess whether to convert line
// ends: for a NUL byte, a carriage return alone, or more than one unprintable byte in 128.
func isBinary(content []byte) bool {
	printable, unprintable := 0, 0
	for i, c := range content {
		switch {
		case c == 0:
			return true
		case c == '\r':
			if i+1 == len(content) || content[i+1] != '\n' {
				return true
			}
		case c == '\n':
		case c == 127, c < 32 && c != '\b' && c != '\t' && c != 0x1b && c != '\f':
			unprintable++
		default:
			printable++
		}
	}
	if n := len(content); n > 0 && content[n-1] == 0x1a {
		unprintable--
	}
	return printable>>7 < unprintable
}
