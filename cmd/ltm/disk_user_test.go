//go:build linux

package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadOnlyShelf has a store of the person's own that cannot be written to: it is read all the
// same, and a project's memories are stored beside it.
func TestReadOnlyShelf(t *testing.T) {
	const check = `
ltm list --user | grep -q kept
ltm recall acknowledged | grep -q kept
ltm show "$(ltm list --user | cut -f1)" | grep -q acknowledged
find "$LTM_USER_DIR" -type f -exec sha256sum {} + | sort > "$tmp/before"
refused() {
	if "$@" > "$tmp/out" 2> "$tmp/message"; then echo "$@"; exit 1; fi
	[ "$(wc -l < "$tmp/message")" = 1 ] || { cat "$tmp/message"; exit 1; }
	grep -q "^ltm: cannot .*$LTM_USER_DIR.*; make the .* writable" "$tmp/message" || { cat "$tmp/message"; exit 1; }
}
refused ltm remember --user more text
refused ltm update "$(ltm list --user | cut -f1)" --content other
refused ltm forget "$(ltm list --user | cut -f1)"
refused ltm config --user max_memories 7
ltm remember 'Of the project' 'It is stored.'
ltm list --project | grep -q 'Of the project'
find "$LTM_USER_DIR" -type f -exec sha256sum {} + | sort | cmp - "$tmp/before"
set +e
echo '{"session_id":"s","source":"startup"}' | ltm hook SessionStart > "$tmp/context" 2> "$tmp/message"; status=$?
[ $status = 0 ] || { cat "$tmp/message"; exit 1; }
grep -q 'this was acknowledged' "$tmp/context" || exit 1
grep -q 'Of the project' "$tmp/context" || exit 1
echo '{"session_id":"s","tool_response":"x"}' | ltm hook PostToolUse > "$tmp/context" 2> "$tmp/message"; status=$?
[ $status = 0 ] && [ ! -s "$tmp/message" ] || { cat "$tmp/message"; exit 1; }
`
	tmp := t.TempDir()
	script := func(readOnly string) string {
		return "tmp=" + tmp + `; cd "$1"; mkdir p own; git init -q p; export LTM_USER_DIR="$1/own"; cd p; ` +
			`ltm remember --user kept 'this was acknowledged' > /dev/null; ` + readOnly + check
	}
	if _, ok := inNamespace(t, script(`mount --bind "$1/own" "$1/own"; mount -o remount,ro,bind "$1/own"`)); ok {
		return
	}
	require.NotZero(t, os.Geteuid(), "root needs a mount namespace for this test")
	dir := t.TempDir()
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", dir).Run() })
	cmd := exec.Command("sh", "-eu", "-c", script(`chmod -R a-w "$1/own"`), "sh", dir)
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "XDG_DATA_HOME=", "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
