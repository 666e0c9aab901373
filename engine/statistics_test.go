package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/person"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// counts returns the parts of statistics that have memories, and requires that the parts of each
// group that has all of them add up.
func counts(t *testing.T, s api.Statistics) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, g := range s.Groups {
		memories, tokens, shown := 0, 0, 0
		for _, p := range g.Parts {
			memories, tokens, shown = memories+p.Memories, tokens+p.Tokens, shown+p.ContextTokens
			if p.Memories > 0 {
				found[g.By+" "+p.Name] = p.Memories
			} else {
				require.Zero(t, p.Tokens+p.ContextTokens)
			}
		}
		switch g.By {
		case "marks", "uses":
		case "archives":
			require.Equal(t, s.Archives, memories)
			require.Zero(t, shown)
		default:
			require.Equal(t, s.Memories, memories, g.By)
			require.InDelta(t, s.Tokens, tokens, float64(len(g.Parts)), g.By)
			require.LessOrEqual(t, shown, s.Context.Tokens+s.Memories, g.By)
		}
	}
	return found
}

func statistics(f *fixture) (api.Statistics, error) {
	return person.NewShelves(f.Engine, nil, nil).Statistics(f.ctx, "")
}

func TestStatistics(t *testing.T) {
	f := newEngine(t)
	s, err := statistics(f)
	require.NoError(t, err)
	require.Empty(t, counts(t, s))
	require.Len(t, s.Groups, 9)
	require.NoDirExists(t, f.dir)

	ids := kinds(f)
	gone := f.remember("Gone", "It was wrong.", 0.4)
	_, err = f.Forget(f.ctx, string(gone))
	require.NoError(t, err)
	_, err = f.Get(f.ctx, string(ids[0]))
	require.NoError(t, err)
	write := func(id memory.ID, text string) {
		require.NoError(t, os.WriteFile(f.memoryFile(id), []byte(text), 0o644))
	}
	write("mem_aaaaaaa1", "---\ntopic: A\ndisputes: [mem_aaaaaaa2]\ncreated_at: 2001-01-01T00:00:00Z\n---\nText.\n")
	write("mem_aaaaaaa2", "---\ntopic: B\nphase: 1\nsignature: v1:x:y\ncreated_at: 2999-01-01T00:00:00Z\n---\nText.\n")
	before := files(t, filepath.Dir(f.dir))
	s, err = statistics(f)
	require.NoError(t, err)
	require.Equal(t, before, files(t, filepath.Dir(f.dir)), "nothing is counted")
	require.Equal(t, map[string]int{
		"scope project": 6, "kind architectural": 1, "kind learnings": 2, "kind none": 3,
		"importance critical": 1, "importance normal": 5,
		"phase whole": 5, "phase hint": 1,
		"age under 7 days": 5, "age older": 1,
		"use opened": 1, "use never opened": 5,
		"marks unsure": 2, "marks disputed": 2, "marks signed": 1,
		"archives forgotten": 1,
	}, counts(t, s))
	next, err := f.NextContext(f.ctx, api.ContextQuery{})
	require.NoError(t, err)
	require.Equal(t, api.ContextSize{Style: "full", Characters: next.Characters, Tokens: next.Tokens, Memories: 6,
		Budget: next.Budget, Limit: "none"}, s.Context)

	f.set("trust", "ask", settings.Clone)
	s, err = statistics(f)
	require.NoError(t, err)
	require.Equal(t, 2, counts(t, s)["marks held back"])
	require.Equal(t, 4, s.Context.Memories)
	_, err = f.Forget(f.ctx, "mem_aaaaaaa1")
	require.NoError(t, err)
	f.now = f.now.Add(40 * 24 * time.Hour)
	s, err = statistics(f)
	require.NoError(t, err)
	got := counts(t, s)
	require.Zero(t, got["marks disputed"], "the other is archived")
	require.Equal(t, 4, got["age under 90 days"])
	require.Equal(t, 1, got["age under 7 days"], "a time from the future counts as now")
}

// TestStatisticsOfBothStores have memories of the same ids.
func TestStatisticsOfBothStores(t *testing.T) {
	f, own := newEngine(t), newEngine(t)
	f.remember("Pool size", "It is 20.", 0.5)
	own.remember("Style", "Short answers.", 0.5)
	own.remember("Editor", "It is vim.", 0.5)
	shelves := person.NewShelves(f.Engine, own.Engine, nil)
	both, err := shelves.Statistics(f.ctx, "")
	require.NoError(t, err)
	got := counts(t, both)
	require.Equal(t, 1, got["scope project"])
	require.Equal(t, 2, got["scope user"])
	require.Equal(t, 3, both.Context.Memories)
	for scope, want := range map[api.Scope]int{api.ScopeProject: 1, api.ScopeUser: 2, api.ScopeAll: 3} {
		some, err := shelves.Statistics(f.ctx, scope)
		require.NoError(t, err)
		require.Equal(t, want, some.Memories, scope)
		require.Equal(t, both.Context, some.Context, "a session gets both")
		for _, p := range some.Groups[0].Parts {
			require.Equal(t, p.Memories > 0, p.ContextTokens > 0)
		}
	}
	_, err = shelves.Statistics(f.ctx, "mine")
	require.Equal(t, memory.KindScopeUnknown, memory.KindOf(err))
}
