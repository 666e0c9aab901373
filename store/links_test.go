//go:build !windows

// Symbolic links need a privilege on Windows.

package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/store"
)

func TestALinkInPlaceOfTheLocalFilesIsRefused(t *testing.T) {
	f := storeAt(t, localIn(t.TempDir()))
	outside := t.TempDir()
	require.NoError(t, os.MkdirAll(f.dir, 0o755))
	require.NoError(t, os.Symlink(outside, f.path(".local")))
	require.Error(t, f.update(func(tx *store.Tx) error {
		return tx.WriteMemory("mem_00000001",
			fileOf("mem_00000001", "one"))
	}))
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestTheLockIsNeverALink(t *testing.T) {
	f := newStore(t)
	f.putOwn("mem_00000001")
	outside := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.Remove(f.path("clone/lock")))
	require.NoError(t, os.Symlink(outside, f.path("clone/lock")))
	err := f.Update(context.Background(), store.UpdateOptions{Wait: patience}, func(*store.Tx) error { return nil })
	require.ErrorContains(t, err, "not a regular file")
	require.NoFileExists(t, outside)
}
