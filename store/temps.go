package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

const (
	// tempMark begins the name of every temporary file; git ignores them, and scans skip them.
	tempMark = "."

	// tempAge is how old a temporary file that was written without the lock must be to
	// count as one of a killed process.
	tempAge = 10 * time.Minute
)

// isTemp reports whether a name is that of a temporary file of the store, and not of an editor or another program.
func isTemp(name string) bool {
	target, ok := atomicfile.TempOf(name)
	return ok && isOwn(target)
}

// isOwn reports whether a name is one that the store writes.
func isOwn(name string) bool {
	switch name {
	case indexFile, statsFile, stateFile, candidatesFile, trustFile, keyName, configFile, logFile, undoFile, ignoreFile,
		attributesFile, batchFile:
		return true
	}
	_, _, ok := memory.ParseArchiveName(name)
	return ok || strings.HasSuffix(name, cacheExt) || isSum(name)
}

// sweepTemps removes the temporary files of killed processes from a directory. The lock
// is held, so no living process writes one there.
func sweepTemps(root *os.Root) { atomicfile.Sweep(root, ".", ofAnyAge) }

func ofAnyAge(target string, _ fs.FileInfo) bool { return isOwn(target) }

// sweepCache removes those in the directory of the caches. Processes write there without
// the lock, so only old ones are removed.
func sweepCache(dir *os.Root, now time.Time) {
	if dir == nil {
		return
	}
	atomicfile.Sweep(dir, ".", func(target string, info fs.FileInfo) bool { return isOwn(target) && isOld(info, now) })
}

// sweepPerson removes old ones of the secret. All stores of a user outside of git share
// it, and each has a lock of its own.
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

// isOld reports whether a file is so old that no living process still writes it.
func isOld(info fs.FileInfo, now time.Time) bool { return now.Sub(info.ModTime()).Abs() > tempAge }
