package locate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
	"ltm/internal/emulated"
	"ltm/internal/git/gitdir"
	"ltm/store"
)

// scratch is a temporary directory, with links resolved.
type scratch string

func newScratch(t *testing.T) scratch {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return scratch(dir)
}

// in returns a path below the directory, which is written with slashes.
func (s scratch) in(path string) string { return filepath.Join(string(s), filepath.FromSlash(path)) }

// mkdir makes directories.
func (s scratch) mkdir(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		require.NoError(t, os.MkdirAll(s.in(path), 0o755))
	}
}

// git runs git in a directory, without the machine's configuration.
func (s scratch) git(t *testing.T, dir string, args ...string) {
	t.Helper()
	emulated.SkipUnderWine(t, "no git is installed there")
	cmd := exec.Command("git", append([]string{"-C", s.in(dir), "-c", "user.name=a", "-c", "user.email=a@b", "-c",
		"protocol.file.allow=always"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// repository makes a repository with one commit.
func (s scratch) repository(t *testing.T, path string) {
	t.Helper()
	s.mkdir(t, path)
	s.git(t, path, "init", "-q")
	s.git(t, path, "commit", "-q", "--allow-empty", "-m", "first")
}

// places returns the places of a store in git.
func (s scratch) places(dir, tree, clone string) store.Places {
	git := func(private string) string {
		dir, _, _ := strings.Cut(s.in(private), string(filepath.Separator)+"ltm")
		return dir
	}
	project := locate.Resolved(s.in(strings.TrimSuffix(dir, ".claude/ltm")))
	return store.Places{Store: s.in(dir), Tree: s.in(tree), Clone: s.in(clone), Key: s.in(clone + "/trust.key"),
		Git: gitdir.Clone{Top: gitdir.Top(project), Dir: git(tree), Common: git(clone)}}
}

func TestStore(t *testing.T) {
	s := newScratch(t)
	s.mkdir(t, "repo/.git", "repo/a/b", "repo/a/.claude/ltm", "plain/x", "home/.claude/ltm", "home/work",
		"home/repo/.git", "above/.claude/ltm", "above/repo/.git/x", "inner/.git", "inner/a/.claude/ltm/.git",
		"inner/a/.claude/ltm/x/.claude/ltm", "home/.claude/ltm/own")
	for name, test := range map[string]struct {
		where     locate.Where
		want, why string
	}{
		"override": {locate.Where{Override: s.in("x"), Project: s.in("repo")}, "x", "LTM_DIR names it"},
		"nearest at or above": {locate.Where{Project: s.in("repo/a/b")}, "repo/a/.claude/ltm", "found at or above " +
			s.in("repo/a/b")},
		"top of the tree": {locate.Where{Project: s.in("repo")}, "repo/.claude/ltm",
			"the top of the git work tree"},
		"cwd without project": {locate.Where{Cwd: s.in("repo")}, "repo/.claude/ltm", "the top of the git work tree"},
		"project before cwd": {locate.Where{Project: s.in("repo"), Cwd: s.in("plain")}, "repo/.claude/ltm",
			"the top of the git work tree"},
		"not above the top": {locate.Where{Project: s.in("above/repo")}, "above/repo/.claude/ltm",
			"the top of the git work tree"},
		"no git": {locate.Where{Project: s.in("plain/x"), Home: string(s)}, "plain/x/.claude/ltm",
			"the project directory, which is not in a git work tree"},
		"not the home's": {locate.Where{Project: s.in("home/work"), Home: s.in("home")},
			"home/work/.claude/ltm", "the project directory, which is not in a git work tree"},
		"the home when started": {locate.Where{Project: s.in("home"), Home: s.in("home")}, "home/.claude/ltm",
			"found at or above " + s.in("home")},
		"a repository at home": {locate.Where{Project: s.in("home/repo"), Home: s.in("home")},
			"home/repo/.claude/ltm", "the top of the git work tree"},
		"in a store": {locate.Where{Project: s.in("inner/a/.claude/ltm")}, "inner/a/.claude/ltm",
			"found at or above " + s.in("inner/a")},
		"deep in a store": {locate.Where{Cwd: s.in("inner/a/.claude/ltm/x/.claude/ltm")}, "inner/a/.claude/ltm",
			"found at or above " + s.in("inner/a")},
		"in the home's": {locate.Where{Cwd: s.in("home/.claude/ltm/own"), Home: s.in("home")},
			"home/.claude/ltm/own/.claude/ltm", "the project directory, which is not in a git work tree"},
		"a store that is a file": {locate.Where{Project: s.in("plain"), Home: string(s)}, "plain/.claude/ltm",
			"the project directory, which is not in a git work tree"},
	} {
		t.Run(name, func(t *testing.T) {
			found := locate.Store(test.where)
			require.Equal(t, s.in(test.want), found.Store)
			require.Equal(t, test.why, found.Why)
			require.Equal(t, test.where.Override != "", found.Named)
		})
	}
}

// TestTheHomeByAnotherName does not look for a store in the home directory, by
// whatever path it is reached.
func TestTheHomeByAnotherName(t *testing.T) {
	s := newScratch(t)
	s.mkdir(t, "home/.claude/ltm", "home/work")
	require.NoError(t, os.Symlink(s.in("home"), s.in("link")))
	require.Equal(t, s.in("link/work/.claude/ltm"), locate.Store(locate.Where{Project: s.in("link/work"),
		Home: s.in("home")}).Store)
}

func TestARelativeOverride(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	t.Chdir(s.in("repo"))
	found := locate.Store(locate.Where{Override: "memory"})
	require.Equal(t, s.in("repo/memory"), found.Store)
	require.Equal(t, s.in("repo/.git/ltm/stores/memory"), found.Clone)
}

// TestPlacesInTheMainWorkTree asks about a store that exists, and one that does not.
func TestPlacesInTheMainWorkTree(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	want := s.places("repo/.claude/ltm", "repo/.git/ltm", "repo/.git/ltm")
	require.Equal(t, want, locate.Places(s.in("repo/.claude/ltm"), s.in("person")))
	s.mkdir(t, "repo/.claude/ltm")
	require.Equal(t, want, locate.Places(s.in("repo/.claude/ltm"), s.in("person")))
}

// TestPlacesOfSeveralStores gives every store of a repository directories of its
// own, none of which is inside another's.
func TestPlacesOfSeveralStores(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	seen := map[string]string{}
	for dir, below := range map[string]string{
		".claude/ltm":                 "ltm",
		"a/.claude/ltm":               "ltm/stores/a%2F.claude%2Fltm",
		"a/b/.claude/ltm":             "ltm/stores/a%2Fb%2F.claude%2Fltm",
		"a%2Fb/.claude/ltm":           "ltm/stores/a%252Fb%2F.claude%2Fltm",
		"named":                       "ltm/stores/named",
		"stores/named":                "ltm/stores/stores%2Fnamed",
		"with blanks/über/memories":   "ltm/stores/with%20blanks%2F%C3%BCber%2Fmemories",
		".claude/ltm/.claude/ltm":     "ltm/stores/.claude%2Fltm%2F.claude%2Fltm",
		"..hidden/.claude/ltm":        "ltm/stores/..hidden%2F.claude%2Fltm",
		"a/.claude/ltm/../../.claude": "ltm/stores/a%2F.claude",
	} {
		places := locate.Places(filepath.Clean(s.in("repo/"+dir)), s.in("person"))
		require.Equal(t, s.places("repo/"+dir, "repo/.git/"+below, "repo/.git/"+below), places)
		require.Empty(t, seen[places.Clone], "%s and %s", dir, seen[places.Clone])
		seen[places.Clone] = dir
	}
}

// TestPlacesOfTheWorkTreeItself has LTM_DIR at the top of the repository.
func TestPlacesOfTheWorkTreeItself(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	require.Equal(t, s.places("repo", "repo/.git/ltm/stores/%2E", "repo/.git/ltm/stores/%2E"),
		locate.Places(s.in("repo"), ""))
}

// TestPlacesOfADeepStore has names that a file system takes, and different ones for
// paths that begin alike.
func TestPlacesOfADeepStore(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	deep := "repo/" + strings.Repeat("directory/", 30)
	one, other := locate.Places(s.in(deep+"one"), ""), locate.Places(s.in(deep+"other"), "")
	require.NotEqual(t, one.Clone, other.Clone)
	require.NoError(t, os.MkdirAll(one.Clone, 0o755))
	require.Equal(t, s.in("repo/.git/ltm/stores"), filepath.Dir(one.Clone))
}

func TestPlacesOutsideOfGit(t *testing.T) {
	s := newScratch(t)
	local := s.in("plain/.claude/ltm/.local")
	want := store.Places{Store: s.in("plain/.claude/ltm"), Tree: local, Clone: local, Key: s.in("person/trust.key"),
		Local: true}
	require.Equal(t, want, locate.Places(s.in("plain/.claude/ltm"), s.in("person")))
	want.Key = ""
	require.Equal(t, want, locate.Places(s.in("plain/.claude/ltm"), ""))

	// A directory that is only named ".git" is not followed.
	s.mkdir(t, "plain/.git")
	require.Equal(t, want, locate.Places(s.in("plain/.claude/ltm"), ""))
	s.repository(t, "other")
	require.NoError(t, os.Remove(s.in("plain/.git")))
	require.NoError(t, os.WriteFile(s.in("plain/.git"), []byte("gitdir: "+s.in("other/.git")+"\n"), 0o644))
	require.Equal(t, want, locate.Places(s.in("plain/.claude/ltm"), ""))
}

// TestPlacesInALinkedWorkTree has the directory of the clone in common, and caches of its own.
func TestPlacesInALinkedWorkTree(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	s.git(t, "repo", "worktree", "add", "-q", s.in("other"))
	require.Equal(t, s.places("other/.claude/ltm", "repo/.git/worktrees/other/ltm", "repo/.git/ltm"),
		locate.Places(s.in("other/.claude/ltm"), ""))
	require.Equal(t, s.places("other/a/.claude/ltm", "repo/.git/worktrees/other/ltm/stores/a%2F.claude%2Fltm",
		"repo/.git/ltm/stores/a%2F.claude%2Fltm"),
		locate.Places(s.in("other/a/.claude/ltm"), ""))
	require.Equal(t, s.in("other/.claude/ltm"), locate.Store(locate.Where{Project: s.in("other")}).Store)
}

func TestPlacesOfABareRepository(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	s.git(t, "repo", "clone", "-q", "--bare", s.in("repo"), s.in("bare.git"))
	s.git(t, "bare.git", "worktree", "add", "-q", s.in("tree"))
	require.Equal(t, s.places("tree/.claude/ltm", "bare.git/worktrees/tree/ltm", "bare.git/ltm"),
		locate.Places(s.in("tree/.claude/ltm"), ""))
}

// TestPlacesInASubmodule keeps a submodule's store apart from that of the project
// around it.
func TestPlacesInASubmodule(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "inner")
	s.repository(t, "outer")
	s.git(t, "outer", "submodule", "--quiet", "add", s.in("inner"), "sub")
	s.mkdir(t, "outer/.claude/ltm")
	found := locate.Store(locate.Where{Project: s.in("outer/sub")})
	require.Equal(t, s.places("outer/sub/.claude/ltm", "outer/.git/modules/sub/ltm", "outer/.git/modules/sub/ltm"),
		found.Places)
	require.Equal(t, s.places("outer/.claude/ltm", "outer/.git/ltm", "outer/.git/ltm"),
		locate.Store(locate.Where{Project: s.in("outer")}).Places)
}

// TestPlacesOfALink has those of the directory that a link leads to: within the
// project, and to it from elsewhere.
func TestPlacesOfALink(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	s.mkdir(t, "repo/memory/ltm", "repo/.claude", "outside")
	require.NoError(t, os.Symlink(filepath.Join("..", "memory", "ltm"), s.in("repo/.claude/ltm")))
	require.NoError(t, os.Symlink(s.in("repo"), s.in("alias")))
	for _, dir := range []string{"repo/.claude/ltm", "alias/.claude/ltm", "repo/memory/ltm", "alias/memory/ltm"} {
		require.Equal(t, s.places(dir, "repo/.git/ltm/stores/memory%2Fltm", "repo/.git/ltm/stores/memory%2Fltm"),
			locate.Places(s.in(dir), ""), dir)
	}
	require.Equal(t, s.places("alias/a/.claude/ltm", "repo/.git/ltm/stores/a%2F.claude%2Fltm",
		"repo/.git/ltm/stores/a%2F.claude%2Fltm"), locate.Places(s.in("alias/a/.claude/ltm"), ""))

	// A link that leads out of the repository belongs to no clone.
	require.NoError(t, os.Symlink(s.in("outside"), s.in("repo/out")))
	places := locate.Places(s.in("repo/out"), "")
	require.True(t, places.Local)
	require.Equal(t, s.in("repo/out/.local"), places.Clone)
}

// TestAStoreThatIsARepositoryDoesNotKeepItsOwnRecords leads to the project's clone,
// whatever the store brings.
func TestAStoreThatIsARepositoryDoesNotKeepItsOwnRecords(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	s.repository(t, "repo/.claude/ltm")
	found := locate.Store(locate.Where{Project: s.in("repo")})
	require.Equal(t, s.places("repo/.claude/ltm", "repo/.git/ltm", "repo/.git/ltm"), found.Places)
}
