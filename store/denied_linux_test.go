package store_test

import (
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
	if os.Geteuid() == 0 { // for whom no permission matters
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		require.NoError(t, unix.Setfsuid(65534))
		defer func() { require.NoError(t, unix.Setfsuid(0)) }()
	}
	err := s.View(func(v *store.View) error {
		_, err := v.ReadRaw(id)
		return err
	})
	require.EqualError(t, err, "cannot read memories/"+id+".md: permission denied")
	require.Equal(t, memory.KindDiskUnreadable, memory.KindOf(err))
}
