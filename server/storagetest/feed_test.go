package storagetest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/threads"
)

func vectorRows(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10, 11, 12)
	put := func(model string, n int, v ...float32) {
		w.change(t, ann, func(tx threads.Tx) error {
			return tx.PutVector(threads.Vector{Ref: threads.Ref{Kind: threads.KindEvent, ID: uuid(n)}, Model: model,
				Of: hash(model), V: v})
		})
	}
	put("m", 10, 1, 0)
	put("m", 11, 1, 1)
	put("m", 12, 0, 1)
	put("other", 12, 1, 0)
	put("m", 12, 0, -1)
	w.view(t, ann, func(v threads.View) {
		near, err := v.Nearest("m", []float32{2, 0}, []threads.Kind{threads.KindEvent, threads.KindClaim}, 2)
		require.NoError(t, err)
		require.Len(t, near, 2)
		require.Equal(t, uuid(10), near[0].ID)
		require.InDelta(t, 1, near[0].Cosine, 1e-6)
		require.InDelta(t, 0.70710678, near[1].Cosine, 1e-6)
		got, err := v.VectorOf("m", threads.Ref{Kind: threads.KindEvent, ID: uuid(12)})
		require.NoError(t, err)
		require.Equal(t, []float32{0, -1}, got.V)
		require.Equal(t, hash("m"), got.Of)
	})
	texts, _, err := w.WithoutVector(w.ctx, "other", "", 9)
	require.NoError(t, err)
	require.Len(t, texts, 2)
	require.Equal(t, threads.Text{Subject: ann, Ref: threads.Ref{Kind: threads.KindEvent, ID: uuid(10)},
		Text: "text 10"}, texts[0])
	n, err := w.DropVectors(w.ctx, "m", 2)
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
}

func subjectsApart(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10)
	w.filled(t, otherAnn, 1, 10)
	for _, who := range []threads.Subject{ben, {App: "app-two", User: "ben"}, {App: "none", User: "ann"}} {
		w.view(t, who, func(v threads.View) {
			version, err := v.Version()
			require.NoError(t, err)
			require.Zero(t, version)
			_, err = v.Thread(uuid(1))
			require.ErrorIs(t, err, threads.ErrNotFound)
			_, err = v.Event(uuid(10))
			require.ErrorIs(t, err, threads.ErrNotFound)
			events, err := v.Events(threads.EventQuery{Thread: uuid(1)})
			require.NoError(t, err)
			require.Empty(t, events)
		})
	}
	for name, change := range map[string]func(tx threads.Tx) error{
		"delete thread": func(tx threads.Tx) error { return tx.DeleteThread(uuid(1), after(1)) },
		"delete event":  func(tx threads.Tx) error { return tx.DeleteEvent(uuid(10), after(1)) },
		"meta":          func(tx threads.Tx) error { return tx.SetEventMeta(uuid(10), threads.Meta("{}")) },
		"reaction":      func(tx threads.Tx) error { return tx.PutReaction(threads.Reaction{Event: uuid(10)}) },
		"add event": func(tx threads.Tx) error {
			_, err := tx.AddEvent(event(77, 1, "x"))
			return err
		},
	} {
		require.ErrorIs(t, w.Change(w.ctx, ben, change), threads.ErrNotFound, name)
	}
	w.change(t, ann, func(tx threads.Tx) error { return tx.DeleteThread(uuid(1), after(20)) })
	w.view(t, otherAnn, func(v threads.View) {
		_, err := v.Event(uuid(10))
		require.NoError(t, err)
	})
	w.view(t, ann, func(v threads.View) {
		_, err := v.Event(uuid(10))
		require.ErrorIs(t, err, threads.ErrNotFound)
	})
}

func failingChanges(t *testing.T, w *place) {
	broken := errors.New("broken")
	require.ErrorIs(t, w.Change(w.ctx, ann, func(tx threads.Tx) error {
		require.NoError(t, tx.PutThread(thread(1)))
		_, err := tx.AddEvent(event(10, 1, "text"))
		require.NoError(t, err)
		return broken
	}), broken)
	w.change(t, ann, func(threads.Tx) error { return nil })
	users, err := w.Users(w.ctx, "app-one", "", 9)
	require.NoError(t, err)
	require.Empty(t, users, "a subject is there when it has rows")
	changes, _, err := w.Changes(w.ctx, "app-one", "", "", 9)
	require.NoError(t, err)
	require.Empty(t, changes)
}

