package gitstore

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
	"ltm/internal/emulated"
	"ltm/internal/git/gitdir"
	"ltm/store"
	"ltm/tests/gittrap"
)

// worked is a repository with one commit of these files, and with the place of a store.
type worked struct {
	Store
	t   *testing.T
	dir string
}

func newWorked(t *testing.T, files ...string) worked {
	t.Helper()
	emulated.SkipUnderWine(t, "no git is installed there")
	w := worked{t: t, dir: t.TempDir()}
	w.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	var p locate.Place
	p.Store = filepath.Join(w.dir, filepath.FromSlash(store.Folder))
	w.Place = p
	w.git("init", "-q", "-b", "main")
	for _, name := range files {
		w.write(name, "text of "+name+"\n")
	}
	w.git("add", "-A")
	w.git("commit", "-q", "--allow-empty", "-m", "first")
	return w
}

func (w worked) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c",
		"protocol.file.allow=always"}, args...)...)
	cmd.Dir, cmd.Env = w.dir, w.Environ
	out, err := cmd.CombinedOutput()
	require.NoError(w.t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

func (w worked) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(w.t, os.WriteFile(path, []byte(text), 0o644))
}

// touch gives a file another time.
func (w worked) touch(name string, at time.Time) {
	w.t.Helper()
	require.NoError(w.t, os.Chtimes(filepath.Join(w.dir, filepath.FromSlash(name)), at, at))
}

func TestHead(t *testing.T) {
	w := newWorked(t, "a")
	first := w.git("rev-parse", "HEAD")
	head := func() []string {
		branch, commit, origin := w.Head(t.Context())
		return []string{branch, commit, origin}
	}
	require.Equal(t, []string{"main", first, ""}, head())
	w.git("remote", "add", "up", "https://mira:"+"s3cret@Example.org:8443/harbor/tide-gauge.git")
	require.Equal(t, []string{"main", first, "example.org/harbor/tide-gauge"}, head(), "the only remote")
	w.git("remote", "add", "other", "https://example.org/x/y")
	require.Equal(t, []string{"main", first, ""}, head(), "none of two")
	w.git("remote", "add", "origin", "git@example.org:me/gauge")
	w.git("checkout", "-q", "-b", "feature/x")
	require.Equal(t, []string{"feature/x", first, "example.org/me/gauge"}, head())
	w.git("checkout", "-q", "--detach")
	require.Equal(t, []string{"", first, "example.org/me/gauge"}, head())
	require.NoError(t, os.RemoveAll(filepath.Join(w.dir, ".git")))
	require.Equal(t, []string{"", "", ""}, head())
}

// TestHeadElsewhere has a git that keeps its refs in a form of its own.
func TestHeadElsewhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	w := newWorked(t)
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, ".git", "HEAD"), []byte("ref: refs/heads/.invalid\n"), 0o644))
	branch, commit, _ := w.Head(t.Context())
	require.Empty(t, branch+commit, "this git does not know either")
	bin, id := t.TempDir(), strings.Repeat("5a", 20)
	script := "#!/bin/sh\ncase \"$*\" in *symbolic*) echo refs/heads/told;; *) echo " + id + ";; esac\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
	w.Environ = []string{"PATH=" + bin}
	branch, commit, _ = w.Head(t.Context())
	require.Equal(t, []string{"told", id}, []string{branch, commit})
}

