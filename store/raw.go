package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ltm/memory"
)

const (
	// asideDir keeps texts of people that could not be stored. It is ignored by
	// git whatever the store's own rules say: they may hold credentials.
	asideDir = ".rejected"

	asidePerm = 0o600
)

// ReadRaw returns the bytes of an active memory's file, also when they are no
// readable memory.
func (v *View) ReadRaw(id memory.ID) ([]byte, error) {
	missing := memory.Errorf(memory.CodeNotFound, "recall and list show the ids that exist; nothing was changed", "there is no memory %s", id)
	if v.root == nil {
		return nil, missing
	}
	name := memoriesDir + "/" + id.File()
	data, err := readBounded(v.root, name, memory.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	return data, storageError(err, "read", name)
}

// maxRawBytes bounds what [View.ReadBytes] reads: far more than a memory may have,
// for the file may be none.
const maxRawBytes = 64 << 20

// ReadBytes returns the bytes of a file of memories/ or archives/, whatever they
// are, and nil when the file is gone. The path is relative to the store.
func (v *View) ReadBytes(path string) ([]byte, error) {
	if _, _, err := splitPath(path); err != nil || v.root == nil {
		return nil, err
	}
	data, err := readBounded(v.root, path, maxRawBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// KeepAside saves a text of a person that could not be stored and returns its
// path in the store. It never takes the place of another file.
func (v *View) KeepAside(id memory.ID, text []byte) (string, error) {
	if v.root == nil {
		return "", memory.Errorf(memory.CodeNotFound, "", "there is no store at %s", v.store.dir)
	}
	if err := v.root.Mkdir(asideDir, dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", storageError(err, "create", asideDir)
	}
	if err := createFile(v.root, asideDir+"/.gitignore", []byte("*\n"), asidePerm, true); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", storageError(err, "create", asideDir+"/.gitignore")
	}
	base := strings.TrimSuffix(id.File(), memory.FileExt)
	name := asideDir + "/" + id.File()
	for i := 2; ; i++ {
		err := createFile(v.root, name, text, asidePerm, true)
		if !errors.Is(err, fs.ErrExist) {
			return name, storageError(err, "write", name)
		}
		name = fmt.Sprintf("%s/%s.%d%s", asideDir, base, i, memory.FileExt)
	}
}
