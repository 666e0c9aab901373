package threads_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/provider"
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

const token = "ghp_" + "x7Kq2mVt9RbN4wZs8LdYc3HfGj6PaE1uTiO0"

// card is the number of a card that pays in tests alone.
const card = "4242 4242 4242 4242"

// TestCredentialsAreInNoAnsweredSummary: what was imported may have them, also over several lines.
func TestCredentialsAreInNoAnsweredSummary(t *testing.T) {
	body := strings.Repeat("MIIEvQIBADANBgkqhki"+"G9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n", 4)
	written := "- The garden has a gate, its key is\n-----BEGIN PRIVATE " + "KEY-----\n" + body + "-----END PRIVATE " +
		"KEY-----\n- and its token is " + token + ".\n- It was paid with " + card + ".\n- It is green.\n"
	for _, stale := range []bool{false, true} {
		w := newWorld(t, threads.Models{})
		id := w.thread()
		w.say(id, "We plan the garden with its gate.", "< Noted.")
		if stale {
			w.state(rome, "")
			w.act(conversation.Deprecates, rome, "")
		}
		sum, _, err := w.Promote(w.ctx, w.user, id)
		require.NoError(t, err)
		sum.Written = written
		require.NoError(t, w.store.Threads().Change(w.ctx, w.who, func(tx threads.Tx) error {
			return tx.PutSummary(sum)
		}))
		told, err := w.Summary(w.ctx, w.user, id)
		require.NoError(t, err)
		require.Contains(t, told.Shown(), "It is green.")
		promoted, _, err := w.Promote(w.ctx, w.user, id)
		require.NoError(t, err)
		shown := []string{told.Shown(), promoted.Shown()}
		for _, thread := range []string{id, ""} { // as the summary of the thread, and as one that was found
			got, err := w.Retrieve(w.ctx, w.user, threads.RetrieveRequest{Budget: 900,
				SearchRequest: threads.SearchRequest{Query: "green garden gate", User: "ann", Thread: thread,
					Kinds: []threads.Kind{threads.KindSummary}}})
			require.NoError(t, err)
			require.Contains(t, got.Memory, "green")
			shown = append(shown, got.Memory)
		}
		for _, text := range shown {
			require.NotContains(t, text, token)
			require.NotContains(t, text, card)
			require.NotContains(t, text, body[:40])
		}
	}
}

// TestCredentialsOfAModelAreNotStored: a model may make one up, or break one that it was shown masked.
func TestCredentialsOfAModelAreNotStored(t *testing.T) {
	w := newWorld(t, threads.Models{Summaries: &scripted{summarize: func(string, []provider.Turn) (string, error) {
		return "- The garden's token is " + token + ".", nil
	}}})
	id := w.thread()
	w.say(id, "We plan the garden with its gate.", "< Noted.")
	_, _, err := w.Promote(w.ctx, w.user, id)
	require.NoError(t, err)
	w.drain()
	all, err := w.Summaries(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Contains(t, all[0].Written, "The garden's token is")
	require.NotContains(t, all[0].Written, token)
}

// TestCardsAreInNoContext says the number of a card, which the event keeps as it was said.
func TestCardsAreInNoContext(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	w.say(id, "My bicycle shop card is "+card+". I live in Rome.", "< Noted.")
	got, err := w.Retrieve(w.ctx, w.user, threads.RetrieveRequest{Budget: 900, Recent: 5,
		SearchRequest: threads.SearchRequest{Query: "bicycle shop card", User: "ann"}})
	require.NoError(t, err)
	require.Contains(t, got.Memory, "bicycle shop card is [redacted]")
	require.NotContains(t, got.Memory, card)
}