func TestOrigin(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/harbor/tide-gauge.git":         "example.org/harbor/tide-gauge",
		"https://example.org/harbor/tide-gauge/":            "example.org/harbor/tide-gauge",
		"https://user:" + "t0ken@Example.ORG/a/b":           "example.org/a/b",
		"https://t0ken@example.org:8443/a/b.git":            "example.org/a/b",
		"http://example.org/a/b?token=x#y":                  "example.org/a/b",
		"ssh://git@example.org:2222/a/b.git":                "example.org/a/b",
		"git+ssh://git@example.org/a/b":                     "example.org/a/b",
		"git://example.org/a/b":                             "example.org/a/b",
		"git@example.org:a/b.git":                           "example.org/a/b",
		"user:pass@example.org:a/b":                         "", // the host would be "user"
		"example.org:a/b/c/d.git":                           "example.org/a/b/c/d",
		"alias:a/b":                                         "alias/a/b",
		"git@example.org:/a/b":                              "example.org/a/b",
		"https://example.org/a/b.c_d~e+f":                   "example.org/a/b.c_d~e+f",
		"https://[2001:db8::1]/a/b":                         "2001:db8::1/a/b",
		"  https://example.org/a/b\n":                       "example.org/a/b",
		"":                                                  "",
		"/home/mira/gauge":                                  "",
		"../gauge":                                          "",
		"./a:b":                                             "",
		"gauge":                                             "",
		`C:\Users\mira\gauge`:                               "",
		"C:/Users/mira/gauge":                               "",
		`\\server\share\gauge`:                              "",
		"file:///home/mira/gauge":                           "",
		"file://server/share/gauge":                         "",
		"ext::sh -c x":                                      "",
		"foo::https://example.org/a/b":                      "",
		"s3://bucket/a/b":                                   "",
		"https://localhost/a/b":                             "",
		"http://127.0.0.1:3000/a/b":                         "",
		"http://[::1]/a/b":                                  "",
		"http://git.localhost/a/b":                          "",
		"git@example.org:~mira/gauge":                       "",
		"ssh://git@example.org/home/mira/gauge":             "",
		"git@example.org:/Users/mira/gauge":                 "",
		"https://example.org":                               "",
		"https://example.org/":                              "",
		"https:///a/b":                                      "",
		"https://example.org/a/../b":                        "",
		"https://example.org/a//b":                          "",
		"https://example.org/a%0ab":                         "",
		"https://example.org/a/b%20c":                       "",
		"https://example.org/\x1b[31m/b":                    "",
		"https://%zz/a":                                     "",
		"git@example.org:a/\u202eb":                         "",
		"https://example.org/a/" + strings.Repeat("b", 300): "",
		"[git@example.org:22]:a/b":                          "",
		"git@example.org:2222:a/b":                          "",
		"git@.:a":                                           "",
		"git@-x:a/b":                                        "",
		"git@ex_ample:a/b":                                  "",
		"git@a b:c":                                         "",
		"https://example.org/a/.git":                        "example.org/a",
		"https://user:" + "p%40ss@example.org/a/b":          "example.org/a/b",
		"https://user:" + "p@ss@example.org/a/b":            "example.org/a/b",
		"https://user:" + "p/ss@example.org/a/b":            "",
		"oauth2:" + strings.Repeat("x", 9) + "@example.org:/a/b.git": "",
	} {
		require.Equal(t, want, Origin(address), "%q", address)
	}
}

// FuzzOrigin never lets through what precedes an "@" or is not plain.
func FuzzOrigin(f *testing.F) {
	f.Add("https://user:pass@example.org/a/b.git")
	f.Fuzz(func(t *testing.T, address string) {
		got := Origin(address)
		if got == "" {
			return
		}
		require.NotContains(t, got, "@")
		require.LessOrEqual(t, len(got), maxOrigin)
		require.Contains(t, got, "/")
		host, path, _ := strings.Cut(got, "/")
		require.True(t, isHost(host))
		require.Negative(t, strings.IndexFunc(path, unusual))
		require.Equal(t, got, Origin("https://"+bracketed(got)), "it is the address of itself")
	})
}

// bracketed puts brackets around a host that is an IPv6 address.
func bracketed(origin string) string {
	host, path, _ := strings.Cut(origin, "/")
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + "/" + path
}

