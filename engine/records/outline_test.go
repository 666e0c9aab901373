package records_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/records"
)

func ask(text string) string {
	return fmt.Sprintf(`{"type":"user","message":{"content":%q}}`+"\n", text)
}

func TestOutlineOfARecord(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	dirs := records.Dirs{filepath.Join(dir, "client")}
	path := filepath.Join(dir, "client", "project", "s.jsonl")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(ask("a")+ask("b")), 0o644))
	o, err := dirs.Outline(ctx, path)
	require.NoError(t, err)
	require.Equal(t, "a", o.Steps[0].Text)
	require.Equal(t, "b", o.Steps[1].Text)
	require.False(t, o.Missing)

	elsewhere := filepath.Join(dir, "s.jsonl")
	require.NoError(t, os.WriteFile(elsewhere, []byte(ask("a")), 0o644))
	for _, bad := range []string{"", "s.jsonl", elsewhere, filepath.Dir(path), path + "x",
		filepath.Join(dir, "client", "project", "..", "..", "s.jsonl")} {
		o, err := dirs.Outline(ctx, bad)
		require.Error(t, err, bad)
		require.Empty(t, o.Steps)
	}
}

// TestOutlineOfALongRecord has asks in the parts that are read and in the one that is not.
func TestOutlineOfALongRecord(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	f, err := os.Create(path)
	require.NoError(t, err)
	filler := strings.Repeat(ask(strings.Repeat("x", 64<<10)), 16) // a little more than 1 MiB
	for _, text := range []string{ask("first"), filler, filler, ask("middle"), strings.Repeat(filler, 31),
		ask("last")} {
		_, err = f.WriteString(text)
		require.NoError(t, err)
	}
	require.NoError(t, f.Close())
	o, err := records.Dirs{dir}.Outline(context.Background(), path)
	require.NoError(t, err)
	require.Equal(t, "first", o.Steps[0].Text)
	require.Equal(t, "last", o.Steps[len(o.Steps)-1].Text)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, info.Size(), o.Offset)
	require.Greater(t, info.Size(), int64(32<<20))
	require.True(t, o.Missing)
}
