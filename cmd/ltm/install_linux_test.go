package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// filesBelow lists the files below a directory, by their paths in it.
func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			found = append(found, rel)
		}
		return err
	}))
	return found
}

// TestMakeInstall installs below an empty directory and takes everything away again.
func TestMakeInstall(t *testing.T) {
	prefix, built := t.TempDir(), t.TempDir()
	run := func(target string) {
		cmd := exec.Command("make", "-s", "-C", filepath.Join("..", ".."), target, "PREFIX="+prefix, "BUILD="+built,
			"DESTDIR=")
		cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=") // of this machine, whatever the tests are for
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	run("install")
	files := filesBelow(t, prefix)
	for _, name := range []string{"bin/ltm", "share/bash-completion/completions/ltm", "share/zsh/site-functions/_ltm",
		"share/fish/vendor_completions.d/ltm.fish", "share/man/man1/ltm.1", "share/man/man1/ltm-recall.1",
		"share/man/man1/ltm-tag-add.1", "bin/ltm-server", "share/bash-completion/completions/ltm-server",
		"share/zsh/site-functions/_ltm-server", "share/fish/vendor_completions.d/ltm-server.fish",
		"share/man/man1/ltm-server-config.1"} {
		require.Contains(t, files, name)
	}
	require.False(t, slices.Contains(files, "share/man/man1/ltm-man.1"))
	out, err := exec.Command("bash", "-n", filepath.Join(prefix,
		"share/bash-completion/completions/ltm")).CombinedOutput()
	require.NoError(t, err, "%s", out)

	require.NoError(t, os.WriteFile(filepath.Join(prefix, "share/man/man1/other.1"), nil, 0o644))
	run("uninstall")
	require.Equal(t, []string{"share/man/man1/other.1"}, filesBelow(t, prefix))
}
