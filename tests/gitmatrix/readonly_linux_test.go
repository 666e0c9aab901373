package gitmatrix_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// readOnlySteps read a store in a git directory that cannot be written, and try to write.
const readOnlySteps = `
! touch .git/x 2>/dev/null
"$ltm" list | grep -q "$id"
"$ltm" recall connections | grep -q "$id"
"$ltm" show "$id" | grep -q 'The late of pool is by base.'
"$ltm" status > /dev/null
"$ltm" check
"$ltm" doctor > "$tmp/doctor" || true
grep -q git "$tmp/doctor"
set +e
echo '{"session_id":"s","source":"startup"}' | "$ltm" hook SessionStart > "$tmp/context" 2> "$tmp/message"; status=$?
[ $status -le 1 ] || { echo "the hook ended with $status"; exit 1; }
[ "$(wc -l < "$tmp/message")" -le 1 ] || { echo 'more than a line:'; cat "$tmp/message"; exit 1; }
grep -q 'connections of the pool' "$tmp/context" || { echo 'the session gets no memory'; cat "$tmp/message"; exit 1; }
for c in "remember more text" "forget $id" "update $id --tag x" "config max_memories 5"; do
  "$ltm" $c > "$tmp/out" 2> "$tmp/message"; status=$?
  [ $status -ne 0 ] || { echo "ltm $c succeeded"; exit 1; }
  [ "$(wc -l < "$tmp/message")" = 1 ] || { echo "ltm $c says:"; cat "$tmp/message"; exit 1; }
  grep -q '\.git' "$tmp/message" || { echo "ltm $c does not name the directory:"; cat "$tmp/message"; exit 1; }
  grep -Eq 'nothing was (changed|lost)|is not stored' "$tmp/message" || {
    echo "ltm $c does not tell what is left:"; cat "$tmp/message"; exit 1
  }
done
[ -z "$(GIT_OPTIONAL_LOCKS=0 git status --porcelain)" ] || {
  echo 'something was changed:'; git status --porcelain; exit 1
}
`

// TestAReadOnlyGitDirectory mounts the git directory read-only in a namespace of its own, because
// root can ignore permissions. Without namespaces it removes the write permission, which needs
// another user than root.
func TestAReadOnlyGitDirectory(t *testing.T) {
	t.Parallel()
	s := newUsed(t)
	cmd := exec.Command("unshare", "-rm", "sh", "-eu", "-c", "mount --bind .git .git; mount -o remount,bind,ro .git"+
		readOnlySteps)
	if exec.Command("unshare", "-rm", "true").Run() != nil {
		require.NotZero(t, os.Geteuid(), "root needs a mount namespace for this test")
		t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", s.path(".git")).Run() })
		cmd = exec.Command("sh", "-eu", "-c", "chmod -R a-w .git"+readOnlySteps+"\nchmod -R u+w .git")
	}
	cmd.Dir = s.dir
	cmd.Env = append(s.environ(), "ltm="+binary(t), "id="+s.ids[pool], "tmp="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", strings.TrimSpace(string(out)))
	s.stillUsed(0)
}
