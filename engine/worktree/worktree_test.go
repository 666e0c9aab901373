package worktree_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/worktree"
	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/memory/refs"
)

// caches is a cache in memory.
type caches map[string][]byte

func (c caches) WriteCache(name string, data []byte) { c[name] = data }
func (c caches) ReadCacheWithin(name string, limit int64) []byte {
	if int64(len(c[name])) > limit {
		return nil
	}
	return c[name]
}

// project is a work tree of git.
type project struct {
	t   *testing.T
	dir string
	caches
}

func newProject(t *testing.T, format ...string) *project {
	t.Helper()
	emulated.SkipUnderWine(t, "no git is installed there")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p := &project{t, dir, caches{}}
	p.git(append([]string{"init", "-q", "-b", "main"}, format...)...)
	return p
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", p.dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(p.t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

// write writes a file that is older than the clock's resolution, so that its stamp can be believed.
func (p *project) write(name, text string, age time.Duration) {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(text), 0o644))
	at := time.Now().Add(-age)
	require.NoError(p.t, os.Chtimes(path, at, at))
}

// files returns the work tree as a new process sees it.
func (p *project) files() *worktree.Files {
	return &worktree.Files{Place: func() worktree.Place {
		return worktree.Place{Top: p.dir, GitDir: filepath.Join(p.dir, ".git")}
	}, Git: gitOf{p}}
}

func (p *project) check(all ...memory.Ref) []worktree.Verdict {
	return p.files().Check(p.caches, all, worktree.Thorough())
}

// gitOf asks the project's own git.
type gitOf struct{ *project }

func (g gitOf) Ignored(_ context.Context, paths []string) (map[string]bool, error) {
	all := map[string]bool{}
	for _, path := range paths {
		all[path] = exec.Command("git", "-C", g.dir, "check-ignore", "-q", path).Run() == nil
	}
	return all, nil
}

func (g gitOf) Attributes(context.Context, []string) (map[string]refs.Attributes, error) {
	return nil, nil
}
func (g gitOf) Digits(context.Context) int                             { return 40 }
func (g gitOf) Renamed(context.Context, string) string                 { return "" }
func (g gitOf) Touched(context.Context, string, int) []worktree.Commit { return nil }

func TestTake(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		p := newProject(t, "--object-format="+format)
		p.write(".gitignore", "*.env\n", time.Hour)
		p.write("db/pool.go", "package db\n\nfunc Open() {\n}\n", time.Hour)
		p.write("changed.go", "old\n", time.Hour)
		p.write("secret.env", "TOKEN=1\n", time.Hour)
		p.write(".claude/ltm/memories/x.md", "x\n", time.Hour)
		p.git("add", "-A")
		p.write("changed.go", "new\n", time.Minute)
		p.write("new.go", "new\n", time.Minute)
		emulated.Symlink(t, "new.go", filepath.Join(p.dir, "link.go"))
		taken := p.files().Take(t.Context(), p.files().Find("db/pool.go:3, db/pool.go#Open, db/pool.go#None, "+
			"changed.go new.go secret.env link.go none.go .claude/ltm/memories/x.md "+p.dir+"/db/pool.go:1 ../x.go"))
		var names []string
		for _, r := range taken {
			names = append(names, r.String())
			require.Equal(t, p.git("hash-object", r.Path), r.Blob, r.Path)
			require.Equal(t, r.Line > 0 || r.Symbol != "", r.Near != "")
		}
		require.Equal(t, []string{"db/pool.go:3", "db/pool.go#Open", "changed.go", "new.go", "db/pool.go:1"}, names)
	}
}

// TestSpelling names files in another case than git, where the file system does not tell cases apart. The comparison is
// given, so that it is the same on all systems.
func TestSpelling(t *testing.T) {
	p := newProject(t)
	p.write("db/pool.go", "package db\n\nfunc Open() {\n}\n", time.Hour)
	p.write("cmd/Main.go", "package main\n", time.Hour)
	p.git("add", "-A")
	text := "DB/Pool.go:3, " + strings.ToUpper(p.dir) + "/db/POOL.go#Open, cmd/main.go, CMD/Main.go"
	take := func(fold func(string) string, below string) (names []string) {
		files := p.files()
		place := files.Place()
		place.Below = below
		files.Place, files.Fold = func() worktree.Place { return place }, fold
		for _, r := range files.Take(t.Context(), files.Find(text)) {
			names = append(names, r.String())
		}
		return names
	}
	require.Equal(t, []string{"db/pool.go:3", "db/pool.go#Open", "cmd/Main.go"}, take(strings.ToLower, ""))
	text = "Pool.go"
	require.Equal(t, []string{"db/pool.go"}, take(strings.ToLower, "db"))
	if _, err := os.Stat(filepath.Join(p.dir, "DB", "Pool.go")); err != nil {
		text = "DB/Pool.go"
		require.Empty(t, take(nil, ""), "they are other files")
		p.write("DB/Pool.go", "another\n", time.Hour)
		p.git("add", "-A")
		require.Equal(t, []string{"DB/Pool.go"}, take(strings.ToLower, ""), "what git has exactly so comes first")
	}

	files := p.files()
	files.Fold = strings.ToLower
	rel, ok := files.Rel(filepath.Join(strings.ToUpper(p.dir), "db", "Pool.go"))
	require.True(t, ok)
	require.Equal(t, "db/Pool.go", rel)
	_, ok = files.Rel(filepath.Join(strings.ToUpper(p.dir)+"x", "db", "Pool.go"))
	require.False(t, ok)
}

