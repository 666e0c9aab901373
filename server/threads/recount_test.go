package threads_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/conversation"
	"ltm/server/threads"
)

// claimReads is a storage that counts how often all claims of a user are read.
type claimReads struct {
	threads.Storage
	looks, changes int // without a change, and within one
}

type claimsView struct {
	threads.View
	n *int
}

func (v claimsView) Claims(q threads.ClaimQuery) ([]threads.Claim, error) {
	*v.n++
	return v.View.Claims(q)
}

type claimsTx struct {
	threads.Tx
	n *int
}

func (v claimsTx) Claims(q threads.ClaimQuery) ([]threads.Claim, error) {
	*v.n++
	return v.Tx.Claims(q)
}

func (s *claimReads) View(ctx context.Context, who threads.Subject, look func(threads.View) error) error {
	return s.Storage.View(ctx, who, func(v threads.View) error { return look(claimsView{v, &s.looks}) })
}

func (s *claimReads) Change(ctx context.Context, who threads.Subject, change func(threads.Tx) error) error {
	return s.Storage.Change(ctx, who, func(tx threads.Tx) error { return change(claimsTx{tx, &s.changes}) })
}

// TestClaimsAreNotReadAgainForSummaries: to tell summaries, the claims of a user are read and taken apart at first, and
// again after something changed; not at all where there is no summary, and never while other changes wait.
func TestClaimsAreNotReadAgainForSummaries(t *testing.T) {
	w := newWorld(t, threads.Models{})
	counted := &claimReads{Storage: w.store.Threads()}
	var err error
	w.Service, err = threads.New(threads.Options{Storage: counted, Now: w.clock.Now,
		Random: rand.NewChaCha8([32]byte{9})})
	require.NoError(t, err)
	id, bare := w.thread(), w.thread()
	said := w.say(id, rome+".", "< Noted.", "My cat hates the vet.", "< Poor cat.")
	w.state(rome, said[0])
	w.state(oslo, "")
	w.act(conversation.Supersedes, rome, oslo)

	*counted = claimReads{Storage: counted.Storage}
	none, err := w.Summary(w.ctx, w.user, bare)
	require.NoError(t, err)
	require.Empty(t, none)
	require.Zero(t, counted.looks+counted.changes, "there is nothing to tell")
	promoted, changed, err := w.Promote(w.ctx, w.user, id)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, "- My cat hates the vet.\n", promoted.Shown())
	require.Zero(t, counted.changes)
	read := counted.looks
	for range 5 {
		told, err := w.Summary(w.ctx, w.user, id)
		require.NoError(t, err)
		require.Equal(t, promoted, told)
		told, _, err = w.Promote(w.ctx, w.user, id)
		require.NoError(t, err)
		require.Equal(t, promoted, told)
	}
	require.Equal(t, read, counted.looks, "nothing has changed")
	require.Zero(t, counted.changes)
	w.act(conversation.Deprecates, oslo, "")
	told, err := w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, promoted, told)
	require.Greater(t, counted.looks, read, "a claim has changed")
}
