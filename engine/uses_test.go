package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/candidates"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// TestWhatAContextHadIsShown although the block after a compaction has no room for it.
func TestWhatAContextHadIsShown(t *testing.T) {
	f := newEngine(t)
	pinned := f.remember("pinned", "It is first.", 0.1, memory.Critical.Tag())
	other := f.remember("another", "It is second.", 0.1)
	f.start("s")
	f.set("memories_to_load", "1", settings.Clone)
	text, err := f.StartSession(f.ctx, api.SessionStart{Session: "s", Source: "compact"})
	require.NoError(t, err)
	require.NotContains(t, text, "It is second.")
	f.end("s")
	require.Equal(t, 1, f.use(pinned).Shown)
	require.Equal(t, 1, f.use(other).Shown)
}

// TestIdleMemories were shown often and never opened. A pinned one is meant to be shown.
func TestIdleMemories(t *testing.T) {
	f := newEngine(t)
	f.remember("pinned", "It is first.", 0.1, memory.Critical.Tag())
	other := f.remember("another", "It is second.", 0.1)
	idle := func() (ids []memory.ID) {
		tidying, err := f.Tidying(f.ctx)
		require.NoError(t, err)
		for _, m := range tidying.Idle {
			ids = append(ids, m.ID)
		}
		return ids
	}
	for range rank.OftenShown - 1 {
		f.endSession()
	}
	require.Empty(t, idle())
	f.endSession()
	require.Equal(t, []memory.ID{other}, idle())
	_, err := f.Get(f.ctx, string(other))
	require.NoError(t, err)
	require.Empty(t, idle())
}

// TestAMergeAddsUses of all kinds, and its undo takes them off.
func TestAMergeAddsUses(t *testing.T) {
	f := newEngine(t)
	one, two := f.remember("one", "The first text.", 0.1), f.remember("two", "The second one.", 0.1)
	f.endSession()
	_, err := f.Merge(f.ctx, api.Merging{IDs: []string{string(one), string(two)}})
	require.NoError(t, err)
	require.Equal(t, 2, f.use(one).Shown)
	_, err = f.Undo(f.ctx, "")
	require.NoError(t, err)
	require.Equal(t, 1, f.use(one).Shown)
	require.Equal(t, 1, f.use(two).Shown)
}

// TestOnlyTheLastDecisionsAreTakenBack, so that the file does not grow.
func TestOnlyTheLastDecisionsAreTakenBack(t *testing.T) {
	f := newEngine(t)
	f.remember("first", "makes the store", 0.5)
	var ids []string
	for i := range 21 {
		topic := fmt.Sprintf("Subject %c", 'a'+i)
		_, err := f.Propose(f.ctx, topic, []candidates.Candidate{{Topic: topic, Text: "What it is about."}})
		require.NoError(t, err)
		proposed, err := f.Candidates(f.ctx)
		require.NoError(t, err)
		require.Len(t, proposed.Candidates, 1)
		ids = append(ids, proposed.Candidates[0].ID)
		require.NoError(t, f.DropCandidates(f.ctx, ids[i:]))
	}
	require.ErrorContains(t, f.ReopenCandidates(f.ctx, ids[:1]), "not among the last")
	require.NoError(t, f.ReopenCandidates(f.ctx, ids[1:]))
}
