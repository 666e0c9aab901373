package engine_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

const day = 24 * time.Hour

// endSession runs a session that does nothing.
func (f *fixture) endSession() {
	f.t.Helper()
	f.start("s")
	require.NoError(f.t, f.EndSession(f.ctx, "s"))
}

// TestDecay lets memories age in the view of a clone.
func TestDecay(t *testing.T) {
	f := newEngine(t)
	low := f.remember("low", longText(), 0.5, "importance:low")
	normal := f.remember("normal", longText(), 0.5)
	critical := f.remember("critical", longText(), 0.5, "importance:critical")
	opened := f.remember("opened", longText(), 0.5, "importance:low")
	files := f.workTree()
	begin := f.now
	phases := func(low3, normal3 memory.Phase) {
		t.Helper()
		require.Equal(t, low3, f.phase(low), "low")
		require.Equal(t, normal3, f.phase(normal), "normal")
		require.Equal(t, memory.Full, f.phase(critical), "critical")
		require.Equal(t, memory.Full, f.phase(opened), "opened")
	}
	f.now = begin.Add(400 * day)
	f.endSession()
	phases(memory.Full, memory.Full) // decay is off
	f.now = begin
	f.set("decay", "human", settings.Clone)
	for _, tt := range []struct {
		at          time.Duration
		low, normal memory.Phase
	}{
		{23 * time.Hour, memory.Full, memory.Full},
		{day, memory.Hint, memory.Full},
		{day + time.Hour, memory.Hint, memory.Full}, // a period has not passed
		{2 * day, memory.Abstract, memory.Full},
		{7 * day, memory.Removed, memory.Hint}, // one phase a session's end
		{8 * day, memory.Removed, memory.Hint},
		{60 * day, memory.Removed, memory.Abstract},
		{61 * day, memory.Removed, memory.Abstract},
	} {
		f.now = begin.Add(tt.at)
		_, err := f.Get(f.ctx, string(opened))
		require.NoError(t, err)
		f.CountAccesses(f.ctx)
		f.endSession()
		phases(tt.low, tt.normal)
	}
	require.Equal(t, files, f.workTree(), "decay in the view changed a file")
	h, err := f.History(f.ctx, "", 1)
	require.NoError(t, err)
	require.Equal(t, "not opened for 60 days, last faded 53 days ago; normal memories lose a phase every 7 days",
		h.Events[0].Why)
	_, err = f.Get(f.ctx, string(normal))
	require.NoError(t, err)
	f.CountAccesses(f.ctx)
	require.Equal(t, memory.Full, f.phase(normal), "opened again")
	require.Zero(t, f.stats()[normal].FadedAt)
}

// TestDecayIsPlanned compares the plan of a dry run with what an eviction does.
func TestDecayIsPlanned(t *testing.T) {
	f := newEngine(t)
	low := f.remember("low", longText(), 0.5, "importance:low")
	f.set("decay", "2,14,60", settings.Clone)
	f.now = f.now.Add(3 * day)
	plan, err := f.Evict(f.ctx, api.EvictOptions{DryRun: true})
	require.NoError(t, err)
	require.Len(t, plan.Steps, 1)
	require.Equal(t, low, plan.Steps[0].ID)
	require.Equal(t, "not opened for 3 days; low memories lose a phase every 2 days", plan.Steps[0].Reason)
	require.Equal(t, memory.Full, f.phase(low))
	done, err := f.Evict(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	plan.DryRun = false
	require.Equal(t, plan, done)
	again, err := f.Evict(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	require.Empty(t, again.Steps)
}

// TestDecayInTheFiles archives the full text before it reduces a file.
func TestDecayInTheFiles(t *testing.T) {
	f := newEngine(t)
	low := f.remember("low", longText(), 0.5, "importance:low")
	f.set("fading", "files", settings.Team)
	f.set("decay", "human", settings.Clone)
	for _, to := range []memory.Phase{memory.Hint, memory.Abstract, memory.Removed} {
		f.now = f.now.Add(day)
		f.endSession()
		f.endSession()
		require.Equal(t, to, f.phase(low))
		f.requireVersions(low, longText())
	}
	require.Equal(t, memory.ReasonEvicted, f.header(low).ArchivedReason)
}

// TestDecayAndAClockThatJumps has the clock a year ahead and a year back for some sessions.
func TestDecayAndAClockThatJumps(t *testing.T) {
	f := newEngine(t)
	low := f.remember("low", longText(), 0.5, "importance:low")
	f.set("decay", "human", settings.Clone)
	begin := f.now
	at := func(d time.Duration, want memory.Phase) {
		t.Helper()
		f.now = begin.Add(d)
		f.endSession()
		require.Equal(t, want, f.phase(low))
	}
	at(-year, memory.Full)
	at(year, memory.Hint)
	at(year, memory.Hint)
	at(year+time.Hour, memory.Hint)
	at(time.Hour, memory.Hint) // right again: the period begins now
	require.Equal(t, f.now, f.stats()[low].FadedAt)
	at(23*time.Hour, memory.Hint)
	at(25*time.Hour, memory.Abstract)
}

// TestDecayIsNeverShared refuses the team setting, and ignores one that a repository brings.
func TestDecayIsNeverShared(t *testing.T) {
	f := newEngine(t)
	low := f.remember("low", longText(), 0.5, "importance:low")
	for _, value := range []string{"human", "1,7,30", "off"} {
		_, err := f.SetConfig(f.ctx, "decay", value, settings.Team)
		require.Equal(t, memory.KindSettingOwn, memory.KindOf(err))
	}
	data, err := json.Marshal(map[string]any{"version": 1, "config": map[string]any{"decay": "human"}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(f.dir+"/config.json", data, 0o644))
	f.now = f.now.Add(100 * day)
	f.endSession()
	require.Equal(t, memory.Full, f.phase(low))
	report, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, report.OK)
	require.Len(t, report.Remarks, 1)
	require.Equal(t, "config.json", report.Remarks[0].Where)
	require.Equal(t, "decay cannot be a team setting, and has no effect", report.Remarks[0].Reason.String())
	_, err = f.ResetConfig(f.ctx, "decay", settings.Team)
	require.NoError(t, err)
	report, err = f.Check(f.ctx)
	require.NoError(t, err)
	require.Empty(t, report.Remarks)
}