func TestStates(t *testing.T) {
	p := newProject(t)
	p.write("same.go", "same\n", time.Hour)
	p.write("lines.go", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", time.Hour)
	p.write("crlf.go", "a\nb\n", time.Hour)
	p.write("moved.go", "moves\n", time.Hour)
	p.write("gone.go", "goes\n", time.Hour)
	p.git("add", "-A")
	all := p.files().Take(t.Context(), p.files().Find("same.go lines.go:2 lines.go:8 crlf.go moved.go gone.go"))
	require.Len(t, all, 6)
	for _, v := range p.check(all...) {
		require.Equal(t, worktree.Verdict{State: memory.RefFresh}, v)
	}
	p.write("lines.go", "0\n1\n2\n3\n4\n5\n6\n7\neight\n9\n", time.Minute)
	p.write("crlf.go", "a\r\nb\r\n", time.Minute)
	require.NoError(t, os.Remove(filepath.Join(p.dir, "gone.go")))
	require.NoError(t, os.Mkdir(filepath.Join(p.dir, "sub"), 0o755))
	p.git("mv", "moved.go", "sub/moved.go")
	want := []worktree.Verdict{{State: memory.RefFresh}, {State: memory.RefChanged}, {State: memory.RefChanged},
		{State: memory.RefFresh}, {State: memory.RefMoved, To: "sub/moved.go"}, {State: memory.RefGone}}
	require.Equal(t, memory.RefChanged, want[1].State, "a line is two lines from the first, which is new")
	require.Equal(t, want, p.check(all...))
	require.Equal(t, want, p.check(all...), "from the cache")
	p.write("same.go", "other", time.Minute)
	require.Equal(t, memory.RefChanged, p.check(all[0])[0].State)
	p.write("same.go", "same\n", time.Second)
	require.Equal(t, memory.RefFresh, p.check(all[0])[0].State)
}

// TestAnotherKindInThePlaceOfAFile has a directory where a file was, and files where directories were.
func TestAnotherKindInThePlaceOfAFile(t *testing.T) {
	p := newProject(t)
	for _, name := range []string{"pool.py", "db/pool.go", "db/deep/x.go"} {
		p.write(name, name+"\n", time.Hour)
	}
	p.git("add", "-A")
	all := p.files().Take(t.Context(), p.files().Find("pool.py db/pool.go db/deep/x.go"))
	require.Len(t, all, 3)
	p.check(all...)
	p.git("mv", "db/pool.go", "pool.go")
	p.git("rm", "-qrf", "pool.py", "db/deep")
	p.write("pool.py/__init__.py", "other\n", time.Minute)
	p.write("db", "a file\n", time.Minute)
	want := []worktree.Verdict{{State: memory.RefGone}, {State: memory.RefMoved, To: "pool.go"},
		{State: memory.RefGone}}
	require.Equal(t, want, p.check(all...))
	require.Equal(t, want, p.check(all...), "from the cache")

	require.NoError(t, os.RemoveAll(filepath.Join(p.dir, "pool.py")))
	p.write("pool.py", "pool.py\n", time.Minute)
	require.Equal(t, memory.RefFresh, p.check(all[0])[0].State)
}

// TestAnotherFileUnderAFormerName moves a file twice, and then another one has the name in between.
func TestAnotherFileUnderAFormerName(t *testing.T) {
	p := newProject(t)
	p.write("a.go", "moves\n", time.Hour)
	p.git("add", "-A")
	all := p.files().Take(t.Context(), p.files().Find("a.go"))
	p.git("mv", "a.go", "b.go")
	require.Equal(t, []worktree.Verdict{{State: memory.RefMoved, To: "b.go"}}, p.check(all...))
	p.git("mv", "b.go", "c.go")
	p.write("b.go", "another\n", time.Minute)
	p.git("add", "-A")
	require.Equal(t, []worktree.Verdict{{State: memory.RefMoved, To: "c.go"}}, p.check(all...))
	p.git("mv", "b.go", "d.go")
	p.write("copy.go", "moves\n", time.Minute)
	p.git("add", "-A")
	require.Equal(t, []worktree.Verdict{{State: memory.RefMoved, To: "c.go"}}, p.check(all...), "one of two")
	p.files().Follow(p.caches, all[0], "d.go")
	p.git("rm", "-q", "-f", "c.go", "copy.go")
	require.Equal(t, []worktree.Verdict{{State: memory.RefMoved, To: "d.go"}}, p.check(all...), "as history told")
}

// TestAnEmptyFileHasNoContentToBeFoundBy deletes one of two.
func TestAnEmptyFileHasNoContentToBeFoundBy(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		p := newProject(t, "--object-format="+format)
		for _, name := range []string{"x/__init__.py", "y/__init__.py"} {
			p.write(name, "", time.Hour)
		}
		p.git("add", "-A")
		all := p.files().Take(t.Context(), p.files().Find("x/__init__.py"))
		p.git("rm", "-qf", "x/__init__.py")
		require.Equal(t, []worktree.Verdict{{State: memory.RefGone}}, p.check(all...))
	}
}

