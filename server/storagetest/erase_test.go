package storagetest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/threads"
)

// manyEvents is more than an erasure removes at once.
const manyEvents = 3500

// erasingMany erases a user with many rows, and stops in the middle: from the first moment no one sees any of it, and
// the next purge removes the rest.
func erasingMany(t *testing.T, w *place) {
	for part := range 7 {
		w.change(t, ann, func(tx threads.Tx) error {
			err := tx.PutThread(thread(part))
			for n := part * 500; n < (part+1)*500; n++ {
				e := event(n, part, fmt.Sprintf("the marker of %d", n))
				_, added := tx.AddEvent(e)
				err = errors.Join(err, added, tx.PutVector(threads.Vector{Model: "m", V: []float32{1},
					Ref: threads.Ref{Kind: threads.KindEvent, ID: e.ID}}))
			}
			return errors.Join(err, tx.AddJob(job(threads.JobEmbed, part*500)))
		})
	}
	leased, err := w.Lease(w.ctx, "l", nil, 1, after(9000), after(9100))
	require.NoError(t, err)
	require.Len(t, leased, 1)
	ctx, stop := context.WithCancel(w.ctx)
	defer stop()
	go func() {
		for ctx.Err() == nil {
			if users, err := w.other.Users(ctx, ann.App, "", 9); err == nil && !slices.Contains(users, ann.User) {
				stop() // the rest is still to do, or it was faster
			}
		}
	}()
	gone, err := w.Erase(ctx, ann, after(9000))
	require.True(t, err == nil || errors.Is(err, context.Canceled), "%v", err)
	if err == nil {
		require.EqualValues(t, manyEvents, gone["events"])
	}
	w.unseen(t, ann)
	require.ErrorIs(t, w.Finish(w.ctx, leased[0]), threads.ErrLost)

	// the user comes back, and keeps what is new
	w.filled(t, ann, 1, 9001)
	_, err = w.all.Purge(w.ctx, after(0))
	require.NoError(t, err)
	w.view(t, ann, func(v threads.View) {
		events, err := v.Events(threads.EventQuery{})
		require.NoError(t, err)
		require.Len(t, events, 1)
	})
	list, err := w.ErasedSince(w.ctx, after(8999))
	require.NoError(t, err)
	require.Equal(t, []threads.Erased{{Subject: ann, Ref: threads.Ref{Kind: threads.KindUser}, At: after(9000)}}, list)
	w.change(t, ben, func(tx threads.Tx) error { // ids are free once their rows are gone
		err := tx.PutThread(thread(7000))
		for n := range manyEvents {
			_, added := tx.AddEvent(event(n, 7000, "other"))
			err = errors.Join(err, added)
		}
		return err
	})
	gone, err = w.Erase(w.ctx, ben, after(9002))
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"threads": 1, "events": manyEvents, "changes": manyEvents + 1, "subjects": 1},
		gone)
}

// unseen checks that nothing of a user is in any answer or dump.
func (w *place) unseen(t *testing.T, who threads.Subject) {
	t.Helper()
	w.view(t, who, func(v threads.View) {
		version, err := v.Version()
		require.NoError(t, err)
		require.Zero(t, version)
		_, err = v.Event(uuid(3400))
		require.ErrorIs(t, err, threads.ErrNotFound)
		near, err := v.Nearest("m", []float32{1}, []threads.Kind{threads.KindEvent}, 5)
		require.NoError(t, err)
		require.Empty(t, near)
	})
	_, err := w.OwnerOf(w.ctx, who.App, uuid(6))
	require.ErrorIs(t, err, threads.ErrNotFound)
	for _, user := range []string{"", who.User} {
		var lines []threads.Change
		for len(lines) == 0 { // held back while any transaction runs that began before
			lines, _, err = w.Changes(w.ctx, who.App, user, "", 0)
			require.NoError(t, err)
		}
		require.Len(t, lines, 1)
		require.Equal(t, "delete", lines[0].Op)
	}
	texts, _, err := w.WithoutVector(w.ctx, "another", "", 5000)
	require.NoError(t, err)
	require.Empty(t, texts)
	var dump bytes.Buffer
	require.NoError(t, w.beside.Dump(w.ctx, &dump)) // which reads whole tables, as no query of w.all may
	require.NotContains(t, dump.String(), "marker")
	require.NotContains(t, dump.String(), `{"vector":`)
	require.NotContains(t, dump.String(), `{"job":`)
}

// erasingAnswers checks that the answers that are kept for a user go with them, whether or not there are rows of them,
// and no others.
func erasingAnswers(t *testing.T, w *place) {
	begin := func(who threads.Subject, request string) error {
		_, err := w.all.Begin(w.ctx, server.AnswerOwner(who), "key", hash(request), start)
		return err
	}
	whose := []threads.Subject{ann, ben, otherAnn, {App: ann.App}}
	for _, who := range whose {
		require.NotContains(t, server.AnswerOwner(who), "ann")
		require.NoError(t, begin(who, "request"))
	}
	w.filled(t, ben, 1, 10)
	for _, who := range []threads.Subject{ann, ben} {
		gone, err := w.Erase(w.ctx, who, after(20))
		require.NoError(t, err)
		require.NotContains(t, gone, "answers", "which are none of the user's rows")
	}
	for n, who := range whose {
		err := begin(who, "another")
		if n < 2 {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, server.ErrReused)
		}
	}
}
