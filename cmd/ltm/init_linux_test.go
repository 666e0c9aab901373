package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
)

// TestInitReadOnly says what cannot be written, and leaves nothing behind.
func TestInitReadOnly(t *testing.T) {
	const check = `
if ltm init 2> "$tmp/message"; then exit 1; fi
grep -q 'make .*writable for this user; nothing was' "$tmp/message" || { cat "$tmp/message"; exit 1; }
[ "$(ls -A)" = .git ]
ltm init --dry-run | grep -q 'created CLAUDE.md'
ltm doctor | grep -q '^warn  store     none yet'
`
	tmp := t.TempDir()
	if _, ok := inNamespace(t, "export HOME="+t.TempDir()+" tmp="+tmp+
		`; mount -t tmpfs tmpfs "$1"; cd "$1"; mkdir .git; mount -o remount,ro "$1"`+check); ok {
		return
	}
	require.NotZero(t, os.Geteuid(), "root needs a mount namespace for this test")
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	require.NoError(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	cmd := exec.Command("sh", "-eu", "-c", "export HOME="+t.TempDir()+" tmp="+tmp+check)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestInitRollsBack lets the last of the files refuse to be replaced, which only
// shows when the others have been: a mount point cannot be renamed over.
func TestInitRollsBack(t *testing.T) {
	const script = `
export HOME="$1/home"
mkdir -p "$1/p/.git" "$1/home"
cd "$1/p"
printf rules > CLAUDE.md
printf '{}' > .mcp.json
mount --bind .mcp.json .mcp.json
cp -R . ../before
if ltm init 2> ../message; then exit 1; fi
grep -q '^ltm: cannot write .mcp.json: .*nothing was changed' ../message || { cat ../message; exit 1; }
diff -r . ../before
umount .mcp.json
ltm init > /dev/null
mount --bind .mcp.json .mcp.json
rm -rf ../before
cp -R . ../before
if ltm init --undo 2> ../message; then exit 1; fi
grep -q '^ltm: cannot write .mcp.json' ../message || { cat ../message; exit 1; }
diff -r . ../before
umount .mcp.json
ltm init --undo > /dev/null
[ "$(cat CLAUDE.md .mcp.json)" = 'rules{}' ]
[ "$(ls -A)" = "$(printf '.git\n.mcp.json\nCLAUDE.md')" ]
`
	if _, ok := inNamespace(t, script); !ok {
		require.NotZero(t, os.Geteuid(), "root needs a mount namespace for this test")
		t.Skip("no mount namespace here")
	}
}

// TestInitAtOnce sets a project up by several processes. The first one does it, and the others find it done.
func TestInitAtOnce(t *testing.T) {
	for range 5 {
		p := newProject(t)
		var wg sync.WaitGroup
		made := make([]string, 4)
		errs := make([]error, len(made))
		for i := range made {
			wg.Go(func() { made[i], errs[i] = p.try("", "init") })
		}
		wg.Wait()
		require.NoError(t, errors.Join(errs...))
		require.Equal(t, 1, strings.Count(strings.Join(made, ""), "created .claude/ltm:"))
		p.run("", "init", "--undo")
		left, err := os.ReadDir(p.dir)
		require.NoError(t, err)
		require.Len(t, left, 1, "only .git")
	}
}

// TestInitWaits gives up on a process that does not end.
func TestInitWaits(t *testing.T) {
	t.Parallel() // it waits for the lock
	p := newProject(t)
	lock := flock.New(filepath.Join(p.dir, ".git"), flock.SetFlag(os.O_RDONLY))
	require.NoError(t, lock.Lock())
	_, err := p.try("", "init")
	require.ErrorContains(t, err, "another process has held the lock of")
	require.NoDirExists(t, filepath.Join(p.dir, ".claude"))
	require.NoError(t, lock.Close())
	p.run("", "init")
}

// TestDoctorSeesTheLock waits for a process that does not let go.
func TestDoctorSeesTheLock(t *testing.T) {
	t.Parallel() // it waits for the lock
	p := newProject(t)
	p.run("", "remember", "kept", "text")
	p.run("", "init")
	lock := flock.New(filepath.Join(p.dir, ".git/ltm/lock")) // as another process: it opens the file on its own
	require.NoError(t, lock.Lock())
	require.Contains(t, p.run("", "doctor"), "warn  lock      held by another process for more than 2s\n")
	require.NoError(t, lock.Close())
	require.Contains(t, p.run("", "doctor"), "ok    lock      free\n")
}
