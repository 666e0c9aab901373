package locate

import (
	"os"
	"path/filepath"
	"strings"

	"ltm/store"
)

// Given returns the places of the store that a directory is or has: a project with .claude/ltm in it, that directory
// itself, the person's own directory, which has the secret of its trust record, or a directory that LTM_DIR names.
// person is the directory of the person who asks, or "".
func Given(dir, person string) store.Places {
	dir = filepath.Clean(dir)
	if inside := filepath.Join(dir, filepath.FromSlash(store.Folder)); isDir(inside) {
		return Places(inside, person)
	}
	if strings.HasSuffix(filepath.ToSlash(dir), "/"+store.Folder) {
		return Places(dir, person)
	}
	if _, err := os.Lstat(filepath.Join(dir, keyFile)); err == nil || dir == person {
		return shelfPlaces(dir)
	}
	places := Places(dir, person)
	places.Named = true
	return places
}