func TestDirty(t *testing.T) {
	w := newWorked(t, "same", "edited", "sub/edited", "same-size", "removed", "touched", "crlf", "staged", "both",
		"assumed", "skipped", ".gitignore", "löschen \"1\"\nx")
	past := time.Now().Add(-time.Hour)
	require.Empty(t, w.Dirty(t.Context(), 100))
	w.write(".gitignore", "*.o\n")
	w.git("commit", "-qam", "ignore")
	for _, name := range []string{"same", "edited", "same-size", "touched", "crlf"} {
		w.touch(name, past)
	}
	w.git("update-index", "--refresh")
	require.Empty(t, w.Dirty(t.Context(), 100))

	w.write("edited", "another text\n")
	w.write("sub/edited", "another text\n")
	w.write("same-size", "TEXT of same-size\n")
	w.touch("touched", past.Add(time.Minute))
	w.write("crlf", "text of crlf\r\n")
	require.NoError(t, os.Remove(filepath.Join(w.dir, "removed")))
	w.write("staged", "staged\n")
	w.write("both", "staged\n")
	w.git("add", "staged", "both")
	w.write("both", "and edited\n")
	w.git("update-index", "--assume-unchanged", "assumed")
	w.git("update-index", "--skip-worktree", "skipped")
	w.write("assumed", "x")
	require.NoError(t, os.Remove(filepath.Join(w.dir, "skipped")))
	w.write("löschen \"1\"\nx", "x")
	w.write("new", "x")
	w.write("new-dir/a", "x")
	w.write("new-dir/b", "x")
	w.write("ignored.o", "x")
	w.write(".claude/ltm/packets/x.json", "{}")
	want := []string{"both", "edited", "löschen \"1\"\nx", "new", "new-dir/", "removed", "same-size", "staged",
		"sub/edited"}
	require.Equal(t, want, w.Dirty(t.Context(), 100))
	w.write("sub/[x]/.claude/ltm/y", "x")
	there := w.Store
	there.Place.Store = filepath.Join(w.dir, "sub", "[x]", ".claude", "ltm")
	require.Equal(t, append([]string{".claude/"}, want...), there.Dirty(t.Context(), 100), "another store's")
	require.NoError(t, os.RemoveAll(filepath.Join(w.dir, "sub", "[x]")))
	require.Equal(t, want[:2], w.Dirty(t.Context(), 2))
	require.Empty(t, w.Dirty(t.Context(), 0))
	require.Empty(t, w.Dirty(t.Context(), -1))
	w.write(".claude/settings.json", "{}")
	require.Equal(t, append([]string{".claude/"}, want...), w.Dirty(t.Context(), 100))
}

// TestDiffer asks of files that had changes whether they still do.
func TestDiffer(t *testing.T) {
	w := newWorked(t, "same", "edited", "removed", "sub/edited")
	w.write("edited", "another text\n")
	w.write("sub/edited", "another text\n")
	w.write("new", "x")
	w.write("new-dir/a", "x")
	require.NoError(t, os.Remove(filepath.Join(w.dir, "removed")))
	for _, c := range []struct {
		paths []string
		want  int
		known bool
	}{
		{nil, 0, true},
		{[]string{"same"}, 0, true},
		{[]string{"same", "edited", "sub/edited", "removed"}, 3, true},
		{[]string{"edited", "new"}, 0, false},
		{[]string{"edited", "new-dir/"}, 0, false},
	} {
		n, known := w.Differ(t.Context(), c.paths)
		require.Equal(t, c.known, known, c.paths)
		if known {
			require.Equal(t, c.want, n, c.paths)
		}
	}
	w.git("commit", "-qam", "work")
	w.write("sub/edited", "a third text\n")
	n, known := w.Differ(t.Context(), []string{"edited", "sub/edited"})
	require.True(t, known)
	require.Equal(t, 1, n)
	ended, end := context.WithCancel(t.Context())
	end()
	_, known = w.Differ(ended, []string{"edited"})
	require.False(t, known, "there is no time")
}

