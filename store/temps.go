package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
	"ltm/memory"
)

const (
	// tempMark begins the name of every temporary file; git ignores them, and scans
	// skip them.
	tempMark = "."

	// tempAge is how old a temporary file that was written without the lock must
	// be to count as left behind by a process that was killed.
	tempAge = 10 * time.Minute
)

// isTemp tells temporary files from other dot files, such as those of editors.
func isTemp(name string) bool {
	target, ok := atomicfile.TempOf(name)
	return ok && isOwn(target)
}

// isOwn reports whether a name is one that the store writes.
func isOwn(name string) bool {
	switch name {
	case indexFile, statsFile, stateFile, trustFile, keyName, configFile, logFile, undoFile, ignoreFile, attributesFile:
		return true
	}
	_, _, ok := memory.ParseArchiveName(name)
	return ok || strings.HasSuffix(name, cacheExt) || isSum(name)
}

// sweepTemps removes temporary files that killed processes left in a directory. The
// lock is held: no living process writes one there.
func sweepTemps(root *os.Root) { atomicfile.Sweep(root, ".", ofAnyAge) }

func ofAnyAge(target string, _ fs.FileInfo) bool { return isOwn(target) }

// sweepCache removes those of the cache, which is written without the lock: only
// an old one was left behind.
func sweepCache(dir *os.Root, now time.Time) {
	if dir == nil {
		return
	}
	atomicfile.Sweep(dir, ".", func(target string, info fs.FileInfo) bool { return isOwn(target) && isOld(info, now) })
}

// sweepPerson removes those of the secret that a person's stores outside of git
// share, each of which has a lock of its own.
func sweepPerson(p Places, now time.Time) {
	if !p.Local || p.Key == "" {
		return
	}
	root, err := regular.OpenPath(filepath.Dir(p.Key))
	if err != nil {
		return
	}
	defer root.Close()
	key := filepath.Base(p.Key)
	atomicfile.Sweep(root, ".", func(target string, info fs.FileInfo) bool { return target == key && isOld(info, now) })
}

// isOld tells files that no living process is still writing.
func isOld(info fs.FileInfo, now time.Time) bool { return now.Sub(info.ModTime()).Abs() > tempAge }
