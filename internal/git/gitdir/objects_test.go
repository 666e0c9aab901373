package gitdir_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/internal/git/gitdir"
)

// TestFilesOfACommit reads what git wrote, in both of its hashes, until git packs it.
func TestFilesOfACommit(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	for _, hash := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		git := func(args ...string) {
			config := []string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}
			cmd := exec.Command("git", append(config, args...)...)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		git("init", "-q", "--object-format="+hash)
		clone, ok := gitdir.Find(dir)
		require.True(t, ok)
		_, ok = clone.Files(clone.Head().Commit, "a/b")
		require.False(t, ok, "there is no commit")
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
		text := strings.Repeat("text\n", 1000)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "b", "one file"), []byte(text), 0o644))
		git("add", ".")
		git("commit", "-q", "-m", "one")

		files, ok := clone.Files(clone.Head().Commit, "a/b")
		require.True(t, ok)
		data, ok := files.Read("one file")
		require.True(t, ok)
		require.Equal(t, text, string(data))
		_, ok = files.Read("another")
		require.False(t, ok)
		files, ok = clone.Files(clone.Head().Commit, "a/c")
		require.True(t, ok, "it is known that there is no such directory")
		_, ok = files.Read("one file")
		require.False(t, ok)

		first := clone.Head().Commit
		other := first[:len(first)-1] + "0" // a neighbor
		if other == first {
			other = first[:len(first)-1] + "1"
		}
		require.True(t, clone.Has(first), hash)
		require.False(t, clone.Has(other), hash)
		for _, id := range []string{"", first[:39], "../" + first[3:], strings.ToUpper(first)} {
			require.False(t, clone.Has(id), id)
		}
		for range 3 { // packs of several sizes
			require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte(clone.Head().Commit), 0o644))
			git("add", ".")
			git("commit", "-q", "-m", "more")
			git("repack", "-q", "-d")
		}
		head := "\377tOc\x00\x00\x00\x02"
		for _, damaged := range []string{"", head, head + strings.Repeat("\xff", 1024)} {
			name := filepath.Join(dir, ".git", "objects", "pack", "pack-0.idx")
			require.NoError(t, os.WriteFile(name, []byte(damaged), 0o644))
			require.True(t, clone.Has(first), "packed, %s", hash)
			require.True(t, clone.Has(clone.Head().Commit), "packed, %s", hash)
			require.False(t, clone.Has(other), hash)
			require.NoError(t, os.Remove(name))
		}

		git("gc", "-q", "--prune=now")
		require.True(t, clone.Has(first), hash)
		require.False(t, clone.Has(other), hash)
		_, ok = clone.Files(clone.Head().Commit, "a/b")
		require.False(t, ok)
	}
}

// TestLinkedWorkTrees tells those that are gone from those that git locked.
func TestLinkedWorkTrees(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(top, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write(".git/HEAD", "ref: refs/heads/main\n")
	write("there/.git", "gitdir: x\n")
	write(".git/worktrees/broken/HEAD", "x")
	for _, name := range []string{"there", "gone", "locked"} {
		write(".git/worktrees/"+name+"/HEAD", "ref: refs/heads/x\n")
		write(".git/worktrees/"+name+"/gitdir", filepath.Join(top, name, ".git")+"\n")
	}
	write(".git/worktrees/locked/locked", "")
	clone, ok := gitdir.Find(top)
	require.True(t, ok)
	dir := filepath.Join(top, ".git", "worktrees")
	require.Equal(t, []gitdir.Linked{
		{Dir: filepath.Join(dir, "gone"), Top: filepath.Join(top, "gone"), Gone: true},
		{Dir: filepath.Join(dir, "locked"), Top: filepath.Join(top, "locked")},
		{Dir: filepath.Join(dir, "there"), Top: filepath.Join(top, "there")},
	}, clone.Linked())
}
