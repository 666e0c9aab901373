package atomicfile

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"runtime"

	"ltm/internal/fs/busyfile"
)

// defaultPerm is the mode of a new file before the umask.
const defaultPerm = 0o644

// Replace writes a file, replacing any file of that name, and waits until its bytes and its name
// are on disk. Except on Windows, the mode of a file that is replaced stays.
func Replace(root *os.Root, name string, data []byte) error {
	if dir := path.Dir(name); dir != "." {
		sub, err := root.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer sub.Close()
		root, name = sub, path.Base(name)
	}
	if err := replace(root, name, data); err != nil {
		return err
	}
	return SyncDir(root, ".")
}

// ReplaceFast is [Replace] without waiting for the disk. The file gets the usual mode.
func ReplaceFast(root *os.Root, name string, data []byte) error {
	staged, err := StageFast(root, name, data)
	if err != nil {
		return err
	}
	return staged.Commit(name)
}

// Create writes a file that must not exist yet, and waits until its bytes are on disk. If the file
// exists, it fails with [fs.ErrExist]; if it fails for another reason, it leaves no file.
func Create(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	return create(root, name, data, perm, true)
}

// Publish writes a file whole under a name that no file has, and waits until it is on disk. If a file has the name, it
// fails with [fs.ErrExist]: of several processes, only one succeeds, where the file system supports links.
func Publish(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	staged, err := Stage(root, name, data, perm)
	if err != nil {
		return err
	}
	if root.Link(staged.temp, name) == nil {
		staged.Discard()
		return SyncDir(root, ".")
	}
	if _, err := root.Lstat(name); err == nil {
		staged.Discard()
		return fs.ErrExist
	}
	return staged.publish(name)
}

// Overwrite is [Replace] with a mode, which the file gets whatever it had before.
func Overwrite(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	staged, err := Stage(root, name, data, perm)
	if err != nil {
		return err
	}
	return staged.publish(name)
}

func (s *Staged) publish(name string) error {
	if err := s.Commit(name); err != nil {
		return err
	}
	return SyncDir(s.root, ".")
}

// Remove durably removes a file. A missing file is not an error.
func Remove(root *os.Root, name string) error {
	if err := busyfile.Remove(root, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return SyncDir(root, path.Dir(name))
}

// SyncDir makes renames and removals in a directory durable. It does nothing on Windows.
func SyncDir(root *os.Root, dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// Staged is a complete file with a temporary name. It must be committed or discarded.
type Staged struct {
	root *os.Root
	temp string
}

// Stage writes a temporary file next to beside and waits until its bytes are on disk. A perm of 0
// means 0644 less the umask; any other is set exactly.
func Stage(root *os.Root, beside string, data []byte, perm fs.FileMode) (*Staged, error) {
	return stage(root, beside, data, perm, true)
}

// StageFast is [Stage] without waiting for the disk.
func StageFast(root *os.Root, beside string, data []byte) (*Staged, error) {
	return stage(root, beside, data, 0, false)
}

func stage(root *os.Root, beside string, data []byte, perm fs.FileMode, durable bool) (*Staged, error) {
	temp := tempName(beside)
	if err := create(root, temp, data, perm, durable); err != nil {
		return nil, err
	}
	return &Staged{root, temp}, nil
}

// Commit renames the file to name, replacing any file of that name. On failure it removes the temporary file.
func (s *Staged) Commit(name string) error {
	err := busyfile.Rename(s.root, s.temp, name)
	if err != nil {
		s.Discard()
	}
	return err
}

func (s *Staged) Discard() { _ = s.root.Remove(s.temp) }

// Name returns the temporary name, for callers that record it.
func (s *Staged) Name() string { return s.temp }

func create(root *os.Root, name string, data []byte, perm fs.FileMode, durable bool) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(perm, defaultPerm))
	if err != nil {
		return err
	}
	err = fill(f, data, perm, durable)
	err = cmp.Or(err, f.Close())
	if err != nil {
		_ = root.Remove(name)
	}
	return err
}

// fill writes data to a new file and sets its mode.
func fill(f *os.File, data []byte, perm fs.FileMode, durable bool) error {
	if perm != 0 {
		if info, err := f.Stat(); err != nil {
			return err
		} else if info.Mode().Perm() != perm { // because of the umask
			if err := f.Chmod(perm); err != nil {
				return err
			}
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if durable {
		return f.Sync()
	}
	return nil
}

// tempBytes is the number of random bytes in the name of a temporary file.
const tempBytes = 6

func tempName(name string) string {
	// The file is created only if that name is free, so it is enough that two processes rarely agree.
	// Package crypto/rand would prepare a generator, which takes each hook as long as writing its file.
	b := binary.BigEndian.AppendUint64(nil, rand.Uint64())
	return path.Join(path.Dir(name), "."+path.Base(name)+"."+hex.EncodeToString(b[:tempBytes]))
}

// Cause returns an error without the paths that package os adds: a message names the
// file itself, and the path can be that of a temporary file.
func Cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}
