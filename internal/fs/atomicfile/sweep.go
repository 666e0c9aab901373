package atomicfile

import (
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"strings"
)

// TempOf returns the name of the file that a temporary file was to replace. ok is false for a name
// that a temporary file cannot have. Other programs have such dot files too, so callers must also
// check that target is a name that they write.
func TempOf(name string) (target string, ok bool) {
	rest, hidden := strings.CutPrefix(name, ".")
	if !hidden || strings.ContainsRune(name, '/') {
		return "", false
	}
	if i := strings.LastIndexByte(rest, '.'); i > 0 {
		tail, err := hex.DecodeString(rest[i+1:])
		if err == nil && len(tail) == tempBytes {
			return rest[:i], true
		}
	}
	target = strings.TrimRight(rest, "0123456789")
	return target, target != "" && target != "." && target != rest
}

// Sweep removes from a directory the temporary files for which stale returns true, given the name
// of the file that each was to replace. It is best effort.
func Sweep(root *os.Root, dir string, stale func(target string, info fs.FileInfo) bool) {
	f, err := root.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			RemoveTemp(root, path.Join(dir, name), stale)
		}
		if err != nil || len(names) == 0 {
			return
		}
	}
}

// RemoveTemp removes a file if it is a temporary one for which stale returns true.
func RemoveTemp(root *os.Root, name string, stale func(target string, info fs.FileInfo) bool) {
	target, ok := TempOf(path.Base(name))
	if !ok {
		return
	}
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && stale(target, info) {
		_ = root.Remove(name)
	}
}
