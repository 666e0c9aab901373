//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// inNamespace runs a shell script as root of a mount namespace of its own, in
// which it may mount a small or read-only file system. $1 is an empty directory.
func inNamespace(t *testing.T, script string) (output string, ok bool) {
	t.Helper()
	if exec.Command("unshare", "-rm", "true").Run() != nil {
		return "", false
	}
	cmd := exec.Command("unshare", "-rm", "sh", "-eu", "-c", script, "sh", t.TempDir())
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "XDG_DATA_HOME=", "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out), true
}

// TestFullDisk fills a small disk. Where none can be mounted, a limit on the
// size of files replaces it.
func TestFullDisk(t *testing.T) {
	const steps = `
git init -q . 2>/dev/null || mkdir -p .git
ltm remember kept 'this was acknowledged' > first
%s
if head -c 200000 /dev/zero | tr '\0' 'x' | ltm remember big - 2> message; then
  echo 'the big one was stored'
  exit 1
fi
grep -q 'cannot write .*nothing was lost' message || { cat message; exit 1; }
ltm list > list && grep -q kept list
[ "$(ls .claude/ltm/memories | wc -l)" = 1 ]
[ -z "$(ls -A .claude/ltm/memories | grep '^\.' || true)" ]
set +e
echo '{"session_id":"s","tool_response":"x"}' | ltm hook PostToolUse 2> message; status=$?
[ $status -le 1 ] || exit 1
echo '{"session_id":"s","source":"startup"}' | ltm hook SessionStart > context 2> message; status=$?
[ $status -le 1 ] || exit 1
`
	if _, ok := inNamespace(t, "mount -t tmpfs -o size=512k tmpfs \"$1\"; cd \"$1\""+
		fmt.Sprintf(steps, "head -c 330000 /dev/zero > filler")); ok {
		return
	}
	cmd := exec.Command("sh", "-eu", "-c", "cd \"$1\""+fmt.Sprintf(steps, "ulimit -f 100"), "sh", t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestReadOnlyDisk reads a store on a read-only file system.
func TestReadOnlyDisk(t *testing.T) {
	const check = `
ltm list | grep -q kept
ltm recall acknowledged | grep -q kept
ltm show "$(ltm list | cut -f1)" | grep -q acknowledged
if ltm remember more text 2> "$tmp/message"; then exit 1; fi
grep -q 'make the directory writable' "$tmp/message" || { cat "$tmp/message"; exit 1; }
set +e
echo '{"session_id":"s","source":"startup"}' | ltm hook SessionStart > "$tmp/context" 2> "$tmp/message"; status=$?
[ $status = 1 ] || exit 1
grep -q 'this was acknowledged' "$tmp/context" || exit 1
`
	tmp := t.TempDir()
	_, ok := inNamespace(t, "tmp="+tmp+`; mount -t tmpfs tmpfs "$1"; cd "$1"; mkdir .git`+
		`; ltm remember kept 'this was acknowledged'; mount -o remount,ro "$1"`+check)
	if ok {
		return
	}
	require.NotZero(t, os.Geteuid(), "root needs a mount namespace for this test")
	p := newProject(t)
	p.run("", "remember", "kept", "this was acknowledged")
	require.NoError(t, exec.Command("chmod", "-R", "a-w", filepath.Join(p.dir, ".claude")).Run())
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", filepath.Join(p.dir, ".claude")).Run() })
	cmd := exec.Command("sh", "-eu", "-c", "tmp="+tmp+check)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestReadOnlyGit has a git directory that cannot be written to, as in some
// containers: reading goes on, and a write changes nothing and says so in one line.
func TestReadOnlyGit(t *testing.T) {
	const check = `
ltm list | grep -q kept
ltm recall acknowledged | grep -q kept
id=$(ltm list | cut -f1)
ltm show "$id" | grep -q acknowledged
ltm check | grep -q 'in order: 1 memory'
ltm status | grep -q "$(pwd -P)/.git/ltm"
ltm log | grep -q stored
ltm undo --list | grep -q stored
ltm trust | grep -q 'everything was written'
find .claude -type f -exec sha256sum {} + | sort > "$tmp/before"
refused() {
	if "$@" 2> "$tmp/message"; then echo "$@"; exit 1; fi
	[ "$(wc -l < "$tmp/message")" = 1 ] || { cat "$tmp/message"; exit 1; }
	grep -q '^ltm: cannot .*/.git/ltm/lock: .*; make the .* writable' "$tmp/message" || { cat "$tmp/message"; exit 1; }
}
refused ltm remember more text
refused ltm update "$id" --content other
refused ltm forget "$id"
refused ltm forget --hard --yes "$id"
refused ltm pin "$id"
refused ltm undo "$id"
refused ltm trust --revoke "$id"
refused ltm config max_memories 7
refused ltm config --shared max_memories 7
refused ltm fade --write
find .claude -type f -exec sha256sum {} + | sort | cmp - "$tmp/before"
set +e
echo '{"session_id":"s","source":"startup"}' | ltm hook SessionStart > "$tmp/context" 2> "$tmp/message"; status=$?
[ $status = 1 ] || exit 1
[ "$(wc -l < "$tmp/message")" = 1 ] || exit 1
grep -q 'this was acknowledged' "$tmp/context" || exit 1
echo '{"session_id":"s","tool_response":"x"}' | ltm hook PostToolUse > "$tmp/context" 2> "$tmp/message"; status=$?
[ $status = 1 ] || exit 1
[ "$(wc -l < "$tmp/message")" = 1 ] || exit 1
set -e
cd ../fresh
if ltm remember first text 2> "$tmp/message"; then exit 1; fi
[ "$(wc -l < "$tmp/message")" = 1 ] || { cat "$tmp/message"; exit 1; }
grep -q '^ltm: cannot create .*/.git/ltm: .*; make the .* writable' "$tmp/message" || { cat "$tmp/message"; exit 1; }
[ "$(ls -A)" = .git ]
`
	tmp := t.TempDir()
	script := func(readOnly string) string {
		return "tmp=" + tmp + `; cd "$1"; mkdir p fresh; git init -q fresh; cd fresh; ` +
			readOnly + `; cd ../p; git init -q; ltm remember kept 'this was acknowledged' > /dev/null; ` + readOnly +
			`; cd "$1/p"` + check
	}
	if _, ok := inNamespace(t, script("mount --bind .git .git; mount -o remount,ro,bind .git")); ok {
		return
	}
	require.NotZero(t, os.Geteuid(), "root needs a mount namespace for this test")
	dir := t.TempDir()
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", dir).Run() })
	cmd := exec.Command("sh", "-eu", "-c", script("chmod -R a-w .git"), "sh", dir)
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "XDG_DATA_HOME=", "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
