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

// git runs git in a directory with a fixed identity and without the machine's
// configuration.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	emulated.SkipUnderWine(t, "no git is installed there")
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "-c",
		"protocol.file.allow=always"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// scratch returns an empty directory, with links resolved.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return dir
}

// repository makes a repository with one commit and returns its top.
func repository(t *testing.T, dir string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	git(t, dir, "init", "-q")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func TestFindInTheMainWorkTree(t *testing.T) {
	top := repository(t, filepath.Join(scratch(t), "p"))
	require.NoError(t, os.MkdirAll(filepath.Join(top, "a", "b"), 0o755))
	for _, dir := range []string{top, filepath.Join(top, "a", "b")} {
		got, ok := gitdir.Find(dir)
		require.True(t, ok)
		require.Equal(t, gitdir.Clone{Top: top, Dir: filepath.Join(top, ".git"), Common: filepath.Join(top, ".git")},
			got)
	}
}

func TestFindInALinkedWorkTree(t *testing.T) {
	base := scratch(t)
	top := repository(t, filepath.Join(base, "p"))
	other := filepath.Join(base, "other")
	git(t, top, "worktree", "add", "-q", other)
	got, ok := gitdir.Find(other)
	require.True(t, ok)
	require.Equal(t, gitdir.Clone{Top: other, Dir: filepath.Join(top, ".git", "worktrees", "other"),
		Common: filepath.Join(top, ".git")}, got)
}

func TestFindInAWorkTreeOfABareRepository(t *testing.T) {
	base := scratch(t)
	top := repository(t, filepath.Join(base, "p"))
	bare := filepath.Join(base, "p.git")
	git(t, base, "clone", "-q", "--bare", top, bare)
	tree := filepath.Join(base, "tree")
	git(t, bare, "worktree", "add", "-q", tree)
	got, ok := gitdir.Find(tree)
	require.True(t, ok)
	require.Equal(t, bare, got.Common)
}

// TestOthers lists the work trees that are there, from each of them.
func TestOthers(t *testing.T) {
	base := scratch(t)
	tops := func(dir string) (all []string) {
		clone, ok := gitdir.Find(dir)
		require.True(t, ok)
		for _, other := range clone.Others() {
			all = append(all, other.Top)
		}
		return all
	}
	at := func(name string) string { return filepath.Join(base, name) }
	repository(t, at("p"))
	require.Empty(t, tops(at("p")))
	for _, name := range []string{"a", "b", "gone", "replaced"} {
		git(t, at("p"), "worktree", "add", "-q", at(name))
	}
	require.NoError(t, os.RemoveAll(at("gone")))
	require.NoError(t, os.RemoveAll(at("replaced")))
	repository(t, at("replaced"))
	require.Equal(t, []string{at("a"), at("b")}, tops(at("p")))
	require.Equal(t, []string{at("p"), at("b")}, tops(at("a")))

	git(t, base, "clone", "-q", "--bare", at("p"), at("bare/.git"))
	git(t, at("bare"), "worktree", "add", "-q", at("one"), "HEAD")
	git(t, at("bare"), "worktree", "add", "-q", at("two"), "HEAD")
	require.Equal(t, []string{at("two")}, tops(at("one")))
	git(t, at("one"), "sparse-checkout", "set", "x") // moves core.bare to another file
	require.Equal(t, []string{at("two")}, tops(at("one")))

	repository(t, at("outer"))
	git(t, at("outer"), "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", at("p"), "sub")
	git(t, at("outer/sub"), "worktree", "add", "-q", at("linked"))
	require.Equal(t, []string{at("outer/sub")}, tops(at("linked")))
}

func TestFindInASubmodule(t *testing.T) {
	base := scratch(t)
	inner, outer := repository(t, filepath.Join(base, "inner")), repository(t, filepath.Join(base, "outer"))
	git(t, outer, "submodule", "--quiet", "add", inner, "sub")
	sub := filepath.Join(outer, "sub")
	got, ok := gitdir.Find(sub)
	require.True(t, ok)
	modules := filepath.Join(outer, ".git", "modules", "sub")
	require.Equal(t, gitdir.Clone{Top: sub, Dir: modules, Common: modules}, got)
}

func TestFindWithASeparateGitDirectory(t *testing.T) {
	base := scratch(t)
	top, dir := filepath.Join(base, "p"), filepath.Join(base, "elsewhere")
	git(t, base, "init", "-q", "--separate-git-dir", dir, top)
	got, ok := gitdir.Find(top)
	require.True(t, ok)
	require.Equal(t, dir, got.Common)
}

// A ".git" file can come with a download and name any directory.
func TestAGitFileIsNotFollowedIntoAnotherProject(t *testing.T) {
	base := scratch(t)
	other := repository(t, filepath.Join(base, "other"))
	tree := filepath.Join(base, "tree")
	git(t, other, "worktree", "add", "-q", tree)
	inner, outer := repository(t, filepath.Join(base, "inner")), repository(t, filepath.Join(base, "outer"))
	git(t, outer, "submodule", "--quiet", "add", inner, "sub")
	for name, target := range map[string]string{
		"a project's .git":       filepath.Join(other, ".git"),
		"another's work tree":    filepath.Join(other, ".git", "worktrees", "tree"),
		"another's submodule":    filepath.Join(outer, ".git", "modules", "sub"),
		"a plain directory":      base,
		"nothing":                filepath.Join(base, "nothing"),
		"a path with a line end": filepath.Join(other, ".git") + "\nmore",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+target+"\n"), 0o644))
			_, ok := gitdir.Find(dir)
			require.False(t, ok)
		})
	}
}

func TestADirectoryNamedGitIsNotEnough(t *testing.T) {
	dir := scratch(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	_, ok := gitdir.Find(dir)
	require.False(t, ok)
	require.Equal(t, dir, gitdir.Top(dir))
}

// FuzzFind lets the small files of git that lead from a work tree to its clone hold
// anything; TOP in them is the directory of both. A link that is followed leads to
// a git directory that refers back.
func FuzzFind(f *testing.F) {
	f.Fuzz(func(t *testing.T, link, back, common string) {
		top := scratch(t)
		put := func(name, text string) {
			path := filepath.Join(top, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "TOP", top)), 0o644))
		}
		kept := "clone/.git/worktrees/tree/"
		put("clone/.git/HEAD", "ref: refs/heads/main\n")
		put(kept+"HEAD", "ref: refs/heads/tree\n")
		put("tree/.git", link)
		put(kept+"gitdir", back)
		put(kept+"commondir", common)
		got, ok := gitdir.Find(filepath.Join(top, "tree"))
		if !ok {
			return
		}
		require.Equal(t, filepath.Join(top, "tree"), got.Top)
		require.FileExists(t, filepath.Join(got.Dir, "HEAD"))
		if gitdir.SameFile(got.Dir, filepath.Join(top, filepath.FromSlash(kept))) {
			line, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(back, "TOP", top)), "\n")
			require.NotEmpty(t, line, "it refers back")
		}
	})
}
