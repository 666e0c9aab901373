package sources_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/engine/transfer/sources"
	"ltm/internal/emulated"
	"ltm/memory"
)

// write writes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

// names lists the files that were read.
func names(s transfer.Source) []string {
	list := []string{}
	for _, f := range s.Files {
		list = append(list, f.Name)
	}
	return list
}

func TestReadADirectory(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"b.md": "B", "a/x.MD": "X", "a.md": "A", "index.json": "{}", "a/index.json": "{}", "a.txt": "no",
		".git/x.md": "no", ".hidden.md": "no",
	})
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "a.md"), at, at))
	s, remarks, err := sources.Read(t.Context(), dir)
	require.NoError(t, err)
	require.Empty(t, remarks)
	require.True(t, s.Dir)
	require.Equal(t, dir, s.Name)
	require.Equal(t, []string{"a.md", "a/x.MD", "b.md", "index.json"}, names(s))
	require.Equal(t, "A", string(s.Files[0].Data))
	require.Equal(t, at, s.Files[0].Modified)
}

func TestReadADocument(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"memory.jsonl": "{}"})
	s, remarks, err := sources.Read(t.Context(), filepath.Join(dir, "memory.jsonl"))
	require.NoError(t, err)
	require.Empty(t, remarks)
	require.False(t, s.Dir)
	require.Equal(t, []string{"memory.jsonl"}, names(s))
	require.Equal(t, "{}", string(s.Document()))
	require.False(t, s.Files[0].Modified.IsZero())
}

func TestWhatAPersonNamesMayBeALink(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"real/a.md": "A", "real.json": "{}"})
	for _, name := range []string{"real", "real.json"} {
		emulated.Symlink(t, name, filepath.Join(dir, "link-"+name))
		s, _, err := sources.Read(t.Context(), filepath.Join(dir, "link-"+name))
		require.NoError(t, err)
		require.Len(t, s.Files, 1)
	}
}

func TestLinksInADirectoryAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"out/secret.md": "S", "in/a.md": "A"})
	for name, target := range map[string]string{
		"file.md": "../out/secret.md", "dir": "../out", "loop": ".", "gone.md": "x",
	} {
		emulated.Symlink(t, target, filepath.Join(dir, "in", name))
	}
	s, remarks, err := sources.Read(t.Context(), filepath.Join(dir, "in"))
	require.NoError(t, err)
	require.Equal(t, []string{"a.md"}, names(s))
	require.Equal(t, "4 links not followed", memory.Note(remarks).String())
}

func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.md": "A", "locked.md": "L"})
	large := bytes.Repeat([]byte("x"), transfer.MaxFileBytes+1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "big.md"), large, 0o644))
	require.NoError(t, os.Chmod(filepath.Join(dir, "locked.md"), 0))
	s, _, err := sources.Read(t.Context(), dir)
	require.NoError(t, err)
	require.Len(t, s.Files, 3)
	require.EqualError(t, s.Files[1].Err, "too large")
	require.Empty(t, s.Files[1].Data)
	if runtime.GOOS != "windows" && os.Getuid() != 0 {
		require.ErrorIs(t, s.Files[2].Err, os.ErrPermission)
	}
}

func TestPathsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	_, _, err := sources.Read(t.Context(), filepath.Join(dir, "none"))
	require.Equal(t, memory.KindImportMissing, memory.KindOf(err))
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
	require.ErrorContains(t, err, "cannot read ")

	big := filepath.Join(dir, "big.json")
	f, err := os.Create(big)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(transfer.MaxDocumentBytes+1))
	require.NoError(t, f.Close())
	_, _, err = sources.Read(t.Context(), big)
	require.Equal(t, memory.KindImportTooLarge, memory.KindOf(err))
	require.ErrorContains(t, err, "is larger than 256 MiB")

	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, _, err = sources.Read(stopped, dir)
	require.True(t, errors.Is(err, context.Canceled))
}

func TestDirectoriesWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{strings.Repeat("d/", 40) + "a.md": "A"})
	_, _, err := sources.Read(t.Context(), dir)
	require.Equal(t, memory.KindImportTooLarge, memory.KindOf(err))
	require.ErrorContains(t, err, "more than 32 deep")
}

func TestTooManyNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 20,001 files")
	}
	dir := t.TempDir()
	for i := range transfer.MaxFiles + 1 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", i)), nil, 0o644))
	}
	_, _, err := sources.Read(t.Context(), dir)
	require.Equal(t, memory.KindImportTooLarge, memory.KindOf(err))
	require.ErrorContains(t, err, "more than 20000 notes")
}
