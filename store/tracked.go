package store

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxGitIndexBytes bounds what is read of git's index, once in a clone's life.
const maxGitIndexBytes = 256 << 20

// untracked says whether a file of the store is this clone's own: git does not
// track it. Where that cannot be told (no git work tree, an index of a form that
// does not list its paths in full) the answer is no.
func (s *Store) untracked(name string) bool {
	if s.override {
		return false
	}
	top := gitTop(filepath.Dir(filepath.Dir(s.dir)))
	if top == "" {
		return false
	}
	rel, err := filepath.Rel(top, filepath.Join(s.dir, name))
	if err != nil {
		return false
	}
	dir := filepath.Join(top, ".git")
	if info, err := os.Lstat(dir); err != nil {
		return false
	} else if !info.IsDir() {
		if dir = linkedDir(dir); dir == "" {
			return false
		}
	}
	root, err := openPath(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	if parts, err := fs.Glob(root.FS(), "sharedindex.*"); err != nil || len(parts) > 0 {
		return false
	}
	index, err := readBounded(root, "index", maxGitIndexBytes)
	if os.IsNotExist(err) {
		return true // nothing was ever added
	}
	return err == nil && listsInFull(index) && !lists(index, filepath.ToSlash(rel))
}

// listsInFull says whether an index of git's holds every path as it is: version
// 4 shortens them.
func listsInFull(index []byte) bool {
	const head = 12 // "DIRC", version, number of entries
	if len(index) < head || string(index[:4]) != "DIRC" {
		return false
	}
	version := binary.BigEndian.Uint32(index[4:])
	return version == 2 || version == 3
}

// lists says whether an index has a path, in any case: there are file systems on
// which they are all the same file.
func lists(index []byte, path string) bool {
	return bytes.Contains(bytes.ToLower(index), []byte(strings.ToLower(path)+"\x00"))
}