// TestFiltersAreBelievedByTheIndex has an id that only a program makes.
func TestFiltersAreBelievedByTheIndex(t *testing.T) {
	p := newProject(t)
	p.git("config", "filter.up.clean", "tr a-z A-Z")
	p.write(".gitattributes", "*.up filter=up\n*.utf working-tree-encoding=UTF-16LE eol=lf\n", time.Hour)
	p.write("a.up", "text\n", time.Hour)
	p.write("b.utf", "t\x00\n\x00", time.Hour)
	p.git("add", "-A")
	all := p.files().Take(t.Context(), []memory.Ref{{Path: "a.up"}, {Path: "b.utf"}})
	require.Equal(t, p.git("rev-parse", ":a.up"), all[0].Blob)
	require.Equal(t, p.git("rev-parse", ":b.utf"), all[1].Blob)
	require.Equal(t, []worktree.Verdict{{State: memory.RefFresh}, {State: memory.RefFresh}}, p.check(all...))
	p.write("a.up", "more\n", time.Minute)
	require.Equal(t, []worktree.Verdict{{State: memory.RefChanged}, {State: memory.RefFresh}}, p.check(all...))
}

// TestNothingOutsideIsOpened has references that lead elsewhere, on every way there is.
func TestNothingOutsideIsOpened(t *testing.T) {
	p := newProject(t)
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "x"), []byte("x\n"), 0o644))
	p.write("sub/module/.git", "gitdir: ../../elsewhere\n", time.Hour)
	p.write("sub/module/x", "x\n", time.Hour)
	emulated.Symlink(t, filepath.Join(outside, "x"), filepath.Join(p.dir, "link"))
	emulated.Symlink(t, outside, filepath.Join(p.dir, "dir"))
	blob := refs.Blob([]byte("x\n"), 40)
	all := []memory.Ref{{Path: "link", Blob: blob}, {Path: "dir/x", Blob: blob}, {Path: "sub/module/x", Blob: blob},
		{Path: "sub/module", Blob: blob}}
	for _, v := range p.check(all...) {
		require.Equal(t, worktree.Verdict{}, v)
	}
	require.Empty(t, p.files().Take(t.Context(), all))
	require.NoError(t, exec.Command("mkfifo", filepath.Join(p.dir, "pipe")).Run())
	require.Equal(t, worktree.Verdict{}, p.check(memory.Ref{Path: "pipe", Blob: blob})[0])
}

func TestALookEndsInTime(t *testing.T) {
	p := newProject(t)
	var all []memory.Ref
	for i := range 10_000 {
		all = append(all, memory.Ref{Path: fmt.Sprintf("d%d/f%d", i%300, i), Blob: strings.Repeat("1", 40)})
	}
	p.write("large", strings.Repeat("x", 1<<20), time.Hour)
	l := worktree.Hurried()
	l.File = 1 << 10
	large := []memory.Ref{{Path: "large", Blob: all[0].Blob}}
	require.Equal(t, worktree.Verdict{}, p.files().Check(p.caches, large, l)[0])
	l.Time = 0
	out := p.files().Check(p.caches, all, l)
	require.Len(t, out, len(all))
	for i, v := range out {
		require.Equal(t, worktree.Verdict{}, v, "there was no time for %d", i)
	}
	require.Empty(t, p.caches, "nor to keep it")
	l.Time = time.Minute
	require.Equal(t, memory.RefGone, p.files().Check(p.caches, all, l)[9999].State)
}

