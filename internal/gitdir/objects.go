package gitdir

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"path/filepath"
	"strings"
)

// maxObjectBytes is the size limit of the objects that are read.
const maxObjectBytes = 16 << 20

// Files are the files of one directory in a commit.
type Files struct {
	clone Clone
	ids   map[string]string
}

// Files returns the files that a directory has in a commit. dir is relative to the top, with slashes. ok is
// false if git has packed one of the objects that say it, which only git reads. That is not so soon after the
// commit.
func (c Clone) Files(commit, dir string) (files Files, ok bool) {
	data, ok := c.object(commit, "commit")
	first, _, _ := strings.Cut(string(data), "\n")
	id, isTree := strings.CutPrefix(first, "tree ")
	if !ok || !isTree {
		return Files{}, false
	}
	entries, ok := c.tree(id)
	for name := range strings.SplitSeq(dir, "/") {
		if !ok || entries[name] == "" {
			return Files{}, ok
		}
		entries, ok = c.tree(entries[name])
	}
	return Files{c, entries}, ok
}

// Read returns the content of a file. ok is false if there is no such file, or git has packed it.
func (f Files) Read(name string) (data []byte, ok bool) { return f.clone.object(f.ids[name], "blob") }

// tree returns the ids of the entries of a directory.
func (c Clone) tree(id string) (ids map[string]string, ok bool) {
	data, ok := c.object(id, "tree")
	ids = map[string]string{}
	for size := len(id) / 2; ok && len(data) > 0; {
		_, rest, found := bytes.Cut(data, []byte(" "))
		name, rest, ended := bytes.Cut(rest, []byte{0})
		if !found || !ended || len(rest) < size {
			return nil, false
		}
		ids[string(name)] = hex.EncodeToString(rest[:size])
		data = rest[size:]
	}
	return ids, ok
}

// object returns the content of an object that has a file of its own.
func (c Clone) object(id, kind string) (data []byte, ok bool) {
	if !IsObjectID(id) {
		return nil, false
	}
	f, err := openRegular(filepath.Join(c.Common, "objects", id[:2], id[2:]))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	z, err := zlib.NewReader(f)
	if err != nil {
		return nil, false
	}
	data, err = io.ReadAll(io.LimitReader(z, maxObjectBytes))
	header, data, ended := bytes.Cut(data, []byte{0})
	return data, err == nil && ended && len(data) < maxObjectBytes-len(header)-1 &&
		strings.HasPrefix(string(header), kind+" ")
}
