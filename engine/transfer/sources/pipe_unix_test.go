//go:build unix

package sources_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer/sources"
	"ltm/memory"
)

func TestPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.md": "A"})
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	s, remarks, err := sources.Read(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, []string{"a.md"}, names(s))
	require.Equal(t, "1 note left out: not a regular file", memory.Note(remarks).String())

	_, _, err = sources.Read(t.Context(), filepath.Join(dir, "pipe.md"))
	require.Equal(t, memory.KindDiskNotRegular, memory.KindOf(err))
}
