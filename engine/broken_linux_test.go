package engine_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// nobody is a user without privileges: file permissions apply to it.
const nobody = 65534

// asNobody makes the test's thread access files as another user if it runs as root, who may read
// everything.
func (b broken) asNobody() {
	b.t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	temp := filepath.Dir(filepath.Dir(b.dir))
	require.NoError(b.t, os.Chmod(filepath.Dir(temp), 0o755)) // the test's own, in which all of its directories are
	require.NoError(b.t, filepath.WalkDir(temp, func(file string, _ fs.DirEntry, err error) error {
		require.NoError(b.t, err)
		return os.Lchown(file, nobody, nobody)
	}))
	runtime.LockOSThread() // and never unlocked: the thread ends with the test
	require.NoError(b.t, unix.Setfsuid(nobody))
	b.t.Cleanup(func() { require.NoError(b.t, unix.Setfsuid(0)) })
}

// TestWhatGitCannotKeepIsNamedAndLeftAlone is TestEveryDamageIsNamedAndRepaired for files that
// git cannot store. Each is reported, and no repair moves, follows or deletes it, with or without
// the flags that delete.
func TestWhatGitCannotKeepIsNamedAndLeftAlone(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.md")
	require.NoError(t, os.WriteFile(outside, []byte("---\ntopic: Outside\n---\nSecret.\n"), 0o644))
	fifo := func(name string) func(broken) {
		return func(b broken) { require.NoError(b.t, syscall.Mkfifo(b.path(name), 0o644)) }
	}
	link := func(name, to string) func(broken) {
		return func(b broken) { require.NoError(b.t, os.Symlink(to, b.path(name))) }
	}
	folder := func(name string) func(broken) {
		return func(b broken) { b.write(name+"/a note", []byte("Text.")) }
	}
	for name, c := range map[string]struct {
		make    func(broken)
		problem string // "": a remark
		where   string
		reason  string
	}{
		"a FIFO": {fifo("memories/pipe"), "", "memories/pipe",
			"it is a special file that ltm did not write"},
		"a FIFO with a memory's name": {fifo("memories/mem_00000002.md"), "unreadable", "memories/mem_00000002.md",
			"it is a special file, not a regular file"},
		"a FIFO among the archives": {fifo("archives/mem_00000002.md"), "unreadable archive",
			"archives/mem_00000002.md", "it is a special file, not a regular file"},
		"a link": {link("memories/link.md", outside), "", "memories/link.md",
			"it is a symbolic link that ltm did not write"},
		"a link with a memory's name": {link("memories/mem_00000002.md", outside), "unreadable",
			"memories/mem_00000002.md", "it is a symbolic link, not a regular file"},
		"a link to another memory": {link("memories/mem_00000002.md", "mem_00000001.md"), "unreadable",
			"memories/mem_00000002.md", "it is a symbolic link, not a regular file"},
		"a link to nothing": {link("memories/mem_00000002.md", "nowhere"), "unreadable",
			"memories/mem_00000002.md", "it is a symbolic link, not a regular file"},
		"a link among the archives": {link("archives/mem_00000002.md", outside), "unreadable archive",
			"archives/mem_00000002.md", "it is a symbolic link, not a regular file"},
		"a directory": {folder("memories/drafts"), "", "memories/drafts",
			"it is a directory that ltm did not write"},
		"a directory with a memory's name": {folder("memories/mem_00000002.md"), "unreadable",
			"memories/mem_00000002.md", "it is a directory, not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range []api.FixOptions{{}, {RemoveUnreadable: true, CleanOrphanedArchives: true}} {
				b := newBroken(t, "sound")
				c.make(b)
				before := b.files()
				r := b.check()
				found := r.Problems
				if c.problem == "" {
					found = r.Remarks
				}
				require.Len(t, found, 1)
				require.Equal(t, c.where, found[0].Where)
				require.Equal(t, c.problem == "", r.OK)
				if c.problem != "" {
					require.Equal(t, c.problem, found[0].Kind)
				}
				require.Contains(t, spelled(found[0].Reason), c.reason)
				require.Contains(t, spelled(found[0].Reason), "; [")

				done, err := b.fix(o)
				require.NoError(t, err)
				require.Empty(t, done.Actions)
				require.Equal(t, r.Problems, done.Left)
				require.Equal(t, before, b.files())
			}
		})
	}
}

// TestAFileThatMayNotBeReadStays revokes and restores the permission to read a memory and an
// archive. Neither was moved, and both are served again.
func TestAFileThatMayNotBeReadStays(t *testing.T) {
	b := newBroken(t, "sound")
	files := []string{"memories/mem_00000001.md", "archives/mem_00000001.md"}
	longAgo := time.Now().Add(-time.Hour) // so that only the permission changes the stamp
	for _, name := range files {
		require.NoError(t, os.Chmod(b.path(name), 0))
		require.NoError(t, os.Chtimes(b.path(name), longAgo, longAgo))
	}
	b.asNobody()
	r := b.check()
	require.Len(t, r.Problems, 2)
	for i, p := range r.Problems {
		require.Equal(t, files[i], p.Where)
		require.Contains(t, spelled(p.Reason), "permission denied; [found_no_access]")
	}
	for _, o := range []api.FixOptions{{}, {RemoveUnreadable: true, CleanOrphanedArchives: true}} {
		done, err := b.fix(o)
		require.NoError(t, err)
		require.Empty(t, done.Actions)
		require.Equal(t, r.Problems, done.Left)
	}
	for _, name := range files {
		require.NoError(t, os.Chmod(b.path(name), 0o644))
	}
	r = b.check()
	require.True(t, r.OK, r.Summary)
	_, err := b.engine().Peek(context.Background(), "mem_00000001")
	require.NoError(t, err)
}

