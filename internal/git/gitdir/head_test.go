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

// answer returns what git prints.
func answer(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

func headOf(t *testing.T, dir string) gitdir.Head {
	t.Helper()
	c, ok := gitdir.Find(dir)
	require.True(t, ok)
	return c.Head()
}

// TestHead compares each answer with that of git.
func TestHead(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	base := scratch(t)
	top := filepath.Join(base, "p")
	require.NoError(t, os.Mkdir(top, 0o755))
	git(t, top, "init", "-q", "-b", "feature/first")
	require.Equal(t, gitdir.Head{Branch: "feature/first"}, headOf(t, top), "without a commit")
	git(t, top, "commit", "-q", "--allow-empty", "-m", "one")
	first := answer(t, top, "rev-parse", "HEAD")
	require.Equal(t, gitdir.Head{Branch: "feature/first", Commit: first}, headOf(t, top))
	git(t, top, "branch", "zzz")
	git(t, top, "pack-refs", "--all")
	require.Equal(t, gitdir.Head{Branch: "feature/first", Commit: first}, headOf(t, top), "packed")
	git(t, top, "commit", "-q", "--allow-empty", "-m", "two")
	second := answer(t, top, "rev-parse", "HEAD")
	require.Equal(t, gitdir.Head{Branch: "feature/first", Commit: second}, headOf(t, top), "packed, then moved")
	other := filepath.Join(base, "other")
	git(t, top, "worktree", "add", "-q", other, "zzz")
	require.Equal(t, gitdir.Head{Branch: "zzz", Commit: first}, headOf(t, other), "a linked work tree")
	git(t, top, "checkout", "-q", "--detach")
	require.Equal(t, gitdir.Head{Commit: second}, headOf(t, top), "no branch")
}

// stampOf returns the stamp of what a work tree has checked out.
func stampOf(t *testing.T, dir string) string {
	t.Helper()
	c, ok := gitdir.Find(dir)
	require.True(t, ok)
	return c.HeadStamp()
}

// TestHeadStamp differs after every change of a work tree's branch or commit, and after nothing else that people do
// there.
func TestHeadStamp(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	base := scratch(t)
	top, other := repository(t, filepath.Join(base, "p")), filepath.Join(base, "other")
	git(t, top, "worktree", "add", "-q", "-b", "feature/x", other)
	for _, dir := range []string{top, other} {
		seen := map[string]string{}
		differs := func(change ...string) {
			t.Helper()
			if change != nil {
				git(t, dir, change...)
			}
			now := stampOf(t, dir)
			require.NotContains(t, seen, now, "%v", change)
			seen[now] = strings.Join(change, " ")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte(now), 0o644))
			git(t, dir, "add", "file")
			git(t, dir, "status")
			git(t, dir, "tag", "-f", "a-tag")
			require.Equal(t, now, stampOf(t, dir), "neither branch nor commit is another one")
		}
		differs()
		for range 5 { // within one tick of a clock
			differs("commit", "-q", "-m", "more")
		}
		git(t, dir, "pack-refs", "--all", "--prune")
		differs()
		differs("commit", "-q", "-m", "on top of a packed one")
		differs("checkout", "-q", "-b", filepath.Base(dir)+"/new")
		differs("checkout", "-q", "--detach")
		differs("commit", "-q", "-m", "on no branch")
		git(t, dir, "checkout", "-q", "-f", "-")
		git(t, dir, "pack-refs", "--all", "--prune")
		before := stampOf(t, dir)
		for _, elsewhere := range []string{top, other} {
			if elsewhere != dir {
				git(t, elsewhere, "commit", "-q", "--allow-empty", "-m", "elsewhere")
				require.Equal(t, before, stampOf(t, dir), "another work tree got a commit")
			}
		}
	}
}