// TestDirtyInTheSameMoment edits a file without a change of its size and time.
func TestDirtyInTheSameMoment(t *testing.T) {
	w := newWorked(t, "a")
	info, err := os.Lstat(filepath.Join(w.dir, "a"))
	require.NoError(t, err)
	w.write("a", "TEXT of a\n")
	w.touch("a", info.ModTime())
	w.touch(".git/index", info.ModTime())
	require.Equal(t, []string{"a"}, w.Dirty(t.Context(), 9))
}

// TestDirtyLinks replaces files by links, and the other way round.
func TestDirtyLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.Mkdir(outside, 0o755))
	emulated.Symlink(t, outside, filepath.Join(t.TempDir(), "l")) // skips the test where there can be no links
	require.NoError(t, os.WriteFile(filepath.Join(outside, "file"), []byte("text of dir/file\n"), 0o644))
	w := newWorked(t, "file", "dir/file", "target")
	link := func(name, to string) {
		t.Helper()
		path := filepath.Join(w.dir, name)
		require.NoError(t, os.RemoveAll(path))
		require.NoError(t, os.Symlink(to, path))
	}
	link("same", "target")
	link("other", "target")
	w.git("add", "-A")
	w.git("commit", "-qm", "links")
	w.touch("target", time.Now().Add(time.Hour))
	require.Empty(t, w.Dirty(t.Context(), 9))
	link("other", "nowhere")
	link("file", "target")
	link("dir", outside)
	require.Equal(t, []string{"dir", "dir/file", "file", "other"}, w.Dirty(t.Context(), 9))
}

// TestDirtyNextToOtherRepositories skips submodules, and does not hang at a pipe.
func TestDirtyNextToOtherRepositories(t *testing.T) {
	inner, w := newWorked(t, "x"), newWorked(t, "a", "pipe")
	w.git("submodule", "--quiet", "add", inner.dir, "sub")
	w.git("commit", "-qm", "sub")
	w.write("sub/x", "changed")
	require.Empty(t, w.Dirty(t.Context(), 9))
	require.NoError(t, os.Remove(filepath.Join(w.dir, "pipe")))
	if runtime.GOOS != "windows" {
		require.NoError(t, exec.Command("mkfifo", filepath.Join(w.dir, "pipe")).Run())
	}
	require.Equal(t, []string{"pipe"}, w.Dirty(t.Context(), 9))
}

func TestDirtyWithoutACommit(t *testing.T) {
	w := newWorked(t)
	w.git("update-ref", "-d", "HEAD")
	w.write("new", "x")
	require.Equal(t, []string{"new"}, w.Dirty(t.Context(), 9))
	w.git("add", "new")
	require.Empty(t, w.Dirty(t.Context(), 9), "git has nothing to compare the index with")
	require.NoError(t, os.RemoveAll(filepath.Join(w.dir, ".git")))
	require.Empty(t, w.Dirty(t.Context(), 9))
}

func TestSince(t *testing.T) {
	w := newWorked(t, "a", "b", "c")
	first := w.git("rev-parse", "HEAD")
	since := func(commit string, most int) string {
		n, paths, known := w.Since(t.Context(), commit, most)
		return fmt.Sprintf("%d %q %t", n, paths, known)
	}
	require.Equal(t, `0 [] true`, since(first, 9))
	w.write("a", "1")
	w.write(".claude/ltm/packets/x.json", "{}")
	w.git("add", "-A")
	w.git("commit", "-qm", "second")
	w.git("rm", "-q", "b")
	w.write("ü\n", "2")
	w.git("add", "-A")
	w.git("commit", "-qm", "third")
	require.Equal(t, `2 ["a" "b" "ü\n"] true`, since(first, 9))
	require.Equal(t, `2 ["a"] true`, since(first, 1))
	w.git("checkout", "-q", "--orphan", "other")
	w.git("commit", "-q", "-m", "fourth")
	require.Equal(t, `1 ["a" "b" "ü\n"] true`, since(first, 9), "without a common commit")
	for _, commit := range []string{"", "HEAD", "main", "--all", strings.Repeat("0", 40), strings.Repeat("5a", 20),
		first[:20], first + "^", strings.ToUpper(first)} {
		require.Equal(t, `0 [] false`, since(commit, 9), commit)
	}
}

