//go:build unix

package worktree

import (
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// handles are directories that files are looked at in. A hook looks at hundreds: that takes a third of the time that it
// does with an [os.Root] for each directory, which goes down one directory after another just so.
type handles struct {
	top *os.File
	all map[string]handle
}

// handle is an open directory, or -1 if it is missing or left alone.
type handle struct {
	fd   int
	kind kind
}

func (h *handles) close() {
	h.closeAll()
	if h.top != nil {
		_ = h.top.Close()
		h.top = nil
	}
}

func (h *handles) closeAll() {
	for _, d := range h.all {
		if d.fd >= 0 {
			_ = unix.Close(d.fd)
		}
	}
	clear(h.all)
}

// stat looks at a file. One is missing if a directory is in its place, or a file in that of its directory.
func (t *tree) stat(name string) (stamp, kind) {
	d := t.handle(path.Dir(name))
	if d.fd < 0 {
		return stamp{}, d.kind
	}
	var st unix.Stat_t
	switch err := lstat(d.fd, path.Base(name), &st); {
	case err == unix.ENOENT:
		return stamp{}, missing
	case err == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR && t.handle(name).fd >= 0:
		return stamp{}, missing
	case err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG:
		return stamp{}, other
	}
	return stamp{st.Size, st.Mtim.Nano(), int64(st.Ino)}, file
}

func lstat(dir int, name string, st *unix.Stat_t) error {
	return retried(func() error { return unix.Fstatat(dir, name, st, unix.AT_SYMLINK_NOFOLLOW) })
}

// retried calls fn again while a signal interrupts it.
func retried(fn func() error) error {
	for {
		if err := fn(); err != unix.EINTR {
			return err
		}
	}
}

// handle opens a directory, one after another from the top.
func (t *tree) handle(name string) handle {
	if name == "." {
		return t.topHandle()
	}
	if d, known := t.all[name]; known {
		return d
	}
	if len(t.all) >= maxDirs {
		t.closeAll()
	}
	d := t.handle(path.Dir(name))
	if d.fd >= 0 {
		d = t.handleIn(d.fd, path.Base(name))
	}
	if t.all == nil {
		t.all = map[string]handle{}
	}
	t.all[name] = d
	return d
}

func (t *tree) topHandle() handle {
	if t.top == nil {
		var err error
		if t.top, err = t.root.Open("."); err != nil {
			t.top = nil
			return handle{-1, other}
		}
	}
	return handle{int(t.top.Fd()), file}
}

// handleIn opens a directory in another one, but no link. A repository in the work tree is another work tree, unless
// nested.
func (t *tree) handleIn(parent int, name string) handle {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	var fd int
	err := retried(func() (err error) {
		fd, err = unix.Openat(parent, name, flags, 0)
		return err
	})
	var st unix.Stat_t
	switch {
	case err == unix.ENOENT:
		return handle{-1, missing}
	case err != nil && lstat(parent, name, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG:
		return handle{-1, missing} // nothing is below a file
	case err != nil:
		return handle{-1, other}
	}
	if !t.nested && lstat(fd, ".git", &st) == nil {
		_ = unix.Close(fd)
		return handle{-1, other}
	}
	return handle{fd, file}
}
