package keyring

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"ltm/internal/fs/regular"
	"ltm/memory"
)

const (
	// storesDir has a file for each store of which a signature was checked or made, named after the store's id: the
	// root commits of its repository, one a line.
	storesDir = "stores"

	maxRoots      = 64
	maxStoreBytes = maxRoots * 65 // a commit and a line end each
)

// StoresDir returns the directory of the record that [Ring.Home] reads and writes.
func (r Ring) StoresDir() string { return filepath.Join(r.dir, storesDir) }

// Home returns the root commits of the repository that the store of an id belongs to, none if the
// record does not have it. Then roots, if there are any, are recorded as those: the first repository in
// which a signature for the id counts is its home. Another one can have the same id only as a copy.
func (r Ring) Home(id string, roots []string) ([]string, error) {
	if !memory.IsStoreID(id) {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindRequestInvalid, id, "%s is not a store's id",
			memory.Quote(id, 40))
	}
	root, err := r.open()
	if root != nil {
		defer root.Close()
		name := filepath.Join(storesDir, id)
		text, err := regular.Read(root, name, maxStoreBytes)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return strings.Fields(string(text)), failed("read", filepath.Join(r.dir, name), err)
		}
	}
	if err != nil || len(roots) == 0 {
		return nil, err
	}
	if err := r.settle(id, roots[:min(len(roots), maxRoots)]); err != nil {
		return nil, err
	}
	return r.Home(id, nil) // another process may have been first
}

func (r Ring) settle(id string, roots []string) error {
	root, err := r.make()
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Join(storesDir, id)
	if err = root.MkdirAll(storesDir, dirPerm); err != nil {
		return failed("write", filepath.Join(r.dir, name), err)
	}
	stores, err := root.OpenRoot(storesDir)
	if err == nil {
		defer stores.Close()
		err = write(stores, id, []byte(strings.Join(roots, "\n")+"\n"))
	}
	return failed("write", filepath.Join(r.dir, name), err)
}
