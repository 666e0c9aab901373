package regular_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/internal/fs/regular"
)

func open(t *testing.T) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	require.NoError(t, root.WriteFile("file", []byte("0123456789"), 0o644))
	require.NoError(t, root.Mkdir("directory", 0o755))
	return root
}

func TestRead(t *testing.T) {
	root := open(t)
	data, err := regular.Read(root, "file", 10)
	require.NoError(t, err)
	require.Equal(t, "0123456789", string(data))
	_, err = regular.Read(root, "file", 9)
	require.ErrorIs(t, err, regular.ErrSize)
	_, err = regular.Read(root, "directory", 9)
	require.ErrorIs(t, err, regular.ErrKind)
	_, err = regular.Read(root, "missing", 9)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestInfo(t *testing.T) {
	root := open(t)
	info, err := regular.Info(root, "file")
	require.NoError(t, err)
	require.Equal(t, int64(10), info.Size())
	info, err = regular.Info(root, "missing")
	require.NoError(t, err)
	require.Nil(t, info)
	_, err = regular.Info(root, "directory")
	require.ErrorIs(t, err, regular.ErrKind)
}

func TestTail(t *testing.T) {
	root := open(t)
	for n, want := range map[int64]string{3: "789", 10: "0123456789", 99: "0123456789"} {
		tail, whole, err := regular.Tail(root, "file", n)
		require.NoError(t, err)
		require.Equal(t, want, string(tail))
		require.Equal(t, n >= 10, whole)
	}
	tail, whole, err := regular.Tail(root, "missing", 3)
	require.NoError(t, err)
	require.True(t, whole)
	require.Empty(t, tail)
	_, _, err = regular.Tail(root, "directory", 3)
	require.ErrorIs(t, err, regular.ErrKind)
}

// TestNoLinkIsFollowed has a link in place of a file, to a file beside it.
func TestNoLinkIsFollowed(t *testing.T) {
	root := open(t)
	emulated.Symlink(t, "file", filepath.Join(root.Name(), "link"))
	_, err := regular.Read(root, "link", 99)
	require.ErrorIs(t, err, regular.ErrKind)
}
