package worktree_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/worktree"
	"ltm/internal/fs/cachefile"
	"ltm/memory"
)

// TestTheCacheIsBounded has caches that are valid, but have more in them than is ever written, or are larger.
func TestTheCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.go"), nil, 0o644))
	files := func() *worktree.Files {
		return &worktree.Files{Place: func() worktree.Place { return worktree.Place{Top: dir} }}
	}
	kept, moved := caches{}, memory.Ref{Path: "a.go", Blob: strings.Repeat("1", 40)}
	files().Follow(kept, moved, "b.go")
	format := cachefile.Format{Magic: "ltm-refs", Version: 1}
	blocks, ok := format.Cut(kept["refs"])
	require.True(t, ok)
	fields, _, err := cachefile.Next(blocks)
	require.NoError(t, err)
	state := func(n int, to string) memory.RefState {
		b := cachefile.Begin(format.Header())
		b = append(binary.AppendUvarint(b, uint64(n)), fields[1:]...)
		for key := range uint64(n - 1) {
			b = append(binary.LittleEndian.AppendUint64(b, key), make([]byte, 18)...)
			b = cachefile.AppendString(cachefile.AppendString(b, to), "")
		}
		cachefile.End(b, len(format.Header()))
		return files().Check(caches{"refs": b}, []memory.Ref{moved}, worktree.Thorough())[0].State
	}
	require.Equal(t, memory.RefMoved, state(50_000, ""))
	require.Equal(t, memory.RefGone, state(50_001, ""), "one more than is kept")
	require.Equal(t, memory.RefMoved, state(20_000, strings.Repeat("ü", 200)))
	require.Equal(t, memory.RefGone, state(50_000, strings.Repeat("ü", 200)), "more than 16 MiB")
}