// TestPlacesOfLargeFilesAreLeftAlone has a symbol whose file is too large for a hook, though it is read.
func TestPlacesOfLargeFilesAreLeftAlone(t *testing.T) {
	p := newProject(t)
	p.write("large.go", strings.Repeat("line\n", 200<<10)+"func z() {}\n", time.Hour)
	p.git("add", "-A")
	all := p.files().Take(t.Context(), []memory.Ref{{Path: "large.go", Symbol: "z"}})
	require.Len(t, all, 1)
	l := worktree.Hurried()
	l.Time = time.Minute
	require.Equal(t, memory.RefFresh, p.files().Check(p.caches, all, l)[0].State)
	p.write("large.go", strings.Repeat("line\n", 200<<10)+"func z() {\n\tx()\n}\n", time.Minute)
	require.Equal(t, memory.RefFresh, p.files().Check(p.caches, all, l)[0].State, "as it was known")
	require.Empty(t, p.files().Check(caches{}, all, l)[0].State)
	require.Equal(t, memory.RefChanged, p.check(all...)[0].State)
}

// TestWhatIsNotCheckedOutIsNotGone has references to files that a sparse checkout leaves out.
func TestWhatIsNotCheckedOutIsNotGone(t *testing.T) {
	for _, sparse := range []string{"--no-sparse-index", "--sparse-index"} {
		p := newProject(t)
		for _, name := range []string{"in/a.go", "out/b.go", "out/deep/c.go", "out/gone.go"} {
			p.write(name, name+"\n", time.Hour)
		}
		p.git("add", "-A")
		all := p.files().Take(t.Context(), p.files().Find("in/a.go out/b.go out/deep/c.go out/gone.go"))
		require.Len(t, all, 4)
		p.git("rm", "-q", "--cached", "out/gone.go")
		require.NoError(t, os.Remove(filepath.Join(p.dir, "out", "gone.go")))
		p.git("commit", "-qm", "all")
		p.check(all[1])
		p.git("sparse-checkout", "set", "--cone", sparse, "in")
		require.NoFileExists(t, filepath.Join(p.dir, "out", "b.go"))
		states := func() (states []memory.RefState) {
			for _, v := range p.check(all...) {
				states = append(states, v.State)
			}
			return states
		}
		gone := memory.RefGone
		if sparse == "--sparse-index" {
			gone = "" // the index does not say what is below the directory
		}
		want := []memory.RefState{memory.RefFresh, memory.RefFresh, "", gone}
		require.Equal(t, want, states(), sparse)
		require.Equal(t, want, states(), "from the cache")
		kept := p.files().Verify(t.Context(), p.caches, all[:3], false)
		require.Equal(t, all[:3], kept)
	}
}

// TestNothingIsSaidWithoutTheIndex has an index that is larger than a hook reads.
func TestNothingIsSaidWithoutTheIndex(t *testing.T) {
	p := newProject(t)
	p.git("config", "filter.up.clean", "tr a-z A-Z")
	p.write(".gitattributes", "*.up filter=up\n", time.Hour)
	for _, name := range []string{"a.up", "moves.go", "changes.go"} {
		p.write(name, name+"\n", time.Hour)
	}
	p.git("add", "-A")
	all := p.files().Take(t.Context(), []memory.Ref{{Path: "a.up"}, {Path: "moves.go"}, {Path: "changes.go"}})
	l := worktree.Hurried()
	l.Time, l.Index = time.Minute, 1
	found := p.files().Check(caches{}, all, l)
	require.Equal(t, []worktree.Verdict{{}, {State: memory.RefFresh}, {State: memory.RefFresh}}, found)
	p.check(all...)
	p.git("mv", "moves.go", "moved.go")
	p.write("changes.go", "other\n", time.Minute)
	for _, v := range p.files().Check(p.caches, all, l) {
		require.Equal(t, memory.RefFresh, v.State, "as it was known")
	}
	require.Equal(t, []worktree.Verdict{{State: memory.RefFresh}, {State: memory.RefMoved, To: "moved.go"},
		{State: memory.RefChanged}}, p.check(all...))
	require.NoError(t, os.Remove(filepath.Join(p.dir, ".git", "index")))
	require.Equal(t, memory.RefChanged, p.check(all[2])[0].State, "git tracks nothing yet")
}

