package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// header returns the header of a memory's file.
func (f *fixture) header(id memory.ID) memory.Memory {
	f.t.Helper()
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(f.t, err)
	file, err := memfile.Parse(data)
	require.NoError(f.t, err)
	return file.Memory
}

func TestFadingIsSharedOnly(t *testing.T) {
	f := newEngine(t)
	f.remember("A memory", "It makes the store.", 0.5)
	for _, key := range []string{"fading", "track_index"} {
		_, err := f.SetConfig(f.ctx, key, "on", settings.Clone)
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
	}
	_, err := f.SetConfig(f.ctx, "fading", "files", settings.Clone)
	require.Equal(t, memory.KindSettingTeam, memory.KindOf(err))
}

// TestFadingInTheFiles evicts a memory completely, with the team setting.
func TestFadingInTheFiles(t *testing.T) {
	f, low := lowAndPinned(t)
	f.set("fading", "files", settings.Team)
	for _, to := range []memory.Phase{memory.Hint, memory.Abstract} {
		require.Equal(t, to, f.evict().To)
		m := f.header(low)
		require.Equal(t, to, m.Phase)
		require.NotContains(t, m.Content, "A detail")
		require.Equal(t, memory.Full, f.stats()[low].Phase)
		require.Equal(t, to, f.phase(low))
		f.requireVersions(low, longText())
	}
	f.evict()
	stub := f.header(low)
	require.True(t, stub.IsStub())
	require.Equal(t, memory.ReasonEvicted, stub.ArchivedReason)
	require.Equal(t, memory.Removed, f.phase(low))
	f.requireVersions(low, longText())
	_, err := f.Get(f.ctx, string(low))
	require.ErrorContains(t, err, "only in the archives (evicted)")
	_, err = f.Restore(f.ctx, string(low), "")
	require.NoError(t, err)
	require.Equal(t, longText(), f.header(low).Content)
	f.requireVersions(low, longText())
	check, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, check.OK, check.Summary)
}

// TestEvictionGoesOnFromTheView turns the setting on after memories have faded in the view.
func TestEvictionGoesOnFromTheView(t *testing.T) {
	f, low := lowAndPinned(t)
	f.evict()
	f.set("fading", "files", settings.Team)
	require.Equal(t, memory.Abstract, f.evict().To)
	require.Equal(t, memory.Abstract, f.header(low).Phase)
	require.Equal(t, memory.Removed, f.evict().To)
	require.True(t, f.header(low).IsStub())
	f.requireVersions(low, longText())
}

// TestWriteFading writes the view into the files, once.
func TestWriteFading(t *testing.T) {
	f := newEngine(t)
	ids := map[memory.Phase]memory.ID{}
	for phase := memory.Full; phase <= memory.Removed; phase++ {
		ids[phase] = f.remember("In view "+phase.String(), longText()+" "+phase.String(), 0.5)
		f.fade(ids[phase], phase)
	}
	before, stats := f.workTree(), f.stats()

	planned, err := f.WriteFading(f.ctx, api.EvictOptions{DryRun: true})
	require.NoError(t, err)
	require.True(t, planned.DryRun)
	require.Len(t, planned.Steps, 3)
	require.Equal(t, 3, planned.Active)
	require.Equal(t, before, f.workTree())
	require.Equal(t, stats, f.stats())

	done, err := f.WriteFading(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	require.False(t, done.DryRun)
	require.Equal(t, planned.Steps, done.Steps)
	for phase, id := range ids {
		m := f.header(id)
		require.Equal(t, phase, m.Phase)
		require.Equal(t, memory.Full, f.stats()[id].Phase, "the file says it now")
		require.Equal(t, phase, f.phase(id))
		require.Equal(t, phase == memory.Full, strings.Contains(m.Content, "A detail"))
		if phase != memory.Full {
			f.requireVersions(id, longText()+" "+phase.String())
		}
	}
	require.Equal(t, memory.ReasonEvicted, f.header(ids[memory.Removed]).ArchivedReason)

	after := f.workTree()
	again, err := f.WriteFading(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	require.Empty(t, again.Steps)
	require.Equal(t, after, f.workTree())
}

// TestWriteFadingLeavesAnUnresolvedMerge has a merge that a person must resolve first.
func TestWriteFadingLeavesAnUnresolvedMerge(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "It is 20.", 0.5)
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	merged := strings.Replace(string(data), "## Content\nIt is 20.\n",
		"## Content\n<<<<<<< HEAD\nIt is 30.\n=======\nIt is 40.\n>>>>>>> other\n", 1)
	require.NoError(t, os.WriteFile(f.memoryFile(id), []byte(merged), 0o644))
	f.fade(id, memory.Abstract)
	before := f.workTree()
	report, err := f.WriteFading(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	require.Empty(t, report.Steps)
	require.Equal(t, before, f.workTree())
	require.Equal(t, memory.Abstract, f.stats()[id].Phase)
}
