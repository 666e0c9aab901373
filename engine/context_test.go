package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// files returns the bytes of the files of a project but for caches.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, string(filepath.Separator)+"cache") {
			return err
		}
		data, err := os.ReadFile(path)
		found[path] = string(data)
		return err
	}))
	return found
}

// TestTheNextContextIsWhatASessionGets in every style and with every trust.
func TestTheNextContextIsWhatASessionGets(t *testing.T) {
	f := newEngine(t)
	got, err := f.NextContext(f.ctx, api.ContextQuery{})
	require.NoError(t, err)
	require.Equal(t, api.Context{Style: "full", Limit: "none", Memories: []api.ContextPart{},
		Budget: api.Budget{Tokens: 2000, Characters: 9500}, Whole: 10, Profile: "balanced"}, got)
	require.NoDirExists(t, f.dir)

	for i := range 100 {
		f.remember(fmt.Sprint("Topic ", i, strings.Repeat(" t", 20)), strings.Repeat("Some words. ", 30), 0.4)
	}
	f.remember("Critical", "Never do that.", 0.1, "importance:critical")
	guest := memory.ID("mem_deadbeef")
	require.NoError(t, os.WriteFile(f.memoryFile(guest), []byte("---\ntopic: Guest\n---\nText.\n"), 0o644))
	for _, style := range []string{"full", "compact"} {
		for _, trust := range []string{"mark", "ask", "all"} {
			f.set("context_style", style, settings.Clone)
			f.set("trust", trust, settings.Clone)
			before := files(t, filepath.Dir(f.dir))
			next, err := f.NextContext(f.ctx, api.ContextQuery{})
			require.NoError(t, err)
			require.Equal(t, before, files(t, filepath.Dir(f.dir)), "nothing is counted")
			require.Equal(t, style, next.Style)
			require.Equal(t, "tokens", next.Limit)
			require.Equal(t, utf16Len(next.Text), next.Characters)
			require.Greater(t, next.Tokens, next.Characters*2/7-2)
			total := 101
			if trust != "ask" {
				total++
			}
			require.Equal(t, total, len(next.Memories)+next.NotShown)
			require.Equal(t, next.Text, f.start(style+trust))

			other := map[string]string{"full": "compact", "compact": "full"}[style]
			named, err := f.NextContext(f.ctx, api.ContextQuery{Style: other})
			require.NoError(t, err)
			require.NotEqual(t, next.Text, named.Text)
			require.Equal(t, other, named.Style)
		}
	}
	_, err = f.NextContext(f.ctx, api.ContextQuery{Style: "tiny"})
	require.Equal(t, memory.KindSettingValue, memory.KindOf(err))
	f.set("memories_to_load", "0", settings.Clone)
	got, err = f.NextContext(f.ctx, api.ContextQuery{})
	require.NoError(t, err)
	require.Empty(t, got.Text)
	require.Equal(t, "count", got.Limit)
}

// TestOtherSettingsAreTried without being stored, and give what they give once they are.
func TestOtherSettingsAreTried(t *testing.T) {
	f := newEngine(t)
	for i := range 40 {
		id := f.remember(fmt.Sprint("Topic ", i), strings.Repeat("Some words. ", 30), float64(i)/40)
		for range i % 4 {
			_, err := f.Get(f.ctx, string(id))
			require.NoError(t, err)
		}
	}
	f.CountAccesses(f.ctx)
	whole := 3
	for key, try := range map[string]struct {
		query api.ContextQuery
		value string
	}{
		"context_budget_tokens": {api.ContextQuery{Budget: 700}, "700"},
		"memories_to_load":      {api.ContextQuery{Whole: &whole}, "3"},
		"priority_profile":      {api.ContextQuery{Profile: "classic"}, "classic"},
	} {
		before, err := f.NextContext(f.ctx, api.ContextQuery{})
		require.NoError(t, err)
		tried, err := f.NextContext(f.ctx, try.query)
		require.NoError(t, err)
		require.NotEqual(t, before, tried, key)
		again, err := f.NextContext(f.ctx, api.ContextQuery{})
		require.NoError(t, err)
		require.Equal(t, before, again, "nothing was stored")
		f.set(key, try.value, settings.Clone)
		stored, err := f.NextContext(f.ctx, api.ContextQuery{})
		require.NoError(t, err)
		require.Equal(t, stored, tried, key)
		why, err := f.Why(f.ctx, string(stored.Memories[0].ID))
		require.NoError(t, err)
		require.Equal(t, why.Priority, stored.Memories[0].Priority)
	}
	tooMany := 101
	for _, q := range []api.ContextQuery{{Budget: 1}, {Budget: -5}, {Budget: 1 << 30}, {Whole: &tooMany},
		{Profile: "other"}} {
		_, err := f.NextContext(f.ctx, q)
		require.Equal(t, memory.KindSettingValue, memory.KindOf(err), "%+v", q)
	}
}

// TestTheClientsLimitIsNamed when a budget is more than the client shows.
func TestTheClientsLimitIsNamed(t *testing.T) {
	f := newEngine(t)
	for i := range 40 {
		f.remember(fmt.Sprint("Topic ", i), strings.Repeat("Some words. ", 100), 0.4)
	}
	f.set("memories_to_load", "40", settings.Clone)
	f.set("context_budget_tokens", "10%", settings.Team)
	next, err := f.NextContext(f.ctx, api.ContextQuery{})
	require.NoError(t, err)
	require.Equal(t, "client", next.Limit)
	require.Equal(t, api.Budget{Tokens: 20_000, Characters: 9500, ByClient: true}, next.Budget)
	require.LessOrEqual(t, next.Characters, 9500)
	require.Greater(t, next.Characters, 7000)
	status, err := f.Status(f.ctx)
	require.NoError(t, err)
	require.Equal(t, next.Budget, status.Context)
	require.Equal(t, "10%", status.Config["context_budget_tokens"])

	f.set("context_size", "20000", settings.Clone)
	next, err = f.NextContext(f.ctx, api.ContextQuery{})
	require.NoError(t, err)
	require.Equal(t, "tokens", next.Limit)
	require.Equal(t, api.Budget{Tokens: 2000, Characters: 9500}, next.Budget)
}

// TestCriticalMemoriesBeyondTheClientsLimit get advice that helps.
func TestCriticalMemoriesBeyondTheClientsLimit(t *testing.T) {
	f := newEngine(t)
	for i := range 20 {
		f.remember(fmt.Sprint("Topic ", i), strings.Repeat("Some words. ", 100), 0.4, "importance:critical")
	}
	f.set("memories_to_load", "40", settings.Clone)
	f.set("context_budget_tokens", "50%", settings.Clone)
	report, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.Len(t, report.Warnings, 1)
	require.Equal(t, memory.KindCriticalClient, report.Warnings[0][0].Kind)
}
