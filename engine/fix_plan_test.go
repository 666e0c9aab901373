package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// TestARepairIsThatWhichWasShown carries out nothing else than the plan whose fingerprint is given.
func TestARepairIsThatWhichWasShown(t *testing.T) {
	f := newEngine(t)
	f.remember("Pool size", "It is 20.", 0.5)
	damage := func(name string) string {
		path := filepath.Join(f.dir, "memories", name)
		require.NoError(t, os.WriteFile(path, []byte("---\nno: [header\n"), 0o644))
		return path
	}
	one := damage("mem_0000000a.md")
	shown, err := f.Fix(f.ctx, api.FixOptions{DryRun: true})
	require.NoError(t, err)
	require.NotEmpty(t, shown.Actions)
	two := damage("mem_0000000b.md")
	_, err = f.Fix(f.ctx, api.FixOptions{Plan: shown.Fingerprint()})
	require.Equal(t, memory.KindPlanMeanwhile, memory.KindOf(err))
	require.FileExists(t, one)
	require.NoError(t, os.Remove(two))
	done, err := f.Fix(f.ctx, api.FixOptions{Plan: shown.Fingerprint()})
	require.NoError(t, err)
	require.Equal(t, shown.Actions, done.Actions)
	require.NoFileExists(t, one)
	_, err = f.Fix(f.ctx, api.FixOptions{Plan: shown.Fingerprint()})
	require.Equal(t, memory.KindPlanMeanwhile, memory.KindOf(err), "nothing is left to repair")
}