// job returns a job about an event.
func job(kind threads.JobKind, n int) threads.Job {
	return threads.Job{Kind: kind, Thread: uuid(1), Of: threads.Ref{Kind: threads.KindEvent, ID: uuid(n)},
		Cause: uuid(n), State: threads.JobPending, CreatedAt: after(n), RunAt: after(n)}
}

func jobRows(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10, 11)
	w.change(t, ann, func(tx threads.Tx) error {
		return errors.Join(tx.AddJob(job(threads.JobSummarize, 10)), tx.AddJob(job(threads.JobSummarize, 11)),
			tx.AddJob(job(threads.JobEmbed, 10)), tx.AddJob(job(threads.JobEmbed, 10)),
			tx.AddJob(job(threads.JobEmbed, 11)))
	})
	kept, err := w.Counts(w.ctx, ann)
	require.NoError(t, err)
	require.Equal(t, threads.Counts{Threads: 1, Jobs: 4}, kept)
	early, err := w.Lease(w.ctx, "early", nil, 9, after(9), after(60))
	require.NoError(t, err)
	require.Empty(t, early)
	got, err := w.Lease(w.ctx, "a", nil, 9, after(20), after(60))
	require.NoError(t, err)
	require.Len(t, got, 3, "one of a thread's summaries, one of equal jobs")
	require.Equal(t, ann, got[0].Subject)
	require.Equal(t, 1, got[0].Attempts)
	require.Equal(t, threads.JobSummarize, got[0].Kind)
	more, err := w.other.Lease(w.ctx, "b", nil, 9, after(20), after(60))
	require.NoError(t, err)
	require.Empty(t, more)

	done := got[0]
	done.State, done.Reason, done.DoneAt = threads.JobDone, "so", after(30)
	require.NoError(t, w.Finish(w.ctx, done))
	require.ErrorIs(t, w.Finish(w.ctx, done), threads.ErrLost)
	next, err := w.Lease(w.ctx, "b", []threads.JobKind{threads.JobSummarize}, 9, after(31), after(60))
	require.NoError(t, err)
	require.Len(t, next, 1)
	retry := got[1]
	retry.RunAt = after(500)
	require.NoError(t, w.Finish(w.ctx, retry))

	again, err := w.Lease(w.ctx, "c", nil, 9, after(60), after(90))
	require.NoError(t, err)
	require.Len(t, again, 2, "leases that ran out")
	require.Equal(t, 2, again[0].Attempts)
	require.NoError(t, w.Renew(w.ctx, again, after(120)))
	require.NoError(t, w.Renew(w.ctx, got, after(900)), "of leases that have passed to another")
	none, err := w.Lease(w.ctx, "d", nil, 9, after(100), after(900))
	require.NoError(t, err)
	require.Empty(t, none, "they are renewed")
	lost := got[2]
	lost.State, lost.DoneAt = threads.JobDone, after(70)
	require.ErrorIs(t, w.Change(w.ctx, ann, func(tx threads.Tx) error {
		require.NoError(t, tx.SetEventMeta(uuid(10), threads.Meta(`{"lost":1}`)))
		require.ErrorIs(t, tx.FinishJob(lost), threads.ErrLost)
		return nil
	}), threads.ErrLost)
	again, err = w.Lease(w.ctx, "e", nil, 9, after(121), after(130))
	require.NoError(t, err)
	require.Len(t, again, 2, "only who has a lease renews it")
	w.view(t, ann, func(v threads.View) {
		e, err := v.Event(uuid(10))
		require.NoError(t, err)
		require.Empty(t, e.Meta, "the change of who lost the lease has not happened")
		effects, err := v.Jobs(uuid(10))
		require.NoError(t, err)
		require.Len(t, effects, 2)
		require.Equal(t, threads.JobDone, effects[0].State)
		require.Equal(t, "so", effects[0].Reason)
		require.Equal(t, after(30), effects[0].DoneAt)
		require.Empty(t, effects[0].Lease)
		pending, err := v.PendingJobs(effects[1].Of)
		require.NoError(t, err)
		require.Equal(t, effects[1].State == threads.JobPending, len(pending) == 1)
		nothing, err := v.PendingJobs(threads.Ref{Kind: threads.KindThread, ID: uuid(99)})
		require.NoError(t, err)
		require.Empty(t, nothing)
	})
	counts, oldest, err := w.JobTotals(w.ctx)
	require.NoError(t, err)
	require.Equal(t, map[threads.JobState]map[threads.JobKind]int64{threads.JobDone: {threads.JobSummarize: 1},
		threads.JobPending: {threads.JobSummarize: 1, threads.JobEmbed: 2}}, counts)
	require.Equal(t, after(10), oldest)
}

