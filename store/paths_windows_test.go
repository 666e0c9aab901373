package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/store"
)

// TestReadersThatHoldFilesOpen changes every file of a store while it is read as
// ltm reads it, and as other programs do that share the right to delete.
func TestReadersThatHoldFilesOpen(t *testing.T) {
	emulated.SkipUnderWine(t, "8.0 does not rename over or remove a file that is open, whatever its reader shares")
	fx := newStore(t)
	fx.put("mem_00000001", "one")
	root, err := os.OpenRoot(fx.dir)
	require.NoError(t, err)
	defer root.Close()
	for _, name := range []string{"memories/mem_00000001.md"} {
		f, err := root.Open(name)
		require.NoError(t, err)
		defer f.Close()
	}
	fx.put("mem_00000001", "two")
	require.Equal(t, map[memory.ID]string{"mem_00000001": "two"}, topics(t, fx.reopen()))
	require.NoError(t, fx.update(func(tx *store.Tx) error { return tx.RemoveFile("memories/mem_00000001.md") }))
	require.Empty(t, topics(t, fx.reopen()))
}

// TestNamesThatWindowsReserves reads names of devices, streams of files and what
// Windows takes for another name: none leads to a device or to another file.
func TestNamesThatWindowsReserves(t *testing.T) {
	fx := newStore(t)
	fx.put("mem_00000001", "one")
	for _, name := range []string{"CON", "nul", "nul.md", "aux", "aux.md", "COM1.md", "LPT9", "mem_00000001.md:stream",
		"mem_00000001.md::$DATA"} {
		require.NoError(t, fx.View(func(v *store.View) error {
			data, err := v.ReadBytes("memories/" + name)
			require.True(t, err != nil || len(data) == 0, "%q holds %q", name, data)
			return nil
		}))
	}
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, fx.reopen()))
}

// TestNamesThatWindowsShortens puts files beside a memory whose names are the same
// but for dots and spaces at their ends, as programs on other systems can. The
// system opens the memory when it is asked for one of them.
func TestNamesThatWindowsShortens(t *testing.T) {
	fx := newStore(t)
	fx.put("mem_00000001", "one")
	for _, end := range []string{".", " ", ". ."} {
		path := "memories/mem_00000001.md" + end
		require.NoError(t, os.WriteFile(`\\?\`+fx.dir+`\`+filepath.FromSlash(path), []byte("another"), 0o644))
		require.NoError(t, fx.View(func(v *store.View) error {
			data, err := v.ReadBytes(path)
			require.Error(t, err, "%q holds %q", path, data)
			return nil
		}))
		require.Error(t, fx.update(func(tx *store.Tx) error { return tx.RemoveFile(path) }))
		require.Error(t, fx.update(func(tx *store.Tx) error {
			_, err := tx.ArchiveFile(path)
			return err
		}))
	}
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, fx.reopen()))
}

// TestLongPaths keeps a store deeper than 260 characters.
func TestLongPaths(t *testing.T) {
	top := filepath.Join(t.TempDir(), strings.Repeat("a", 120), strings.Repeat("b", 120))
	require.NoError(t, os.MkdirAll(top, 0o755))
	fx := storeAt(t, placesIn(top))
	fx.put("mem_00000001", "one")
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, fx.reopen()))
}

// TestAFileThatIsNotShared reads a store while a program shares nothing of one
// memory's file, and again when it has closed it.
func TestAFileThatIsNotShared(t *testing.T) {
	fx := newStore(t)
	fx.put("mem_00000001", "one")
	fx.put("mem_00000002", "two")
	name, err := windows.UTF16PtrFromString(fx.path("memories/mem_00000001.md"))
	require.NoError(t, err)
	held, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING,
		windows.FILE_ATTRIBUTE_NORMAL, 0)
	require.NoError(t, err)
	reader := fx.reopen()
	require.NoError(t, os.RemoveAll(fx.path(".cache")))
	require.NoError(t, reader.View(func(v *store.View) error {
		s, err := v.Memories()
		require.NoError(t, err)
		require.Len(t, s.Records, 1)
		require.Len(t, s.Problems, 1)
		require.Equal(t, "mem_00000001.md", s.Problems[0].File)
		return nil
	}))
	require.NoError(t, windows.CloseHandle(held))
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one", "mem_00000002": "two"}, topics(t, reader))
}
