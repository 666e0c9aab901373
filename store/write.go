package store

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"ltm/internal/busyfile"
	"ltm/memory"
)

const (
	filePerm = 0o644
	dirPerm  = 0o755

	// tempMark begins the name of every temporary file; git ignores them and
	// scans pass over them.
	tempMark = "."

	// tempBytes is how many random bytes end the name of one.
	tempBytes = 6

	// tempAge is how old a temporary file that was written without the lock must
	// be to count as left behind by a process that was killed.
	tempAge = 10 * time.Minute
)

// replaceFast replaces a file atomically but without waiting for the disk. It is
// for what may be lost with the power: counters and caches.
func replaceFast(root *os.Root, name string, data []byte) error {
	return replaceBy(root, name, name, data)
}

// replaceBy is replaceFast with the name from which that of the temporary file is
// made: in a directory that is swept, and so that it is known as the store's own.
func replaceBy(root *os.Root, beside, name string, data []byte) error {
	tmp, err := tempName(beside)
	if err != nil {
		return err
	}
	if err := createFile(root, tmp, data, filePerm, false); err != nil {
		return err
	}
	if err := busyfile.Rename(root, tmp, name); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	return nil
}

// createFile writes a file that must not exist yet; durable waits for the disk.
// Half a file is removed again.
func createFile(root *os.Root, name string, data []byte, perm os.FileMode, durable bool) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && durable {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = root.Remove(name)
	}
	return err
}

func tempName(name string) (string, error) {
	var b [tempBytes]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return path.Join(path.Dir(name), tempMark+path.Base(name)+"."+hex.EncodeToString(b[:])), nil
}

// readBounded reads a regular file of at most limit bytes.
func readBounded(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := busyfile.Lstat(root, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errNotRegular}
	}
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
	}
	f, err := busyfile.Open(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// The size is only a first guess: the file may change while it is read.
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(data.Len()) > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
	}
	return data.Bytes(), nil
}

// sweepTemps removes temporary files that killed processes left in a folder.
// The lock is held: no living process writes one there.
func sweepTemps(root *os.Root) {
	sweep(root, anyAge)
}

func anyAge(fs.FileInfo) bool { return true }

// sweepCache removes those of the cache, which is written without the lock: only
// an old one was left behind.
func sweepCache(dir *os.Root, now time.Time) {
	if dir != nil {
		sweep(dir, isOld(now))
	}
}

// sweepPerson removes those of the secret that a person's stores outside of git
// share, each of which has a lock of its own.
func sweepPerson(p Places, now time.Time) {
	if !p.Local || p.Key == "" {
		return
	}
	root, err := openPath(filepath.Dir(p.Key))
	if err != nil {
		return
	}
	defer root.Close()
	old, mark := isOld(now), tempMark+filepath.Base(p.Key)+"."
	sweep(root, func(info fs.FileInfo) bool { return strings.HasPrefix(info.Name(), mark) && old(info) })
}

// isOld tells files that no living process is still writing.
func isOld(now time.Time) func(fs.FileInfo) bool {
	return func(info fs.FileInfo) bool { return now.Sub(info.ModTime()).Abs() > tempAge }
}

func sweep(root *os.Root, old func(fs.FileInfo) bool) {
	dir, err := root.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	_ = eachName(dir, func(name string) bool {
		if isTemp(name) {
			removeTemps(root, []string{name}, old)
		}
		return true
	})
}

// removeTemps removes temporary files that are old enough.
func removeTemps(root *os.Root, names []string, old func(fs.FileInfo) bool) {
	for _, name := range names {
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && isTemp(name) && old(info) {
			_ = root.Remove(name)
		}
	}
}

// isTemp tells temporary files from other dot files, such as those of editors:
// a dot, the name of a file of the store, and what tempName or renameio puts
// after it.
func isTemp(name string) bool {
	rest, ok := strings.CutPrefix(name, tempMark)
	if !ok {
		return false
	}
	if base := strings.TrimRight(rest, "0123456789"); base != rest && isOwn(base) {
		return true
	}
	i := strings.LastIndexByte(rest, '.')
	if i < 0 || !isOwn(rest[:i]) {
		return false
	}
	tail, err := hex.DecodeString(rest[i+1:])
	return err == nil && len(tail) == tempBytes
}

// isOwn says whether a name is one that the store writes.
func isOwn(name string) bool {
	switch name {
	case indexFile, statsFile, stateFile, trustFile, keyName, configFile, logFile, undoFile, ignoreFile, attributesFile:
		return true
	}
	_, _, ok := memory.ParseArchiveName(name)
	return ok || strings.HasSuffix(name, cacheExt) || isSum(name)
}
