package companion_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/companion"
)

// TestFind looks for a program on the PATH, in the current directory, and beside this one.
func TestFind(t *testing.T) {
	name, ending := "ltm-test-companion", ""
	if runtime.GOOS == "windows" {
		ending = ".exe"
	}
	program := func(dir string) string {
		path := filepath.Join(dir, name+ending)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755))
		t.Cleanup(func() { _ = os.Remove(path) })
		return path
	}
	here, onPath := t.TempDir(), t.TempDir()
	t.Chdir(here)
	t.Setenv("PATH", "."+string(filepath.ListSeparator)+onPath)
	require.Empty(t, companion.Find(name))
	program(here)
	require.Empty(t, companion.Find(name), "a program of the current directory")
	want := program(onPath)
	t.Setenv("PATH", onPath)
	require.Equal(t, want, companion.Find(name))
	self, err := os.Executable()
	require.NoError(t, err)
	beside := program(filepath.Dir(self))
	require.Equal(t, beside, companion.Find(name))
}
