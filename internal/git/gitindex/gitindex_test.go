package gitindex_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/internal/git/gitindex"
)

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	emulated.SkipUnderWine(t, "no git is installed there")
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// TestEach compares what is read with what git lists, for both hashes and every version.
func TestEach(t *testing.T) {
	for _, hash := range []string{"sha1", "sha256"} {
		for _, version := range []string{"2", "3", "4"} {
			t.Run(hash+" "+version, func(t *testing.T) {
				dir := t.TempDir()
				git(t, dir, "init", "-q", "--object-format="+hash)
				for i := range 40 {
					write(t, dir, fmt.Sprintf("dir%d/sub/file %d.go", i%7, i), strings.Repeat("x", i))
				}
				write(t, dir, "a", "same")
				write(t, dir, strings.Repeat("long/", 60)+"name", "same")
				git(t, dir, "add", "-A")
				if version != "2" { // of 3, only an index with an extended flag is
					write(t, dir, "intended", "x")
					git(t, dir, "add", "-N", "intended")
				}
				git(t, dir, "update-index", "--index-version", version)
				data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
				require.NoError(t, err)
				var got []string
				require.NoError(t, gitindex.Each(data, func(e gitindex.Entry) bool {
					got = append(got, e.ID()+" "+string(e.Path))
					require.True(t, e.Is(e.ID()))
					require.False(t, e.Is(strings.Repeat("0", e.Digits())))
					info, err := os.Lstat(filepath.Join(dir, string(e.Path)))
					require.NoError(t, err)
					require.Equal(t, uint32(info.Size()), e.Size)
					require.Equal(t, uint32(info.ModTime().Unix()), e.Sec)
					return true
				}))
				var want []string
				list := git(t, dir, "ls-files", "--format=%(objectname) %(path)", "--cached", "--", ".", ":!intended")
				for line := range strings.Lines(list) {
					want = append(want, strings.TrimRight(line, "\n"))
				}
				require.Equal(t, want, got)
			})
		}
	}
}

// TestAbsent has files that are not checked out, and a directory of which nothing is.
func TestAbsent(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for _, name := range []string{"a", "in/b", "out/deep/c", "out/d"} {
		write(t, dir, name, name)
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "all")
	for sparse, want := range map[string]string{
		"--no-sparse-index": "a in/b out/d- out/deep/c-",
		"--sparse-index":    "a in/b out/-",
	} {
		git(t, dir, "sparse-checkout", "set", "--cone", sparse, "in")
		data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
		require.NoError(t, err)
		var got []string
		require.NoError(t, gitindex.Each(data, func(e gitindex.Entry) bool {
			name := string(e.Path)
			if e.Absent {
				name += "-"
			}
			got = append(got, name)
			return true
		}))
		require.Equal(t, want, strings.Join(got, " "), sparse)
	}
}

// TestPathsTakeOneBuffer has an index of version 4 whose entries share a long path.
func TestPathsTakeOneBuffer(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	long := strings.Repeat("long/", 60)
	for i := range 300 {
		write(t, dir, fmt.Sprint(long, i), "x")
	}
	git(t, dir, "add", "-A")
	git(t, dir, "update-index", "--index-version", "4")
	data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	require.NoError(t, err)
	require.Less(t, testing.AllocsPerRun(5, func() {
		n := 0
		require.NoError(t, gitindex.Each(data, func(gitindex.Entry) bool { n++; return true }))
		require.Equal(t, 300, n)
	}), 100.0, "not one for each entry")
}

func TestWhatIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "a", "x")
	git(t, dir, "add", "-A")
	git(t, dir, "update-index", "--add", "--cacheinfo", "120000,"+strings.Repeat("1", 40)+",link")
	git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("2", 40)+",module")
	data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	require.NoError(t, err)
	var got []string
	require.NoError(t, gitindex.Each(data, func(e gitindex.Entry) bool {
		got = append(got, string(e.Path))
		return true
	}))
	require.Equal(t, []string{"a"}, got)

	git(t, dir, "update-index", "--split-index")
	data, err = os.ReadFile(filepath.Join(dir, ".git", "index"))
	require.NoError(t, err)
	require.ErrorIs(t, gitindex.Each(data, nil), gitindex.ErrUnknown, "half of it is in another file")
}

// FuzzEach reads any bytes: it ends, and every path is a part of them or joined of two.
func FuzzEach(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		_ = gitindex.Each(data, func(e gitindex.Entry) bool {
			n++
			require.NotEmpty(t, e.Path)
			require.Contains(t, []int{40, 64}, e.Digits())
			return true
		})
		require.LessOrEqual(t, n, len(data)/40)
	})
}
