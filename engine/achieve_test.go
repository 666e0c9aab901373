package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/achievements"
	"ltm/memory"
	"ltm/memory/api"
)

// TestAchieve stores achievements once, however their commits are rewritten.
func TestAchieve(t *testing.T) {
	f := newEngine(t)
	hash := func(n int) string { return fmt.Sprintf("%040x", n) }
	at := f.now.Add(-300 * day)
	found := []achievements.Achievement{
		{Commit: hash(1), Topic: "feat: add login", Why: "feature", Importance: memory.Low, At: at},
		{Commit: hash(2), Topic: "Feat: Add login", Why: "feature", Importance: memory.Low, At: at},
		{Commit: hash(6), Topic: "feat: add a login", Why: "feature", Importance: memory.Low, At: at},
		{Commit: hash(3), Topic: "feat: of the future", Why: "feature", At: f.now.Add(year)},
		{Commit: hash(4), Topic: "feat: key AKIAQ3EGRJ7WT5UIYZXC", Why: "feature", At: at},
		{Commit: hash(5), Tag: "v1.0.0", Topic: "Released v1.0.0", Why: "tag", Importance: memory.Normal, At: at},
		{Commit: hash(5), Tag: "v1.0", Topic: "Released v1.0", Why: "tag", Importance: memory.Normal},
	}
	patches := map[string]string{hash(1): "p1", hash(3): "p3", hash(4): "p4", hash(5): "p5", hash(6): "p1"}
	fresh, o, err := f.Unknown(f.ctx, found)
	require.NoError(t, err)
	require.Len(t, fresh, 6)
	require.Equal(t, api.AchieveOptions{Duplicates: 1}, o)
	o.DryRun = true
	plan, err := f.Achieve(f.ctx, fresh, patches, o)
	require.NoError(t, err)
	require.NoDirExists(t, f.dir)
	o.DryRun = false
	done, err := f.Achieve(f.ctx, fresh, patches, o)
	require.NoError(t, err)
	require.Equal(t, "4 new achievements, 2 duplicates, 1 refused because they seem to hold a credential", done.Summary)
	require.Equal(t, 2, done.Duplicates, "of one topic, and of one change")
	plan.DryRun = false
	require.Equal(t, plan, done)
	_, o, err = f.Unknown(f.ctx, found)
	require.NoError(t, err)
	require.Equal(t, api.AchieveOptions{Known: 5}, o, "but for the refused one and that of the same change")
	login := f.header(done.Achievements[0].ID)
	require.Equal(t, memory.Achievements, login.Category)
	require.Equal(t, memory.Low, login.Importance())
	require.Equal(t, hash(1), login.Commit)
	require.Equal(t, at.Truncate(time.Second), login.CreatedAt)
	require.False(t, f.header(done.Achievements[1].ID).CreatedAt.After(f.now))
	trusted, err := f.Trusted(f.ctx)
	require.NoError(t, err)
	require.Empty(t, trusted.Foreign)

	// Reworded and rebased; then forgotten, and erased.
	again := []achievements.Achievement{{Commit: hash(11), Topic: "feat: log in", Why: "feature", At: at}}
	patches[hash(11)] = "p1"
	for _, forget := range []func(){func() {}, func() {
		_, err := f.Forget(f.ctx, string(login.ID))
		require.NoError(t, err)
	}, func() {
		_, err := f.Erase(f.ctx, string(login.ID))
		require.NoError(t, err)
	}} {
		forget()
		r, err := f.Achieve(f.ctx, again, patches, api.AchieveOptions{})
		require.NoError(t, err)
		require.Empty(t, r.Achievements)
		require.Equal(t, 1, r.Known)
	}
	// Nothing is left of it.
	require.NoError(t, os.Remove(f.memoryFile(login.ID)))
	r, err := f.Achieve(f.ctx, again, patches, api.AchieveOptions{})
	require.NoError(t, err)
	require.Equal(t, login.ID, r.Achievements[0].ID)
}

// TestManyAchievements proposes no more than a person can read.
func TestManyAchievements(t *testing.T) {
	f := newEngine(t)
	var found []achievements.Achievement
	for i := range 1000 {
		found = append(found, achievements.Achievement{Commit: fmt.Sprintf("%040x", i), Why: "feature", At: f.now,
			Topic: strings.Repeat("x", 150) + fmt.Sprint(i)})
	}
	total := 0
	for _, want := range [][]int{{200, 0, 800}, {200, 200, 600}, {200, 400, 400}} {
		fresh, o, err := f.Unknown(f.ctx, found)
		require.NoError(t, err)
		require.Equal(t, want, []int{len(fresh), o.Known, o.Left})
		r, err := f.Achieve(f.ctx, fresh, nil, o)
		require.NoError(t, err)
		require.Len(t, r.Achievements, 200)
		total += len(r.Achievements)
	}
	status, err := f.Status(f.ctx)
	require.NoError(t, err)
	require.Equal(t, total, status.TotalMemories)
}