// TestHeadStampOfOtherForms has refs in tables, which only git reads, and things that are no refs.
func TestHeadStampOfOtherForms(t *testing.T) {
	top := scratch(t)
	write := func(name, text string) {
		path := filepath.Join(top, ".git", filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write("HEAD", "ref: refs/heads/.invalid")
	none := stampOf(t, top)
	write("reftable/tables.list", "0x01-a.ref\n0x02-b.ref\n")
	tables := stampOf(t, top)
	require.NotEqual(t, none, tables)
	write("reftable/tables.list", "0x01-a.ref\n0x03-c.ref\n")
	require.NotEqual(t, tables, stampOf(t, top))
	write("HEAD", "ref: refs/heads/../../../secret")
	write("../secret", "one")
	outside := stampOf(t, top)
	write("../secret", "two, which is longer")
	require.Equal(t, outside, stampOf(t, top))
}

// TestHeadOfDamagedFiles never fails and never leaves the directory.
func TestHeadOfDamagedFiles(t *testing.T) {
	id := strings.Repeat("0123456789", 4)
	for text, want := range map[string]gitdir.Head{
		"":                                      {},
		"\x00\x00":                              {},
		"ref:":                                  {},
		"ref: refs/heads/":                      {},
		"ref: refs/heads/../../../secret":       {},
		"ref: refs/tags/v1":                     {},
		"ref: refs/heads/-x":                    {},
		"ref: refs/heads/none":                  {Branch: "none"},
		"ref: refs/heads/packed\n":              {Branch: "packed", Commit: id},
		"ref:refs/heads/loose":                  {Branch: "loose", Commit: id},
		"ref: refs/heads/broken":                {Branch: "broken"},
		"ref: refs/heads/.invalid":              {Elsewhere: true},
		id:                                      {Commit: id},
		id + "0":                                {},
		strings.ToUpper("abcdef" + id)[:40]:     {},
		"ref: refs/heads/\x1b[31m":              {},
		"ref: refs/heads/x\nref: refs/heads/yy": {},
	} {
		top := scratch(t)
		for name, content := range map[string]string{"HEAD": text, "refs/heads/loose": id, "../secret": id,
			"refs/heads/broken": "ref: x",
			"packed-refs":       "# pack-refs with: peeled\n" + id + " refs/heads/packed\n^" + id + "\n"} {
			path := filepath.Join(top, ".git", filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		}
		require.Equal(t, want, headOf(t, top), "%q", text)
	}
}

// TestIsBranch compares the rules with those of git.
func TestIsBranch(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	for _, name := range []string{"main", "feature/x", "a.b", "-x", ".x", "x.", "x.lock", "a/.b", "a//b", "/a", "a/",
		"a..b", "a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", `a\b`, "a@{b", "a@b", "HEAD", "x\x7f", "ümlaut",
		"a\nb", "refs/heads/x", "{x}", "a;b", "$(x)", "x.lock/y", "a/x.lock"} {
		err := exec.Command("git", "check-ref-format", "--branch", name).Run()
		require.Equal(t, err == nil, gitdir.IsBranch(name), "%q", name)
	}
}

// TestRemotes compares each answer with that of git, for files as people and programs write them.
func TestRemotes(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	for name, text := range map[string]string{
		"as git writes it": "[remote \"origin\"]\n\turl = https://example.org/a/b.git\n\tfetch = +refs/heads/*\n",
		"none":             "[core]\n\tbare = false\n",
		"quotes":           "[remote \"origin\"]\nurl = \"https://example.org/a b\" # where\n",
		"escapes":          "[remote \"o\\\"r\\\\i\"]\nurl = a\\\"b\\\\c\\td\n",
		"half in quotes":   "[remote \"origin\"]\nurl = a\" b ; c\"d   ; e\n",
		"two lines":        "[remote \"origin\"]\nurl = https://example.org/\\\na/b\n",
		"on one line":      "[remote \"origin\"] url = x\n",
		"other case":       "[REMOTE \"Origin\"]\nURL = x\n",
		"two":              "[remote \"b\"]\nurl = 1\n[remote \"a\"]\nurl = 2\n[remote \"b\"]\nurl = 3\npushurl = 4\n",
		"a comment":        "# [remote \"x\"]\n; url = y\n[remote \"z\"]\n\n  ; more\n\turl=w\n",
		"windows":          "[remote \"origin\"]\r\n\turl = git@example.org:a/b.git\r\n",
		"no value":         "[remote \"origin\"]\n\tprune\n\turl = x\n",
		"blanks":           "[remote \"origin\"]\n\turl =   x  y \t \n",
	} {
		t.Run(name, func(t *testing.T) {
			top := scratch(t)
			git(t, top, "init", "-q")
			path := filepath.Join(top, ".git", "config")
			old, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, append(old, text...), 0o644))
			c, ok := gitdir.Find(top)
			require.True(t, ok)
			var want []gitdir.Remote
			out, _ := exec.Command("git", "-C", top, "config", "--local", "-z", "--get-regexp",
				`^remote\..*\.url$`).Output()
			seen := map[string]bool{}
			for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
				key, url, ok := strings.Cut(entry, "\n")
				key = strings.TrimSuffix(strings.TrimPrefix(key, "remote."), ".url")
				if ok && !seen[key] {
					seen[key] = true
					want = append(want, gitdir.Remote{Name: key, URL: url})
				}
			}
			require.Equal(t, want, c.Remotes())
			require.Equal(t, name == "none", len(want) == 0)
		})
	}
}

// FuzzRemotes reads any configuration.
func FuzzRemotes(f *testing.F) {
	f.Add("[remote \"origin\"]\n\turl = https://example.org/a/b.git\n")
	f.Fuzz(func(t *testing.T, text string) {
		top := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(top, ".git"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(top, ".git", "HEAD"), nil, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(top, ".git", "config"), []byte(text), 0o644))
		c, ok := gitdir.Find(top)
		require.True(t, ok)
		for _, r := range c.Remotes() {
			require.NotEmpty(t, r.Name)
			require.NotEmpty(t, r.URL)
		}
	})
}