func TestHasBranch(t *testing.T) {
	w := newWorked(t, "a")
	w.git("branch", "feature/x")
	w.git("tag", "v1")
	w.git("remote", "add", "origin", "https://example.org/a/b")
	w.git("update-ref", "refs/remotes/origin/theirs", "HEAD")
	for name, want := range map[string]string{"main": "true true", "feature/x": "true true", "theirs": "true true",
		"gone": "false true", "feature": "false true", "v1": "false true", "": "false false", "-x": "false true",
		"main^{commit}": "false true", "../../HEAD": "false true", "main~0": "false true", "a\nb": "false true"} {
		has, known := w.HasBranch(t.Context(), name)
		require.Equal(t, want, fmt.Sprint(has, known), "%q", name)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(w.dir, ".git")))
	has, known := w.HasBranch(t.Context(), "main")
	require.Equal(t, "false false", fmt.Sprint(has, known))
}

func TestHasFile(t *testing.T) {
	w := newWorked(t, "a")
	w.write("d/b", "1")
	for path, want := range map[string]string{"a": "true true", "d/b": "true true", "d": "true true", "x": "false true",
		"d/x": "false true", "../a": "false false", "a/b": "false false"} {
		has, known := w.HasFile(t.Context(), path)
		require.Equal(t, want, fmt.Sprint(has, known), "%q", path)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(w.dir, ".git")))
	has, known := w.HasFile(t.Context(), "a")
	require.Equal(t, "false false", fmt.Sprint(has, known))
}

// TestASlowGitIsNotWaitedFor has a git that never answers, and a caller who does not wait.
func TestASlowGitIsNotWaitedFor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	w := newWorked(t, "a")
	commit := w.git("rev-parse", "HEAD")
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexec sleep 1000\n"), 0o755))
	w.Environ = []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Empty(t, w.Dirty(ctx, 9))
	_, _, known := w.Since(ctx, commit, 9)
	require.False(t, known)
	_, known = w.HasBranch(ctx, "main")
	require.False(t, known)
	branch, id, _ := w.Head(ctx)
	require.Equal(t, []string{"main", commit}, []string{branch, id}, "no process is needed")
}

// TestNoTrapIsSprung asks in a repository that tries to make git start programs.
func TestNoTrapIsSprung(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the traps are shell scripts")
	}
	w := newWorked(t)
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", gittrap.Script)
	cmd.Dir, cmd.Env = dir, w.Environ
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	w.dir, w.Place.Store = dir, filepath.Join(dir, filepath.FromSlash(store.Folder))
	first := w.git("rev-list", "--max-parents=0", "HEAD")
	set, err := gittrap.New(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, set.Lay(filepath.Join(dir, ".git"), gittrap.Traps()...))
	require.NoError(t, set.Lay(filepath.Join(dir, "sub", ".git"), gittrap.Traps()...))
	require.Equal(t, []string{"file.md", "new.md"}, w.Dirty(t.Context(), 9))
	commits, paths, known := w.Since(t.Context(), first, 9)
	require.Equal(t, "1 [.gitmodules file.md] true", fmt.Sprint(commits, paths, known))
	has, known := w.HasBranch(t.Context(), "side")
	require.Equal(t, "true true", fmt.Sprint(has, known))
	branch, commit, _ := w.Head(t.Context())
	require.Equal(t, "main", branch)
	require.True(t, gitdir.IsObjectID(commit))
	sprung, err := set.Sprung()
	require.NoError(t, err)
	require.Empty(t, sprung)
}
