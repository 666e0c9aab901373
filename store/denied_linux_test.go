package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ltm/memory"
	"ltm/store"
)

// TestDeniedReadSaysReadable reads a memory that another user keeps to itself.
func TestDeniedReadSaysReadable(t *testing.T) {
	const id = "mem_0000000a"
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	require.NoError(t, os.Chmod(dir, 0o755))
	memories := filepath.Join(dir, ".claude", "ltm", "memories")
	require.NoError(t, os.MkdirAll(memories, 0o755))
	path := filepath.Join(memories, id+".md")
	require.NoError(t, os.WriteFile(path, []byte("---\ntopic: Private\n---\nText.\n"), 0o000))
	s := store.New(store.Places{Store: filepath.Dir(memories), Clone: filepath.Join(dir, "clone"),
		Tree: filepath.Join(dir, "tree")}, time.Now)
	defer asNobody(t)()
	err := s.View(func(v *store.View) error {
		_, err := v.ReadRaw(id)
		return err
	})
	require.EqualError(t, err, "cannot read memories/"+id+".md: permission denied")
	require.Equal(t, memory.KindDiskUnreadable, memory.KindOf(err))
}

// asNobody makes the test one without permissions, until the returned function is called.
func asNobody(t *testing.T) (back func()) {
	t.Helper()
	if os.Geteuid() != 0 { // root, for whom no permission matters
		return func() {}
	}
	runtime.LockOSThread()
	require.NoError(t, unix.Setfsuid(65534))
	return func() {
		require.NoError(t, unix.Setfsuid(0))
		runtime.UnlockOSThread()
	}
}

// TestABatchThatCannotBeReadNowStays meets the list of another user's interrupted batch: to take it
// for a damaged one would lose the files that have no names yet.
func TestABatchThatCannotBeReadNowStays(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	f.interrupted([3]string{"mem_00000001.md", "another", "one"}, [3]string{"mem_00000002.md", "two", ""})
	list := f.path("tree/batch.json")
	top := filepath.Dir(filepath.Dir(filepath.Dir(list)))
	require.NoError(t, os.Chmod(filepath.Dir(top), 0o755))
	require.NoError(t, filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chmod(path, 0o777))
	}))
	require.NoError(t, os.Chmod(list, 0o000))
	back := asNobody(t)
	err := f.update(func(tx *store.Tx) error { return tx.WriteMemory("mem_00000003", fileOf("mem_00000003", "three")) })
	back()
	require.Equal(t, memory.KindDiskUnreadable, memory.KindOf(err))
	require.FileExists(t, list)

	require.NoError(t, os.Chmod(list, 0o600))
	require.Equal(t, map[memory.ID]string{"mem_00000001": "another", "mem_00000002": "two"}, topics(t, f.reopen()))
}
