package keyring

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/store/signing"
)

// Generate adds a new random key and makes it the current one.
func (r Ring) Generate(random io.Reader) (Entry, error) {
	secret := make([]byte, signing.SecretBytes)
	if _, err := io.ReadFull(random, secret); err != nil {
		return Entry{}, memory.NewError(memory.CodeStorage, memory.KindRandomFailed, "", "cannot make a key: %v", err)
	}
	key, err := signing.NewKey(secret)
	if err != nil {
		return Entry{}, err
	}
	entry, err := r.Add(key)
	if err == nil && !entry.Current {
		return r.Use(entry.Fingerprint)
	}
	return entry, err
}

// Add adds a key. It becomes the current one if no key is. A key that is there already stays.
func (r Ring) Add(key signing.Key) (Entry, error) {
	root, err := r.make()
	if err != nil {
		return Entry{}, err
	}
	defer root.Close()
	name := key.Fingerprint() + suffix
	if _, err := root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		if err := write(root, name, key.Text()); err != nil {
			return Entry{}, failed("write", filepath.Join(r.dir, name), err)
		}
	}
	entry, err := r.Find(key.Fingerprint())
	if err != nil || entry.Err != nil {
		return entry, errors.Join(err, entry.Err)
	}
	if _, err := r.Find(""); memory.KindOf(err) == memory.KindKeyNone {
		return r.Use(entry.Fingerprint)
	}
	return entry, nil
}

// write writes a new file. If several processes write the same key, any of them may win.
func write(root *os.Root, name string, data []byte) error {
	err := atomicfile.Publish(root, name, data, filePerm)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// make makes the directory, which git ignores in case it is in a repository, and removes what a
// process left that was killed while it wrote.
func (r Ring) make() (*os.Root, error) {
	if r.none != "" {
		return r.open()
	}
	if err := os.MkdirAll(r.dir, dirPerm); err != nil {
		return nil, failed("make", r.dir, err)
	}
	root, err := r.open()
	if err != nil {
		return nil, err
	}
	sweep(root)
	if _, err := root.Lstat(ignoreFile); errors.Is(err, fs.ErrNotExist) {
		if err := write(root, ignoreFile, []byte("*\n")); err != nil {
			root.Close()
			return nil, failed("write", filepath.Join(r.dir, ignoreFile), err)
		}
	}
	return root, nil
}

// staleAfter is the age from which no process is still writing a temporary file.
const staleAfter = time.Minute

// sweep removes temporary files, which can hold a secret.
func sweep(root *os.Root) {
	atomicfile.Sweep(root, ".", func(_ string, info fs.FileInfo) bool {
		return time.Since(info.ModTime()) > staleAfter
	})
}

// Use makes a key the current one.
func (r Ring) Use(prefix string) (Entry, error) {
	entry, err := r.Find(prefix)
	if err != nil || entry.Err != nil || entry.Current {
		return entry, errors.Join(err, entry.Err)
	}
	root, err := r.open()
	if err != nil {
		return entry, err
	}
	defer root.Close()
	err = atomicfile.Overwrite(root, currentFile, []byte(entry.Fingerprint+"\n"), filePerm)
	entry.Current = err == nil
	return entry, failed("write", filepath.Join(r.dir, currentFile), err)
}

// Named is [Ring.Find] for a key that must be named: a variable that is not set must not mean the current key.
func (r Ring) Named(prefix string) (Entry, error) {
	if strings.TrimSpace(prefix) == "" {
		return Entry{}, memory.NewError(memory.CodeInvalid, memory.KindKeyUnknown, "", "no key is named")
	}
	return r.Find(prefix)
}

// Remove permanently removes a key, even one that cannot be used. After the current one, the only key that is left
// becomes the current one; if there are several, none does.
func (r Ring) Remove(prefix string) (Entry, error) {
	entry, err := r.Named(prefix)
	if err != nil {
		return entry, err
	}
	root, err := r.open()
	if err != nil {
		return entry, err
	}
	defer root.Close()
	if entry.Current {
		err = atomicfile.Remove(root, currentFile)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = atomicfile.Remove(root, entry.Fingerprint+suffix)
	}
	if all, _, ok := r.Keys(); err == nil && !ok && len(all) == 1 {
		_, err = r.Use(all[0].Fingerprint())
	}
	return entry, failed("remove", entry.Path, err)
}

// Save writes the text of a key to a new file that only the person may read.
func Save(path string, text []byte) error {
	root, err := regular.OpenPath(filepath.Dir(path))
	if err != nil {
		return failed("write", path, err)
	}
	defer root.Close()
	return failed("write", path, atomicfile.Create(root, filepath.Base(path), text, filePerm))
}

// ReadKey reads a key that a person imports. Others must not be able to read the file.
func ReadKey(path string) (signing.Key, error) {
	full, err := filepath.Abs(path) // its last part is a name then, and not ".."
	if err != nil {
		return signing.Key{}, failed("read", path, err)
	}
	root, err := regular.OpenPath(filepath.Dir(full))
	if err != nil {
		return signing.Key{}, failed("read", path, err)
	}
	defer root.Close()
	info, err := regular.Info(root, filepath.Base(full))
	if err == nil && info != nil && isExposed(info) {
		return signing.Key{}, memory.NewError(memory.CodeInvalid, memory.KindKeyExposed, path,
			"%s is not imported: others may read it", path)
	}
	text, err := regular.Read(root, filepath.Base(full), maxKeyBytes)
	if err != nil {
		return signing.Key{}, failed("read", path, err)
	}
	return ParseKey(text)
}

// ParseKey parses a key that a person imports.
func ParseKey(text []byte) (signing.Key, error) {
	key, err := signing.ParseKey(text)
	if err != nil {
		return key, memory.NewError(memory.CodeInvalid, memory.KindKeyMalformed, "", "%v", err)
	}
	return key, nil
}
