package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/store"
)

// TestCandidatesAreBounded: of too many, the oldest go.
func TestCandidatesAreBounded(t *testing.T) {
	f := newStore(t)
	var c store.Candidates
	for i := range store.MaxPending + 5 {
		c.Pending = append(c.Pending, store.Candidate{ID: fmt.Sprint(i)})
	}
	for i := range 2100 {
		c.Settled = append(c.Settled, fmt.Sprint("settled", i))
	}
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.WriteCandidates(c) }))
	require.NoError(t, f.reopen().View(func(v *store.View) error {
		kept, err := v.Candidates()
		require.Len(t, kept.Pending, store.MaxPending)
		require.Nil(t, kept.Find("4"))
		require.NotNil(t, kept.Find("5"))
		require.Len(t, kept.Settled, 2000)
		require.True(t, kept.Knows("settled2099"))
		require.False(t, kept.Knows("settled99"))
		return err
	}))
}
