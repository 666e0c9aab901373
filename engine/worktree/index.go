package worktree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ltm/internal/git/gitindex"
)

// index is what git's index says of some paths and ids.
type index struct {
	data  []byte
	stamp stamp // of its file
}

// readIndex reads git's index. Outside of git, ok is false. Before the first file is added, the index is empty.
func readIndex(gitDir string, limit int64) (index, bool) {
	s, ok := indexStamp(gitDir)
	if !ok && gitDir != "" {
		_, err := os.Lstat(filepath.Join(gitDir, "index"))
		return index{}, errors.Is(err, fs.ErrNotExist)
	}
	if !ok || s.size > limit {
		return index{}, false
	}
	f, err := os.Open(filepath.Join(gitDir, "index"))
	if err != nil {
		return index{}, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return index{data, s}, err == nil
}

// indexStamp returns the stamp of git's index.
func indexStamp(gitDir string) (stamp, bool) {
	if gitDir == "" {
		return stamp{}, false
	}
	info, err := os.Lstat(filepath.Join(gitDir, "index"))
	if err != nil || !info.Mode().IsRegular() {
		return stamp{}, false
	}
	return stampOf(info), true
}

// same reports whether a file is as git last saw it. One that changed as late as the index was written
// may have changed after it.
func (x index) same(e gitindex.Entry, s stamp) bool {
	at := time.Unix(int64(e.Sec), int64(e.Nano))
	now := time.Unix(0, s.modTime)
	if e.Nano == 0 {
		now = now.Truncate(time.Second)
	}
	return e.Size == uint32(s.size) && uint32(at.Unix()) == uint32(now.Unix()) && at.Nanosecond() == now.Nanosecond() &&
		(e.Inode == 0 || s.inode == 0 || e.Inode == uint32(s.inode)) && s.modTime < x.stamp.modTime
}
