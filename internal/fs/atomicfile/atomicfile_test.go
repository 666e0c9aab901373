package atomicfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/internal/fs/atomicfile"
)

// open returns a directory with a subdirectory "sub".
func open(t *testing.T) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	require.NoError(t, root.Mkdir("sub", 0o755))
	return root
}

// names lists a directory.
func names(t *testing.T, root *os.Root, dir string) (found []string) {
	t.Helper()
	entries, err := fs.ReadDir(root.FS(), dir)
	require.NoError(t, err)
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

func content(t *testing.T, root *os.Root, name string) string {
	t.Helper()
	data, err := root.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func TestReplace(t *testing.T) {
	for name, replace := range map[string]func(*os.Root, string,
		[]byte) error{"durable": atomicfile.Replace, "fast": atomicfile.ReplaceFast} {
		t.Run(name, func(t *testing.T) {
			root := open(t)
			for _, text := range []string{"one", "two", ""} {
				require.NoError(t, replace(root, "sub/file", []byte(text)))
				require.Equal(t, text, content(t, root, "sub/file"))
				require.Equal(t, []string{"file"}, names(t, root, "sub"))
			}
			require.NoError(t, root.MkdirAll("sub/full/x", 0o755))
			require.Error(t, replace(root, "sub/full", []byte("text")), "a directory has that name")
			require.Error(t, replace(root, "missing/file", []byte("text")))
			require.Error(t, replace(root, "../file", []byte("text")))
			require.Equal(t, []string{"file", "full"}, names(t, root, "sub"))
			require.Equal(t, []string{"sub"}, names(t, root, "."))
		})
	}
}

// TestReplaceKeepsTheMode of a file that a person made private.
func TestReplaceKeepsTheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows knows only whether a file may be written")
	}
	root := open(t)
	require.NoError(t, root.WriteFile("sub/file", nil, 0o600))
	require.NoError(t, atomicfile.Replace(root, "sub/file", []byte("text")))
	info, err := root.Lstat("sub/file")
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
}

func TestCreateAndRemove(t *testing.T) {
	root := open(t)
	require.NoError(t, atomicfile.Create(root, "sub/file", []byte("one"), 0o600))
	require.ErrorIs(t, atomicfile.Create(root, "sub/file", []byte("two"), 0o600), fs.ErrExist)
	require.Equal(t, "one", content(t, root, "sub/file"))
	require.NoError(t, atomicfile.Remove(root, "sub/file"))
	require.NoError(t, atomicfile.Remove(root, "sub/file"))
	require.Empty(t, names(t, root, "sub"))
}

func TestStage(t *testing.T) {
	root := open(t)
	staged, err := atomicfile.Stage(root, "sub/file", []byte("one"), 0)
	require.NoError(t, err)
	temps := names(t, root, "sub")
	require.Len(t, temps, 1)
	target, ok := atomicfile.TempOf(temps[0])
	require.True(t, ok)
	require.Equal(t, "file", target)
	require.NoError(t, staged.Commit("sub/file"))
	require.Equal(t, []string{"file"}, names(t, root, "sub"))

	staged, err = atomicfile.StageFast(root, "sub/file", []byte("two"))
	require.NoError(t, err)
	staged.Discard()
	require.Equal(t, []string{"file"}, names(t, root, "sub"))
	require.Equal(t, "one", content(t, root, "sub/file"))
}

// TestPublish publishes two files under one name: the first one stays until it is overwritten.
func TestPublish(t *testing.T) {
	root := open(t)
	require.NoError(t, atomicfile.Publish(root, "file", []byte("one"), 0o600))
	require.ErrorIs(t, atomicfile.Publish(root, "file", []byte("two"), 0o600), fs.ErrExist)
	require.Equal(t, "one", content(t, root, "file"))
	require.Equal(t, []string{"file", "sub"}, names(t, root, "."))
	require.NoError(t, atomicfile.Overwrite(root, "file", []byte("three"), 0o600))
	require.Equal(t, "three", content(t, root, "file"))
	require.Equal(t, []string{"file", "sub"}, names(t, root, "."))
}

// TestPermissions checks that requested permissions are set regardless of the umask.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows knows only whether a file may be written")
	}
	root := open(t)
	for _, perm := range []fs.FileMode{0o600, 0o664, 0o755, 0o777} {
		staged, err := atomicfile.Stage(root, "file", []byte("text"), perm)
		require.NoError(t, err)
		require.NoError(t, staged.Commit("file"))
		info, err := root.Lstat("file")
		require.NoError(t, err)
		require.Equal(t, perm, info.Mode().Perm())
	}
}

func TestTempOf(t *testing.T) {
	for name, want := range map[string]string{
		".file.0123456789ab":       "file",
		".a.b.c.0123456789ab":      "a.b.c",
		"..gitignore.0123456789ab": ".gitignore",
		"file.0123456789ab":        "",
		".file0123456789":          "file",
		".a.md42":                  "a.md",
		".file.0123456789a":        "",
		".file.0123456789abcd":     "",
		".file.0123456789xy":       "",
		"..0123456789ab":           "",
		".0123456789":              "",
		"..0123456789":             "",
		".0123456789ab":            "",
		".a/b.0123456789ab":        "",
		".file.swp":                "",
		"":                         "",
	} {
		got, ok := atomicfile.TempOf(name)
		require.Equal(t, want != "", ok, name)
		if ok {
			require.Equal(t, want, got, name)
		}
	}
}

func TestSweep(t *testing.T) {
	root := open(t)
	for _, name := range []string{"sub/.mine.0123456789ab", "sub/.theirs.0123456789ab", "sub/mine", "sub/.mine.swp"} {
		require.NoError(t, root.WriteFile(name, nil, 0o644))
	}
	require.NoError(t, root.Mkdir("sub/.mine.00000000000a", 0o755))
	mine := func(target string, _ fs.FileInfo) bool { return target == "mine" }
	atomicfile.Sweep(root, "sub", mine)
	require.Equal(t, []string{".mine.00000000000a", ".mine.swp", ".theirs.0123456789ab", "mine"}, names(t, root, "sub"))
	atomicfile.Sweep(root, "missing", mine)
}

// TestNoLinkLeadsOut writes through links that point outside the root.
func TestNoLinkLeadsOut(t *testing.T) {
	root, outside := open(t), t.TempDir()
	emulated.Symlink(t, outside, filepath.Join(root.Name(), "link"))
	require.Error(t, atomicfile.Replace(root, "link/file", []byte("text")))
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, entries)
}
