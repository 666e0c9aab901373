package gitdir

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// maxObjectBytes is the size limit of the objects that are read.
const maxObjectBytes = 16 << 20

// Files are the files of one directory in a commit.
type Files struct {
	clone Clone
	ids   map[string]string
}

// Files returns the files that a directory has in a commit. dir is relative to the top, with slashes. ok is false if
// git has packed one of the objects that say it, which only git reads. That is not so soon after the commit.
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

// Has reports whether the clone has an object: in a file of its own, or in a pack with an index of version 2. Objects
// that it borrows from other clones are not looked for.
func (c Clone) Has(id string) bool {
	if !IsObjectID(id) {
		return false
	}
	objects := filepath.Join(c.Common, "objects")
	if info, err := os.Stat(filepath.Join(objects, id[:2], id[2:])); err == nil {
		return info.Mode().IsRegular()
	}
	packs := filepath.Join(objects, "pack")
	entries, _ := os.ReadDir(packs)
	name, _ := hex.DecodeString(id)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".idx") && isIndexed(filepath.Join(packs, e.Name()), name)
	})
}

// isIndexed reports whether the index of a pack has an object (gitformat-pack(5)): after 8 bytes, 256 counts of
// the names up to each first byte, and then the names in order.
func isIndexed(path string, name []byte) bool {
	const head, counts = 8, 256 * 4
	f, err := OpenRegular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, head+counts)
	if _, err := io.ReadFull(f, start); err != nil || !bytes.HasPrefix(start, []byte("\377tOc\x00\x00\x00\x02")) {
		return false
	}
	upTo := func(first int) int {
		if first < 0 {
			return 0
		}
		return int(binary.BigEndian.Uint32(start[head+4*first:]))
	}
	from, to := upTo(int(name[0])-1), upTo(int(name[0]))
	found := make([]byte, len(name))
	at := from + sort.Search(max(0, to-from), func(i int) bool {
		_, err = f.ReadAt(found, head+counts+int64(from+i)*int64(len(name)))
		return err != nil || bytes.Compare(found, name) >= 0
	})
	_, err = f.ReadAt(found, head+counts+int64(at)*int64(len(name)))
	return at < to && err == nil && bytes.Equal(found, name)
}

// object returns the content of an object that has a file of its own.
func (c Clone) object(id, kind string) (data []byte, ok bool) {
	if !IsObjectID(id) {
		return nil, false
	}
	f, err := OpenRegular(filepath.Join(c.Common, "objects", id[:2], id[2:]))
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
