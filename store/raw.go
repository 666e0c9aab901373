package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
)

const (
	// asideDir, in the clone's directory, is for edited texts that could not be stored. They may contain credentials.
	asideDir = "rejected"

	asidePerm = 0o600
)

// ReadRaw returns the bytes of an active memory's file, even if they are not a readable memory.
func (v *View) ReadRaw(id memory.ID) ([]byte, error) {
	if v.root == nil {
		return nil, missingError("memory", id)
	}
	name := memoriesDir + "/" + id.File()
	data, err := regular.Read(v.root, name, memfile.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missingError("memory", id)
	}
	return data, storageError(err, "read", name)
}

// maxRawBytes is the size limit of [View.ReadBytes]: much more than a memory may have, since the file need not be one.
const maxRawBytes = 64 << 20

// ReadBytes returns the bytes of a file of memories/ or archives/, whatever they are, or
// nil if the file is gone. The path is relative to the store.
func (v *View) ReadBytes(path string) ([]byte, error) {
	if _, _, err := splitPath(path); err != nil || v.root == nil {
		return nil, err
	}
	data, err := regular.Read(v.root, path, maxRawBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// KeepAside saves an edited text that could not be stored, and returns its absolute path.
// It never replaces another file.
func (v *View) KeepAside(id memory.ID, text []byte) (string, error) {
	if v.root == nil {
		return "", memory.NewError(memory.CodeNotFound, memory.KindStoreMissing, v.store.places.Store,
			"there is no store at %s", v.store.places.Store)
	}
	if v.clone == nil {
		if err := v.store.makeClone(v.root); err != nil {
			return "", err
		}
		var err error
		if v.clone, err = v.store.openClone(v.root); err != nil {
			return "", err
		}
	}
	if err := v.clone.Mkdir(asideDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", storageError(err, "create", v.Path(asideDir+"/"))
	}
	base := strings.TrimSuffix(id.File(), memory.FileExt)
	name := asideDir + "/" + id.File()
	for i := 2; ; i++ {
		err := atomicfile.Create(v.clone, name, text, asidePerm)
		if !errors.Is(err, fs.ErrExist) {
			return v.Path(name), storageError(err, "write", v.Path(name))
		}
		name = fmt.Sprintf("%s/%s.%d%s", asideDir, base, i, memory.FileExt)
	}
}
