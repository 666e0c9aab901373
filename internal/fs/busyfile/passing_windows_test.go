package busyfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"ltm/internal/fs/busyfile"
)

func TestPassingErrors(t *testing.T) {
	for _, code := range []syscall.Errno{windows.ERROR_ACCESS_DENIED, windows.ERROR_SHARING_VIOLATION,
		windows.ERROR_LOCK_VIOLATION, windows.ERROR_DELETE_PENDING, windows.ERROR_USER_MAPPED_FILE} {
		require.True(t, busyfile.Passing(&os.LinkError{Op: "rename", Err: code}), "%v", code)
	}
	for _, err := range []error{windows.ERROR_FILE_NOT_FOUND, windows.ERROR_DISK_FULL, fs.ErrNotExist,
		errors.New("busy"), nil} {
		require.False(t, busyfile.Passing(err), "%v", err)
	}
	for _, code := range []syscall.Errno{windows.ERROR_SHARING_VIOLATION, windows.ERROR_DELETE_PENDING} {
		require.True(t, busyfile.PassingOpen(&os.PathError{Op: "openat", Err: code}), "%v", code)
	}
	for _, err := range []error{windows.ERROR_ACCESS_DENIED, windows.ERROR_FILE_NOT_FOUND, fs.ErrNotExist, nil} {
		require.False(t, busyfile.PassingOpen(err), "%v", err)
	}
}

// hold opens a file as a program does that shares only the given rights.
func hold(t *testing.T, path string, share uint32) (letGo func()) {
	t.Helper()
	name, err := windows.UTF16PtrFromString(path)
	require.NoError(t, err)
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING,
		windows.FILE_ATTRIBUTE_NORMAL, 0)
	require.NoError(t, err)
	open := true
	letGo = func() {
		if open {
			open = false
			require.NoError(t, windows.CloseHandle(handle))
		}
	}
	t.Cleanup(letGo)
	return letGo
}

// TestBusyFiles renames over a file, and removes it, when its reader closes it at the
// first pause, and gives up when it does not.
func TestBusyFiles(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	target := filepath.Join(dir, "target")
	for name, do := range map[string]func() error{
		"rename": func() error { return root.Rename("new", "target") },
		"remove": func() error { return root.Remove("target") },
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(target, []byte("old"), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "new"), []byte("new"), 0o644))
			letGo := hold(t, target, windows.FILE_SHARE_READ)
			pauses := 0
			p := busyfile.Patience{Total: 5, First: 1, Longest: 1, Sleep: func(time.Duration) { pauses++ }}
			require.Error(t, p.Try(do, busyfile.Passing))
			require.Equal(t, 5, pauses)
			data, err := os.ReadFile(target)
			require.NoError(t, err)
			require.Equal(t, "old", string(data))

			p.Sleep = func(time.Duration) { letGo() }
			require.NoError(t, p.Try(do, busyfile.Passing))
		})
	}
}

// TestOpeningBusyFiles reads a file when the program that shares nothing closes it at
// the first pause, and gives up when it does not.
func TestOpeningBusyFiles(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	target := filepath.Join(dir, "target")
	require.NoError(t, os.WriteFile(target, []byte("text"), 0o644))
	letGo := hold(t, target, 0)
	_, err = busyfile.Open(root, "target")
	require.True(t, busyfile.PassingOpen(err), "%v", err)

	var f *os.File
	p := busyfile.Patience{Total: 5, First: 1, Longest: 1, Sleep: func(time.Duration) { letGo() }}
	require.NoError(t, p.Try(func() error {
		f, err = root.Open("target")
		return err
	}, busyfile.PassingOpen))
	require.NoError(t, f.Close())
	f, err = busyfile.Open(root, "target")
	require.NoError(t, err)
	require.NoError(t, f.Close())
}
