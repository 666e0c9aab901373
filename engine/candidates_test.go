package engine_test

import (
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
