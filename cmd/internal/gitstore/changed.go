package gitstore

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ltm/internal/fs/regular"
)

const (
	// maxCompared is the size of a file that is read to compare it with git's. A larger one whose
	// time differs counts as changed.
	maxCompared = 16 << 20

	// maxComparedAll bounds how much is read for one answer. Files after that count as changed.
	maxComparedAll = 256 << 20
)

// tracked is a file in git's index.
type tracked struct {
	path    string
	mode    string // in octal digits, such as 100644
	object  string
	changed time.Time // when the file was last looked at: its modification time then
	size    uint32    // its size then, the lowest 32 bits
	ignored bool      // git was told to take the file for unchanged, or not to check it out
}

// The modes of links and of other repositories.
const (
	linkMode       = "120000"
	repositoryMode = "160000"
)

// parseIndex parses what git ls-files -z -v --stage --debug prints: "H MODE OBJECT STAGE\tPATH\0",
// and then lines with two blanks at their beginning. Whatever is not in that form ends it.
func parseIndex(out []byte) []tracked {
	var found []tracked
	for len(out) > 0 {
		head, rest, ok := bytes.Cut(out, []byte{0})
		facts, path, tabbed := strings.Cut(string(head), "\t")
		fields := strings.Fields(facts)
		if !ok || !tabbed || len(fields) != 4 || len(fields[0]) != 1 {
			return found
		}
		t := tracked{path: path, mode: fields[1], object: fields[2]}
		// A lower-case letter: assumed to be unchanged. S: not checked out.
		t.ignored = fields[0] == "S" || fields[0] != strings.ToUpper(fields[0])
		for bytes.HasPrefix(rest, []byte("  ")) {
			var line []byte
			line, rest, _ = bytes.Cut(rest, []byte("\n"))
			t.note(strings.Fields(string(line)))
		}
		found = append(found, t)
		out = rest
	}
	return found
}

// note takes a line of facts, such as "size: 5 flags: 0".
func (t *tracked) note(words []string) {
	if len(words) < 2 {
		return
	}
	switch words[0] {
	case "mtime:":
		seconds, rest, _ := strings.Cut(words[1], ":")
		s, err := strconv.ParseInt(seconds, 10, 64)
		n, nanoErr := strconv.ParseInt(rest, 10, 64)
		if err == nil && nanoErr == nil {
			t.changed = time.Unix(s, n)
		}
	case "size:":
		size, _ := strconv.ParseUint(words[1], 10, 32)
		t.size = uint32(size)
	}
}

// modified returns when a file was modified, or the zero time.
func modified(path string) time.Time {
	info, err := os.Lstat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// comparer compares files of a work tree with git's.
type comparer struct {
	root    *os.Root
	written time.Time // when git wrote the index
	left    int64     // bytes that may still be read
}

// changedFiles returns the paths of files that differ from those in the index. It stops when the
// context ends.
func changedFiles(ctx context.Context, top string, written time.Time, index []tracked) []string {
	root, err := regular.OpenPath(top)
	if err != nil {
		return nil
	}
	defer root.Close()
	c := &comparer{root: root, written: written, left: maxComparedAll}
	var found []string
	for _, t := range index {
		if ctx.Err() != nil {
			break
		}
		if !t.ignored && t.mode != repositoryMode && c.differs(t) {
			found = append(found, t.path)
		}
	}
	return found
}

func (c *comparer) differs(t tracked) bool {
	name := filepath.FromSlash(t.path)
	info, err := c.root.Lstat(name)
	if err != nil {
		return true // gone, or behind a link
	}
	if info.Mode().Type() == fs.ModeSymlink {
		target, err := c.root.Readlink(name)
		return err != nil || t.mode != linkMode || objectOf(t.object, []byte(filepath.ToSlash(target))) != t.object
	}
	if !info.Mode().IsRegular() {
		return true
	}
	if c.looksSame(t, info) {
		return false
	}
	if info.Size() > min(maxCompared, c.left) {
		return true
	}
	data, err := regular.Read(c.root, name, maxCompared)
	if err != nil {
		return true
	}
	c.left -= int64(len(data))
	return objectOf(t.object, data) != t.object &&
		objectOf(t.object, bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))) != t.object
}

// looksSame reports whether a file has the size and the time that git noted. If it was written at
// the moment when git wrote the index or after, that proves nothing.
func (c *comparer) looksSame(t tracked, info fs.FileInfo) bool {
	at := info.ModTime()
	if t.changed.Nanosecond() == 0 { // git may have been built without fractions
		at = at.Truncate(time.Second)
	}
	return at.Equal(t.changed) && uint32(info.Size()) == t.size && info.ModTime().Before(c.written)
}

// objectOf returns the id that git gives a file's content, in the form of another id.
func objectOf(like string, data []byte) string {
	var h hash.Hash = sha1.New()
	if len(like) == hex.EncodedLen(sha256.Size) {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}