// TestOwnFilesThatAreNoFiles puts directories and links in the place of the store's own files.
// Those that block every change are reported before anything is done, and links are not written
// through.
func TestOwnFilesThatAreNoFiles(t *testing.T) {
	begin := func(t *testing.T) broken {
		b := newBroken(t, "unreadable")
		b.write("config.json", []byte(`{"version": 1, "config": {"track_index": "on"}}`))
		return b
	}
	for name, where := range map[string]string{"index.json": "index.json", "stats.json": ".local/stats.json",
		"state.json": ".local/state.json", "trust": ".local/trust"} {
		t.Run("a link for "+name, func(t *testing.T) {
			b := begin(t)
			require.NoError(t, os.RemoveAll(b.path(where)))
			b.write("elsewhere", []byte("not the store's"))
			b.write(".local/elsewhere", []byte("not the store's"))
			require.NoError(t, os.Symlink("elsewhere", b.path(where)))
			require.Contains(t, b.repair(), "rebuild | "+name+" | ")
			require.Equal(t, "not the store's", b.files()["elsewhere"])
			require.Equal(t, "not the store's", b.files()[".local/elsewhere"])
			info, err := os.Lstat(b.path(where))
			require.True(t, os.IsNotExist(err) && name == "trust" || err == nil && info.Mode().IsRegular(), "%v", err)
		})
		if name == "index.json" {
			continue
		}
		t.Run("a directory for "+name, func(t *testing.T) {
			b := begin(t)
			require.NoError(t, os.RemoveAll(b.path(where)))
			b.write(where+"/a note", []byte("Text."))
			require.Contains(t, b.repair(), "rebuild | "+name+" | "+name+" is a directory, not a file\n")
		})
	}
	t.Run("a directory for index.json", func(t *testing.T) {
		b := begin(t)
		b.write("index.json/a note", []byte("Text."))
		before := b.files()
		r := b.check()
		require.Contains(t, r.UnreadableFiles, api.BadFile{File: "index.json",
			Reason: memory.Advise(memory.KindFoundBlocked, "", "index.json is a directory, not a file")})
		require.Contains(t, r.Summary.String(), "nothing can be repaired until then")
		_, planned := b.fix(api.FixOptions{DryRun: true})
		_, done := b.fix(api.FixOptions{})
		require.ErrorContains(t, done, "index.json")
		require.Equal(t, planned, done)
		require.Equal(t, before, b.files())
	})
}

// TestAFileTooLargeIsMoved moves a file that is too large for a memory, byte for byte, to a free
// name.
func TestAFileTooLargeIsMoved(t *testing.T) {
	b := newBroken(t, "sound")
	b.write("memories/mem_00000002.md", []byte("---\ntopic: Large\n---\n"+strings.Repeat("x", memfile.MaxFileBytes)))
	b.write("memories/mem_00000003.md", []byte("---\ntopic: Huge\n---\n"))
	require.NoError(t, os.Truncate(b.path("memories/mem_00000003.md"), 65<<20))
	told := b.repair()
	require.Contains(t, told, "unreadable | memories/mem_00000002.md | the file is larger than a memory can be; ")
	require.Contains(t, told, "memories/mem_00000002.md became archives/mem_00000002.md\nmemories/mem_00000003.md "+
		"became archives/mem_00000003.md\n")
}

// TestDirectoriesThatAreNot puts something else in the place of memories/ or archives/. It is
// reported and left alone, and nothing is changed until a person has removed it.
func TestDirectoriesThatAreNot(t *testing.T) {
	for _, name := range []string{"memories", "archives"} {
		for what, put := range map[string]func(path string) error{
			"a symbolic link": func(path string) error { return os.Symlink("elsewhere", path) },
			"a file":          func(path string) error { return os.WriteFile(path, []byte("text"), 0o644) },
			"a named pipe":    func(path string) error { return unix.Mkfifo(path, 0o644) },
		} {
			t.Run(what+" for "+name, func(t *testing.T) {
				b := newBroken(t, "sound")
				require.NoError(t, os.RemoveAll(b.path(name)))
				require.NoError(t, os.Mkdir(b.path("elsewhere"), 0o755))
				require.NoError(t, put(b.path(name)))
				r := b.check()
				require.False(t, r.OK)
				require.Len(t, r.Problems, 1)
				require.Equal(t, name, r.Problems[0].Where)
				require.Regexp(t, "^"+name+" is .*, not a directory; \\[found_directory\\]$",
					spelled(r.Problems[0].Reason))
				for _, dry := range []bool{true, false} {
					_, err := b.fix(api.FixOptions{DryRun: dry, RemoveUnreadable: true, CleanOrphanedArchives: true})
					require.Equal(t, memory.KindDiskNotRegular, memory.KindOf(err))
				}
				info, err := os.Lstat(b.path(name))
				require.NoError(t, err)
				require.False(t, info.IsDir())
			})
		}
	}
}