// feed waits for lines: a database may hold them back while any transaction runs that began before.
func feed(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10, 11)
	w.filled(t, ben, 2, 20)
	w.filled(t, otherAnn, 1, 10)
	w.change(t, ann, func(tx threads.Tx) error { return tx.DeleteThread(uuid(1), after(30)) })
	var seen []string
	cursor := ""
	for len(seen) < 8 {
		page, _, err := w.Changes(w.ctx, "app-one", "", cursor, 2)
		require.NoError(t, err)
		for _, c := range page {
			seen = append(seen, fmt.Sprint(c.User, " ", c.Op, " ", c.Kind, " ", c.ID[len(c.ID)-2:]))
			cursor = c.Cursor
		}
	}
	require.Equal(t, []string{"ann put thread 01", "ann put event 10", "ann put event 11", "ben put thread 02",
		"ben put event 20", "ann delete event 10", "ann delete event 11", "ann delete thread 01"}, seen)
	of, _, err := w.Changes(w.ctx, "app-one", "ben", "", 9)
	require.NoError(t, err)
	require.Len(t, of, 2)
	require.Equal(t, after(2), of[0].At)
	for _, cursor := range []string{"x", "AAAA", of[0].Cursor + "A", of[0].Cursor[1:], "\x00"} {
		_, _, err := w.Changes(w.ctx, "app-one", "", cursor, 9)
		require.ErrorIs(t, err, threads.ErrCursor)
	}
	_, _, err = w.Changes(w.ctx, "none", "", "", 9)
	require.ErrorIs(t, err, threads.ErrNotFound)
	w.view(t, ben, func(v threads.View) {
		version, err := v.Version()
		require.NoError(t, err)
		_, known, err := v.Changed(version)
		require.NoError(t, err)
		require.True(t, known)
		refs, known, err := v.Changed(version - 1)
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, []threads.Ref{{Kind: threads.KindEvent, ID: uuid(20)}}, refs)
		_, known, err = v.Changed(0)
		require.NoError(t, err)
		require.False(t, known)
	})
}

// purgedFeed checks that whoever follows the feed goes on, or is told that lines are missing.
func purgedFeed(t *testing.T, w *place) {
	follow := func(app, user, after string) (lines int, next string, err error) {
		page, next, err := w.Changes(w.ctx, app, user, after, 9)
		return len(page), next, err
	}
	// until waits for lines, which a database may hold back, and returns the cursor after them.
	until := func(app, user, after string, want int) (next string) {
		t.Helper()
		for lines := -1; lines < want; {
			var err error
			lines, next, err = follow(app, user, after)
			require.NoError(t, err)
			require.NotEmpty(t, next)
		}
		return next
	}
	empty := until(ann.App, "", threads.FromNow, 0)
	require.Equal(t, empty, until(ann.App, "", "", 0))
	other := until(otherAnn.App, "", "", 0)
	w.filled(t, ben, 2, 20)
	ofBen := until(ann.App, ben.User, empty, 2)
	w.filled(t, ann, 1, 90)
	middle := until(ann.App, "", empty, 4)
	w.filled(t, ann, 3, 91)
	end := until(ann.App, "", middle, 2)
	require.Equal(t, end, until(ann.App, "", threads.FromNow, 0))
	require.Equal(t, end, until(ann.App, ben.User, ofBen, 0), "so that a quiet user's is not taken for an old one")

	_, err := w.all.Purge(w.ctx, after(50))
	require.NoError(t, err)
	for _, old := range []string{empty, ofBen} {
		_, _, err = follow(ann.App, "", old)
		require.ErrorIs(t, err, threads.ErrPurged)
		_, _, err = follow(ann.App, ben.User, old)
		require.ErrorIs(t, err, threads.ErrPurged)
	}
	for range 2 { // some lines are left, or none
		require.Equal(t, end, until(ann.App, "", "", 0))
		require.Equal(t, end, until(ann.App, ben.User, "", 0))
		require.Equal(t, end, until(ann.App, "", end, 0))
		require.Equal(t, end, until(ann.App, "", threads.FromNow, 0))
		_, err = w.all.Purge(w.ctx, after(1000))
		require.NoError(t, err)
	}
	_, _, err = follow(ann.App, "", middle)
	require.ErrorIs(t, err, threads.ErrPurged)
	require.Equal(t, other, until(otherAnn.App, "", other, 0), "nothing of theirs was purged")
	w.filled(t, ann, 4, 92)
	until(ann.App, "", end, 2)
	_, err = w.DeleteApp(w.ctx, ann.App, after(2000))
	require.NoError(t, err)
	_, _, err = follow(ann.App, "", end)
	require.ErrorIs(t, err, threads.ErrNotFound)
}

