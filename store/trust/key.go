package trust

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
)

const (
	keyBytes    = 32
	keyPerm     = 0o600
	maxKeyBytes = 4096 // of the file
)

// ReadKey returns the secret in a file, or nil if it does not exist.
func ReadKey(path string) []byte {
	root, err := regular.OpenPath(filepath.Dir(path))
	if err != nil {
		return nil
	}
	defer root.Close()
	text, err := regular.Read(root, filepath.Base(path), maxKeyBytes)
	if err != nil {
		return nil
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keyBytes {
		return nil
	}
	return key
}

// MakeKey writes a new secret and returns it. It returns nil if the file is not empty: a
// damaged one is for a person to repair.
func MakeKey(path string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	root, err := regular.OpenPath(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.Base(path)
	if info, err := root.Lstat(name); err == nil && info.Size() > 0 {
		return nil, nil
	}
	key := make([]byte, keyBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	text := []byte(hex.EncodeToString(key) + "\n")
	// This fails if another process was first, whose secret then counts, and on an empty file.
	if atomicfile.Publish(root, name, text, keyPerm) == nil {
		return key, nil
	}
	if other := ReadKey(path); other != nil {
		return other, nil
	}
	return key, atomicfile.Overwrite(root, name, text, keyPerm)
}

// CopyKey copies a secret to a file of a directory. Without a secret it does nothing.
func CopyKey(path string, to *os.Root, name string) error {
	key := ReadKey(path)
	if key == nil {
		return nil
	}
	staged, err := atomicfile.Stage(to, name, []byte(hex.EncodeToString(key)+"\n"), keyPerm)
	if err != nil {
		return err
	}
	return staged.Commit(name)
}
