package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// TestFilesOfTheProject reads what is in the work tree, and nothing that a link leads to elsewhere.
func TestFilesOfTheProject(t *testing.T) {
	project, outside := somewhere(t), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(project, "db"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(project, "db", "pool.go"), []byte("package db\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(project, "large"), make([]byte, maxShownFile+1), 0o644))
	bad := []string{"db", "none", "large", "../secret", "db/../../secret"}
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(outside, filepath.Join(project, "out")))
		require.NoError(t, os.Symlink(filepath.Join(outside, "secret"), filepath.Join(project, "link")))
		require.NoError(t, os.Symlink(".git", filepath.Join(project, "repository")))
		require.NoError(t, os.Symlink(filepath.Join("..", ".git"), filepath.Join(project, "db", "inner")))
		bad = append(bad, "out/secret", "link", "repository/config", "db/inner/config")
	}
	f := files{top: project}
	data, err := f.ReadFile(t.Context(), "db/pool.go")
	require.NoError(t, err)
	require.Equal(t, "package db\n", string(data))
	for _, path := range bad {
		_, err := f.ReadFile(t.Context(), path)
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(err), path)
	}
	_, err = files{}.ReadFile(t.Context(), "db/pool.go")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err), "a tree that must not be followed")
	v := openSite(t, project, filepath.Join(project, "person"))
	require.Contains(t, v.get("/file?path=db/pool.go&line=1").Body.String(), "package db")
}
