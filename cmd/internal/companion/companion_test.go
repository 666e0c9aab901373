package companion_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/companion"
)

// TestOnPath looks for a program in directories of the project and in others.
func TestOnPath(t *testing.T) {
	name := "ltm-test-companion"
	project, outside := t.TempDir(), t.TempDir()
	below := filepath.Join(project, "tools")
	require.NoError(t, os.MkdirAll(filepath.Join(project, ".git"), 0o755))
	require.NoError(t, os.MkdirAll(below, 0o755))
	t.Chdir(below)
	find := func(dirs ...string) string {
		path := strings.Join(dirs, string(filepath.ListSeparator))
		return companion.OnPath(name, []string{"PATH=" + path}, below)
	}
	program(t, project, name)
	program(t, below, name)
	require.Empty(t, find(".", "", "..", project, below), "programs of the project")
	want := program(t, outside, name)
	require.Equal(t, want, find(".", "", project, below, outside))

	linked := t.TempDir()
	if err := os.Symlink(program(t, below, name), filepath.Join(linked, name)); err == nil {
		require.Equal(t, want, find(linked, outside), "a link to a program of the project")
	}
}

// TestBeside looks for a program beside this one.
func TestBeside(t *testing.T) {
	name := "ltm-test-companion"
	require.Empty(t, companion.Beside(name))
	self, err := os.Executable()
	require.NoError(t, err)
	require.Equal(t, program(t, filepath.Dir(self), name), companion.Beside(name))
}

// program writes a program of this name, and removes it after the test.
func program(t *testing.T, dir, name string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755))
	t.Cleanup(func() { _ = os.Remove(path) })
	return path
}
