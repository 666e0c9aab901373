package storagetest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/threads"
)

func summaryRows(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10, 11)
	first := threads.Summary{ID: uuid(20), Thread: uuid(1), Active: true, CreatedAt: after(1), UpdatedAt: after(1),
		Summary: conversation.Summary{From: uuid(10), To: uuid(10), Reason: conversation.Init, Turns: 3,
			Lines: []conversation.Line{{Event: uuid(10), Role: conversation.User, Text: "a <line>", Weight: 2}},
			Terms: []string{"line"}}, Written: "by a model", Model: "m"}
	w.change(t, ann, func(tx threads.Tx) error { return tx.PutSummary(first) })
	second := first
	second.ID, second.From, second.CreatedAt, second.UpdatedAt = uuid(19), uuid(11), after(2), after(2)
	w.change(t, ann, func(tx threads.Tx) error { return tx.PutSummary(second) })
	first.Active, first.UpdatedAt = false, after(2)
	w.view(t, ann, func(v threads.View) {
		got, err := v.ActiveSummary(uuid(1))
		require.NoError(t, err)
		require.Equal(t, second, got)
		got, err = v.Summary(first.ID)
		require.NoError(t, err)
		require.Equal(t, first, got)
		for _, of := range []string{"", uuid(1)} {
			all, err := v.Summaries(of)
			require.NoError(t, err)
			require.Equal(t, []threads.Summary{first, second}, all)
		}
		_, err = v.ActiveSummary(uuid(2))
		require.ErrorIs(t, err, threads.ErrNotFound)
	})
	w.change(t, ann, func(tx threads.Tx) error { return tx.DeleteSummary(second.ID) })
	w.change(t, ann, func(tx threads.Tx) error { return tx.DeleteSummaries(uuid(1)) })
	w.view(t, ann, func(v threads.View) {
		all, err := v.Summaries("")
		require.NoError(t, err)
		require.Empty(t, all)
	})
}

func actRows(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10, 11)
	add := threads.Act{Act: conversation.Act{ID: uuid(1), At: after(1), Verb: conversation.Adds,
		Bucket: conversation.Goals, Text: "learn Go", Event: uuid(10), Confidence: 0.7}, By: "client", Note: "n",
		Stability: "high", ExpiresAt: after(99)}
	claim := conversation.ClaimID(add.Bucket, add.Text)
	acts := []threads.Act{add,
		{Act: conversation.Act{ID: uuid(2), At: after(2), Verb: conversation.Deprecates, Claim: claim}, By: "client"},
		{Act: conversation.Act{ID: uuid(3), At: after(3), Verb: conversation.Undoes, Undone: uuid(2)}, By: "client"},
		{Act: conversation.Act{ID: uuid(4), At: after(4), Verb: conversation.Rejects, Claim: "other"}, By: "client"}}
	w.change(t, ann, func(tx threads.Tx) (err error) {
		for _, a := range acts {
			err = errors.Join(err, tx.AddAct(a))
		}
		return err
	})
	require.ErrorIs(t, w.Change(w.ctx, ann, func(tx threads.Tx) error { return tx.AddAct(add) }), threads.ErrTaken)
	w.view(t, ann, func(v threads.View) {
		got, err := v.Acts("")
		require.NoError(t, err)
		for i := range got {
			require.Positive(t, got[i].Seq)
			got[i].Seq = 0
		}
		require.Equal(t, acts, got)
		got, err = v.Acts(claim)
		require.NoError(t, err)
		require.Len(t, got, 3)
		h, err := v.History()
		require.NoError(t, err)
		require.Len(t, h.Acts, 4)
		e := event(10, 1, "").Event
		require.Equal(t, []conversation.Event{e}, h.Events, "those that acts name, without texts")
	})
	w.change(t, ann, func(tx threads.Tx) error { return tx.DeleteActs([]string{uuid(2)}, after(5)) })
	w.change(t, ann, func(tx threads.Tx) error { return tx.DeleteEvent(uuid(10), after(5)) })
	w.view(t, ann, func(v threads.View) {
		got, err := v.Acts("")
		require.NoError(t, err)
		require.Len(t, got, 2, "the act of the event went with it")
	})
}

// claim returns a claim.
func claim(n int, text string, state conversation.State, confidence float64) threads.Claim {
	id := conversation.ClaimID(conversation.Goals, text)
	return threads.Claim{ID: uuid(n), Stability: "med", CreatedAt: after(n), UpdatedAt: after(n),
		Claim: conversation.Claim{ID: id, Bucket: conversation.Goals, Text: text, State: state, Confidence: confidence,
			Reinforced: 1, Valid: []conversation.Period{{From: after(10), To: after(20)}},
			Evidence: []conversation.Evidence{{Event: uuid(1), Thread: uuid(1), At: after(1)}}}}
}