// slowCache is on a disk that takes longer than a hook has.
type slowCache struct{ caches }

func (s slowCache) ReadCacheWithin(name string, limit int64) []byte {
	time.Sleep(worktree.Hurried().Time + time.Millisecond)
	return s.caches.ReadCacheWithin(name, limit)
}

// TestTheCacheCounts has a hook whose time is over once it has read the cache.
func TestTheCacheCounts(t *testing.T) {
	p := newProject(t)
	p.write("a.go", "a\n", time.Hour)
	all := p.files().Take(t.Context(), []memory.Ref{{Path: "a.go"}})
	files, slow := p.files(), slowCache{p.caches}
	require.Empty(t, files.Check(slow, all, worktree.Hurried())[0].State)
	require.Empty(t, p.caches)
	require.Equal(t, memory.RefFresh, files.Check(slow, all, worktree.Thorough())[0].State)
	require.NotEmpty(t, p.caches)
}

// TestHooksGoOnWhereTheLastOneEnded looks at more files than a hook has time for, one hook after the other.
func TestHooksGoOnWhereTheLastOneEnded(t *testing.T) {
	p := newProject(t)
	var all []memory.Ref
	text := strings.Repeat("a line\n", 2000)
	for i := range 1500 {
		name := fmt.Sprintf("f%d.go", i)
		p.write(name, text, time.Hour)
		all = append(all, memory.Ref{Path: name, Blob: refs.Blob([]byte(text), 40)})
	}
	unknown := func() (n int) {
		for _, v := range p.files().Check(p.caches, all, worktree.Hurried()) {
			if v.State == "" {
				n++
			}
		}
		return n
	}
	for range 500 {
		if unknown() == 0 {
			return
		}
	}
	require.Zero(t, unknown(), "no hook keeps what it has found out")
}

// asked counts how often git is asked.
type asked struct {
	gitOf
	n int
}

func (a *asked) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	a.n++
	return a.gitOf.Ignored(ctx, paths)
}

func (a *asked) Attributes(ctx context.Context, paths []string) (map[string]refs.Attributes, error) {
	a.n++
	return a.gitOf.Attributes(ctx, paths)
}

// TestVerifyLosesASymbol has a file of which two symbols are named. Without one of them, the other is still all that is
// named of the file.
func TestVerifyLosesASymbol(t *testing.T) {
	p := newProject(t)
	p.write("a.go", "func Open() {\n}\n\nfunc Close() {\n}\n", time.Hour)
	p.git("add", "-A")
	all := p.files().Take(t.Context(), p.files().Find("a.go#Open a.go#Close"))
	require.Len(t, all, 2)
	p.write("a.go", "func Close() {\n}\n", time.Minute)
	kept := p.files().Verify(t.Context(), p.caches, all, false)
	require.Len(t, kept, 1)
	require.Equal(t, "a.go#Close", kept[0].String())
	p.write("a.go", "none\n", time.Minute)
	kept = p.files().Verify(t.Context(), p.caches, kept, false)
	require.Len(t, kept, 1)
	require.Equal(t, "a.go", kept[0].String())
}

// TestVerifyAsksGitOnce has several files that git does not track.
func TestVerifyAsksGitOnce(t *testing.T) {
	p := newProject(t)
	p.write("tracked", "x\n", time.Hour)
	p.git("add", "-A")
	for _, name := range []string{"a.go", "b.go", "c.go"} {
		p.write(name, name+"\n", time.Hour)
	}
	all := p.files().Take(t.Context(), p.files().Find("a.go b.go c.go"))
	require.Len(t, all, 3)
	p.write("b.go", "other\n", time.Minute)
	files, git := p.files(), &asked{gitOf: gitOf{p}}
	files.Git = git
	kept := files.Verify(t.Context(), p.caches, all, false)
	require.Equal(t, 2, git.n, "what is ignored, and the attributes")
	require.Len(t, kept, 3)
	require.Equal(t, all[0], kept[0])
	require.Equal(t, p.git("hash-object", "b.go"), kept[1].Blob)
	require.Equal(t, all[2], kept[2])
}

// FuzzCache reads any bytes as what an earlier process left.
func FuzzCache(f *testing.F) {
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		files := &worktree.Files{Place: func() worktree.Place { return worktree.Place{Top: dir} }}
		v := files.Check(caches{"refs": data}, []memory.Ref{{Path: "none", Blob: strings.Repeat("1", 40)}},
			worktree.Thorough())
		require.Contains(t, []memory.RefState{memory.RefGone, memory.RefChanged, memory.RefFresh, memory.RefMoved},
			v[0].State)
	})
}
