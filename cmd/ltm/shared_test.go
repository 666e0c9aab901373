package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// suite runs the tests and then removes what they shared.
type suite struct{ m *testing.M }

// Run implements [testscript.TestingM].
func (s suite) Run() int {
	defer shared.remove()
	return s.m.Run()
}

// shared has what is made once, for all tests that use it.
var shared directories

type directories struct {
	mu   sync.Mutex
	root string
	made map[string]string
}

// get returns the directory of that name, which the first caller makes. Nothing may be
// changed in it.
func (d *directories) get(t testing.TB, name string, make func(dir string)) string {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if dir, ok := d.made[name]; ok {
		return dir
	}
	if d.root == "" {
		root, err := os.MkdirTemp("", "ltm-test-")
		require.NoError(t, err)
		d.root, d.made = root, map[string]string{}
	}
	dir, err := os.MkdirTemp(d.root, "")
	require.NoError(t, err)
	make(dir)
	d.made[name] = dir
	return dir
}

func (d *directories) remove() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root != "" {
		_ = os.RemoveAll(d.root)
	}
}

// program returns the real program.
func program(t testing.TB) string {
	t.Helper()
	dir := shared.get(t, "program", func(dir string) { build(t, filepath.Join(dir, "ltm"), ".") })
	return filepath.Join(dir, "ltm")
}

// copied returns a copy of a directory, with the times and permissions of its files where
// the system has a program for that.
func copied(t testing.TB, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if runtime.GOOS == "windows" {
		require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
		return to
	}
	out, err := exec.Command("cp", "-a", dir, to).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return to
}