func claimRows(t *testing.T, w *place) {
	a, b := claim(1, "swim", conversation.Active, 0.7), claim(2, "run", conversation.Suggested, 0.9)
	c := claim(3, "climb", conversation.Active, 0.7)
	put := func(claims ...threads.Claim) {
		w.change(t, ann, func(tx threads.Tx) error { return tx.PutClaims(claims) })
	}
	list := func(q threads.ClaimQuery) (found []threads.Claim) {
		w.view(t, ann, func(v threads.View) {
			var err error
			found, err = v.Claims(q)
			require.NoError(t, err)
		})
		return found
	}
	put(a, b, c)
	require.Equal(t, []threads.Claim{b, c, a}, list(threads.ClaimQuery{}))
	require.Equal(t, []threads.Claim{c, a}, list(threads.ClaimQuery{States: []conversation.State{conversation.Active}}))
	first, second := b.Place(), c.Place()
	require.Equal(t, []threads.Claim{a}, list(threads.ClaimQuery{After: &second, Limit: 9}))
	require.Equal(t, []threads.Claim{c}, list(threads.ClaimQuery{After: &first, Limit: 1}))
	last := a.Place()
	require.Empty(t, list(threads.ClaimQuery{After: &last}))
	require.Equal(t, []threads.Claim{a}, list(threads.ClaimQuery{IDs: []string{a.ID, uuid(9)}}))
	require.Empty(t, list(threads.ClaimQuery{Buckets: []conversation.Bucket{conversation.Profile}}))
	require.Len(t, list(threads.ClaimQuery{AsOf: after(10)}), 3)
	require.Empty(t, list(threads.ClaimQuery{AsOf: after(20)}))
	w.view(t, ann, func(v threads.View) {
		got, err := v.Claim(a.ID)
		require.NoError(t, err)
		require.Equal(t, a, got)
	})
	counts, err := w.Counts(w.ctx, ann)
	require.NoError(t, err)
	require.Equal(t, [2]int{3, 1}, [2]int{counts.Claims, counts.Suggested})
	later := a
	later.CreatedAt, later.UpdatedAt = after(50), after(50)
	changed := b
	changed.State, changed.UpdatedAt, changed.CreatedAt = conversation.Active, after(51), after(51)
	put(later, changed)
	changed.CreatedAt = b.CreatedAt
	require.Equal(t, []threads.Claim{changed, a}, list(threads.ClaimQuery{}), "what is the same stays as it is")
	err = w.Change(w.ctx, ann, func(tx threads.Tx) error {
		return tx.PutClaims([]threads.Claim{a, changed, claim(7, "Swim!", conversation.Active, 1)})
	})
	require.ErrorIs(t, err, threads.ErrTaken, "one claim a bucket and normalized text")
}

func reactionRows(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10, 11)
	w.filled(t, ann, 2, 12)
	for i, n := range []int{10, 11, 12, 10} {
		w.change(t, ann, func(tx threads.Tx) error {
			return tx.PutReaction(threads.Reaction{Event: uuid(n), Name: fmt.Sprint("r", i), CreatedAt: after(i),
				UpdatedAt: after(i)})
		})
	}
	w.view(t, ann, func(v threads.View) {
		all, err := v.Reactions(uuid(1), 9)
		require.NoError(t, err)
		first := threads.Reaction{Event: uuid(10), Name: "r3", CreatedAt: after(0), UpdatedAt: after(3)}
		require.Equal(t, []threads.Reaction{first,
			{Event: uuid(11), Name: "r1", CreatedAt: after(1), UpdatedAt: after(1)}}, all)
		all, err = v.Reactions("", 2)
		require.NoError(t, err)
		require.Len(t, all, 2)
		got, err := v.Reaction(uuid(10))
		require.NoError(t, err)
		require.Equal(t, first, got)
	})
	require.ErrorIs(t, w.Change(w.ctx, ann, func(tx threads.Tx) error {
		return tx.PutReaction(threads.Reaction{Event: uuid(99), Name: "heart"})
	}), threads.ErrNotFound)
	w.change(t, ann, func(tx threads.Tx) error { return tx.DeleteReaction(uuid(10)) })
	w.view(t, ann, func(v threads.View) {
		_, err := v.Reaction(uuid(10))
		require.ErrorIs(t, err, threads.ErrNotFound)
	})
}