func erasing(t *testing.T, w *place) {
	w.filled(t, ann, 1, 10, 11)
	w.filled(t, ben, 2, 20)
	w.filled(t, otherAnn, 1, 10)
	var before int64
	w.view(t, ann, func(v threads.View) { before, _ = v.Version() })
	gone, err := w.Erase(w.ctx, ann, after(50))
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"threads": 1, "events": 2, "changes": 3, "subjects": 1}, gone)
	gone, err = w.Erase(w.ctx, ann, after(51))
	require.NoError(t, err)
	require.Empty(t, gone)
	w.filled(t, ann, 1, 10)
	w.view(t, ann, func(v threads.View) {
		version, err := v.Version()
		require.NoError(t, err)
		require.Greater(t, version, before, "no version comes back")
		_, known, err := v.Changed(before)
		require.NoError(t, err)
		require.False(t, known)
	})
	w.change(t, ben, func(tx threads.Tx) error { return tx.DeleteEvent(uuid(20), after(52)) })
	list, err := w.ErasedSince(w.ctx, after(50))
	require.NoError(t, err)
	require.Equal(t, []threads.Erased{{Subject: ann, Ref: threads.Ref{Kind: threads.KindUser}, At: after(50)},
		{Subject: ben, Ref: threads.Ref{Kind: threads.KindEvent, ID: uuid(20)}, At: after(52)}}, list)
	gone, err = w.Repeat(w.ctx, list)
	require.NoError(t, err)
	require.EqualValues(t, 1, gone["subjects"])
	w.filled(t, ann, 1, 10)
	eve := threads.Subject{App: "app-one", User: "eve"}
	_, err = w.Erase(w.ctx, ann, after(55))
	require.NoError(t, err)
	_, err = w.Repeat(w.ctx, []threads.Erased{
		{Subject: ann, Ref: threads.Ref{Kind: threads.KindUser}, At: after(54)},
		{Subject: eve, Ref: threads.Ref{Kind: threads.KindUser}, At: after(53)},
		{Subject: threads.Subject{App: "gone", User: "eve"}, Ref: threads.Ref{Kind: threads.KindEvent, ID: uuid(1)},
			At: after(54)}})
	require.NoError(t, err)
	list, err = w.ErasedSince(w.ctx, after(53))
	require.NoError(t, err)
	require.Equal(t, []threads.Erased{
		{Subject: eve, Ref: threads.Ref{Kind: threads.KindUser}, At: after(53)},
		{Subject: threads.Subject{App: "gone", User: "eve"}, Ref: threads.Ref{Kind: threads.KindEvent, ID: uuid(1)},
			At: after(54)},
		{Subject: ann, Ref: threads.Ref{Kind: threads.KindUser}, At: after(55)}}, list,
		"the later time, and also what was not there")
	gone, err = w.DeleteApp(w.ctx, "app-one", after(60))
	require.NoError(t, err)
	require.EqualValues(t, 1, gone["apps"])
	require.EqualValues(t, 1, gone["threads"])
	_, err = w.AppOf(w.ctx, "one")
	require.ErrorIs(t, err, threads.ErrNotFound)
	w.view(t, otherAnn, func(v threads.View) {
		_, err := v.Event(uuid(10))
		require.NoError(t, err)
	})
}

func usage(t *testing.T, w *place) {
	u := threads.Usage{App: "app-one", Day: "2026-03-01", Requests: 1, Input: 2, Output: 3, Estimated: 4, Micros: 5}
	require.NoError(t, w.AddUsage(w.ctx, u))
	require.NoError(t, w.AddUsage(w.ctx, u))
	require.ErrorIs(t, w.AddUsage(w.ctx, threads.Usage{App: "none", Day: "x"}), threads.ErrNotFound)
	all, err := w.Usage(w.ctx, "2026-03-01")
	require.NoError(t, err)
	require.Equal(t, []threads.Usage{{App: "app-one", Day: "2026-03-01", Requests: 2, Input: 4, Output: 6, Estimated: 8,
		Micros: 10}}, all)
}
