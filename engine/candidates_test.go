package engine_test

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/candidates"
	"ltm/memory"
	"ltm/memory/api"
)

// TestACandidateIsAcceptedOnce has several accept the same candidate at once: the one that stored it is told so.
func TestACandidateIsAcceptedOnce(t *testing.T) {
	for range 10 {
		f := newEngine(t)
		f.remember("first", "makes the store", 0.5)
		_, err := f.Propose(f.ctx, "s", []candidates.Candidate{{Topic: "Pool size", Text: "It is 20.", Why: "a cause"}})
		require.NoError(t, err)
		proposed, err := f.Candidates(f.ctx)
		require.NoError(t, err)
		require.Len(t, proposed.Candidates, 1)

		errs := make([]error, 4)
		var wait sync.WaitGroup
		for i := range errs {
			ids := counter(100 * (i + 1))
			e := f.reopen(&ids)
			wait.Go(func() { _, errs[i] = e.AcceptCandidate(f.ctx, api.Acceptance{ID: proposed.Candidates[0].ID}) })
		}
		wait.Wait()
		stored := 0
		for _, err := range errs {
			if err == nil {
				stored++
				continue
			}
			require.Contains(t, []memory.Code{memory.CodeConflict, memory.CodeNotFound}, memory.CodeOf(err), err)
		}
		require.Equal(t, 1, stored, errs)
	}
}

// TestACandidateIsAcceptedAndDroppedAtOnce: either the one who drops it hears that it is gone, or the one who accepts
// it hears that it was dropped.
func TestACandidateIsAcceptedAndDroppedAtOnce(t *testing.T) {
	f := newEngine(t)
	f.remember("first", "makes the store", 0.5)
	ids := counter(1000)
	other := f.reopen(&ids)
	for i := range 40 {
		topic := fmt.Sprintf("Pool number %d", i)
		_, err := f.Propose(f.ctx, "s", []candidates.Candidate{{Topic: topic, Text: strings.Repeat(topic, i)}})
		require.NoError(t, err)
		proposed, err := f.Candidates(f.ctx)
		require.NoError(t, err)
		if len(proposed.Candidates) == 0 {
			continue // it is too much like an earlier one
		}
		id := proposed.Candidates[0].ID
		var wait sync.WaitGroup
		var dropped error
		wait.Go(func() { dropped = other.DropCandidates(f.ctx, []string{id}) })
		r, err := f.AcceptCandidate(f.ctx, api.Acceptance{ID: id})
		wait.Wait()
		if err == nil && dropped == nil {
			require.Contains(t, r.Message.String(), id+" was dropped or accepted at the same time")
			continue
		}
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(cmp.Or(err, dropped)), err, dropped)
	}
}

// TestADecisionIsTakenBack proposes what was dropped or accepted again, in the same version, and stores no candidate
// that says something else than what was read.
func TestADecisionIsTakenBack(t *testing.T) {
	f := newEngine(t)
	f.remember("first", "makes the store", 0.5)
	found := []candidates.Candidate{{Topic: "Pool size", Text: "It is 20."}, {Topic: "Timeouts", Text: "One second."}}
	_, err := f.Propose(f.ctx, "s", found)
	require.NoError(t, err)
	proposed := func() []api.Candidate {
		r, err := f.Candidates(f.ctx)
		require.NoError(t, err)
		return r.Candidates
	}
	first, second := proposed()[0], proposed()[1]
	require.NoError(t, f.DropCandidates(f.ctx, []string{first.ID}))
	_, err = f.AcceptCandidate(f.ctx, api.Acceptance{ID: second.ID, Version: second.Version()})
	require.NoError(t, err)
	require.Empty(t, proposed())
	require.ErrorContains(t, f.ReopenCandidates(f.ctx, []string{first.ID, "cand_00000000"}), "cand_00000000")
	require.Empty(t, proposed(), "all or none")
	require.NoError(t, f.ReopenCandidates(f.ctx, []string{first.ID, second.ID}))
	require.Equal(t, []api.Candidate{first, second}, proposed())
	require.ErrorContains(t, f.ReopenCandidates(f.ctx, []string{first.ID}), "not among the last")

	found[0].Text = "It is 50."
	_, err = f.Propose(f.ctx, "s", found[:1])
	require.NoError(t, err)
	require.Equal(t, first.ID, proposed()[0].ID)
	_, err = f.AcceptCandidate(f.ctx, api.Acceptance{ID: first.ID, Version: first.Version()})
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
	require.Len(t, proposed(), 1)
}
