//go:build unix

package gittrap_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/gittrap"
)

// TestStockGitSpringsTheTraps proves that the traps are real: a git command without precautions
// starts the program. It skips traps without Fire.
func TestStockGitSpringsTheTraps(t *testing.T) {
	fired := 0
	for _, trap := range gittrap.Traps() {
		if trap.Fire == "" {
			continue
		}
		fired++
		t.Run(trap.Name, func(t *testing.T) {
			t.Parallel()
			repository := filepath.Join(t.TempDir(), "repository")
			require.NoError(t, os.Mkdir(repository, 0o755))
			sh(t, repository, gittrap.Script)
			set, err := gittrap.New(t.TempDir())
			require.NoError(t, err)
			require.NoError(t, set.Lay(filepath.Join(repository, ".git"), trap))
			out := sh(t, repository, trap.Fire+" || true")
			sprung, err := set.Sprung()
			require.NoError(t, err)
			require.Contains(t, sprung, trap.Name, "%s", out)
		})
	}
	require.Greater(t, fired, 30)
}

// sh runs a shell script in a directory.
func sh(t *testing.T, dir, script string) []byte {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return out
}
