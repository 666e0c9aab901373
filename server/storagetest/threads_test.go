package storagetest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// memoryPart is a part of the contract of [threads.Storage].
type memoryPart struct {
	name string
	run  func(t *testing.T, w *place)
}

// memoryParts returns all parts.
func memoryParts() []memoryPart {
	return []memoryPart{
		{"apps", apps}, {"keys", keys}, {"threads", threadRows}, {"events", eventRows}, {"summaries", summaryRows},
		{"acts", actRows}, {"claims", claimRows}, {"reactions", reactionRows}, {"vectors", vectorRows},
		{"subjects are apart", subjectsApart}, {"changes that fail", failingChanges}, {"jobs", jobRows},
		{"lists of jobs", jobLists}, {"imported events", importedEvents},
		{"the feed", feed}, {"a purged feed", purgedFeed}, {"erasing", erasing}, {"erasing many", erasingMany},
		{"erasing answers", erasingAnswers},
		{"usage", usage}, {"audit", auditedMemory}, {"purging memory", purgingMemory},
		{"race of changes", raceOfChanges}, {"changes together", changesTogether},
		{"a late change in the feed", feedOfLate}, {"race for jobs", raceForJobs},
	}
}

// TestThreads tests the contract of [threads.Storage]. On Postgres it uses a role that row-level security holds.
// Of the queries that its parts run, none goes through a table.
func TestThreads(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		queries := threadsContract(t, newSQLite)
		t.Run("no query scans a table", func(t *testing.T) { noQueryScansSQLite(t, queries()) })
	})
	t.Run("Postgres", func(t *testing.T) {
		queries := threadsContract(t, newPlainPostgres)
		t.Run("no query scans a table", func(t *testing.T) { noQueryScansPostgres(t, queries()) })
	})
}

// threadsContract tests it on one kind of database, and returns what returns the queries that the parts ran.
func threadsContract(t *testing.T, empty fresh) (queries func() []string) {
	empty = copies(t, empty)
	var mu sync.Mutex
	all := map[string]bool{}
	t.Run("parts", func(t *testing.T) {
		for _, part := range memoryParts() {
			t.Run(part.name, func(t *testing.T) {
				t.Parallel()
				w := newPlace(t, empty(t))
				part.run(t, w)
				mu.Lock()
				for _, query := range w.all.Queries() {
					all[query] = true
				}
				mu.Unlock()
				faults, err := w.all.Check(t.Context())
				require.NoError(t, err)
				require.Empty(t, faults)
			})
		}
	})
	return func() []string { return slices.Sorted(maps.Keys(all)) }
}

// place is a database with two applications, "one" and "two".
type place struct {
	threads.Storage
	all    *sqlstore.Store
	beside *sqlstore.Store // a second server's
	other  threads.Storage // its
	ctx    context.Context
}

// The subjects of the tests. All ids of one are used by the others, too.
var (
	ann      = threads.Subject{App: "app-one", User: "ann"}
	ben      = threads.Subject{App: "app-one", User: "ben"}
	otherAnn = threads.Subject{App: "app-two", User: "ann"}
)

func newPlace(t *testing.T, d database) *place {
	a, b := opened(t, d), opened(t, d)
	w := &place{Storage: a.Threads(), all: a, beside: b, other: b.Threads(), ctx: t.Context()}
	for i, name := range []string{"one", "two"} {
		require.NoError(t, w.CreateApp(w.ctx, threads.App{ID: "app-" + name, Name: name, CreatedAt: after(i)}))
	}
	return w
}

// fillMemory puts rows of every kind into a database.
func fillMemory(t *testing.T, d *sqlstore.Store) {
	t.Helper()
	w := &place{Storage: d.Threads(), all: d, other: d.Threads(), ctx: t.Context()}
	for i, name := range []string{"one", "two"} {
		require.NoError(t, w.CreateApp(w.ctx, threads.App{ID: "app-" + name, Name: name, CreatedAt: after(i)}))
	}
	for i, text := range odd {
		who := threads.Subject{App: otherAnn.App, User: "u " + text}
		e := event(1000+i, 500+i, text)
		e.Key, e.Meta, e.Session, e.Agent = text, threads.Meta(`{"k": "v"}`), text, text
		th := thread(500 + i)
		th.Title, th.Agent = text, text
		w.change(t, who, func(tx threads.Tx) error {
			err := tx.PutThread(th)
			seq, added := tx.AddEvent(e)
			return errors.Join(err, added, tx.SetImported(seq),
				tx.PutReaction(threads.Reaction{Event: e.ID, Name: text, CreatedAt: start,
					UpdatedAt: start}), tx.PutSummary(threads.Summary{ID: uuid(600 + i), Thread: th.ID, Active: true,
					Written: "by a model", CreatedAt: start, UpdatedAt: start}),
				tx.PutClaims([]threads.Claim{claim(700+i, "learn Go", conversation.Active, 1.0/3)}),
				tx.AddAct(threads.Act{Act: conversation.Act{ID: uuid(800 + i), At: start, Verb: conversation.Adds,
					Bucket: conversation.Goals, Text: "learn Go"}, By: "client"}),
				tx.PutVector(threads.Vector{Ref: threads.Ref{Kind: threads.KindEvent, ID: e.ID}, Model: text,
					V: []float32{1, -0.5}}), tx.AddJob(job(threads.JobEmbed, 1000+i)))
		})
	}
	require.NoError(t, w.CreateKey(w.ctx, threads.Key{ID: "key", App: ann.App, Hash: hash("key"), CreatedAt: start}))
	usage(t, w)
	w.filled(t, ann, 1, 10)
	_, err := w.Erase(w.ctx, ann, after(20))
	require.NoError(t, err)
}

// uuid returns an id for a number.
func uuid(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// change changes a subject's memory.
func (w *place) change(t *testing.T, who threads.Subject, change func(tx threads.Tx) error) {
	t.Helper()
	require.NoError(t, w.Change(w.ctx, who, change))
}

// view looks at a subject's memory.
func (w *place) view(t *testing.T, who threads.Subject, look func(v threads.View)) {
	t.Helper()
	require.NoError(t, w.View(w.ctx, who, func(v threads.View) error {
		look(v)
		return nil
	}))
}

// thread returns a thread to put.
func thread(n int) threads.Thread {
	return threads.Thread{ID: uuid(n), Title: fmt.Sprint("thread ", n), CreatedAt: after(n), UpdatedAt: after(n)}
}

// event returns an event to add.
func event(n, thread int, text string) threads.Event {
	return threads.Event{Event: conversation.Event{ID: uuid(n), Thread: uuid(thread), Role: conversation.User,
		Text: text, Occurred: after(n), Recorded: after(n)}}
}

// filled has a thread with events in it.
func (w *place) filled(t *testing.T, who threads.Subject, th int, events ...int) {
	t.Helper()
	w.change(t, who, func(tx threads.Tx) error {
		err := tx.PutThread(thread(th))
		for _, n := range events {
			_, added := tx.AddEvent(event(n, th, fmt.Sprint("text ", n)))
			err = errors.Join(err, added)
		}
		return err
	})
}

func apps(t *testing.T, w *place) {
	a := threads.App{ID: "app-three", Name: "three", CreatedAt: after(5), Settings: threads.Settings{
		Retention: time.Hour, TokensPerDay: 7, Fields: map[string]string{"a": "text"},
		Stores: map[string]string{"docs": "/srv/docs"},
		Issuer: &threads.Issuer{URL: "u", JWKS: "j", Audience: "a"}}}
	require.NoError(t, w.CreateApp(w.ctx, a))
	require.ErrorIs(t, w.CreateApp(w.ctx, threads.App{ID: "x", Name: "three", CreatedAt: start}), threads.ErrTaken)
	for _, given := range []string{"app-three", "three"} {
		got, err := w.AppOf(w.ctx, given)
		require.NoError(t, err)
		require.Equal(t, a, got)
	}
	_, err := w.AppOf(w.ctx, "")
	require.ErrorIs(t, err, threads.ErrNotFound)
	a.Name, a.Settings = "tres", threads.Settings{}
	require.NoError(t, w.UpdateApp(w.ctx, a))
	require.NoError(t, w.UpdateApp(w.ctx, a))
	all, err := w.ListApps(w.ctx)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, a, all[2])
	a.Name = "one"
	require.ErrorIs(t, w.UpdateApp(w.ctx, a), threads.ErrTaken)
	a.ID, a.Name = "none", "none"
	require.ErrorIs(t, w.UpdateApp(w.ctx, a), threads.ErrNotFound)
	require.ErrorIs(t, w.Change(w.ctx, threads.Subject{App: "none", User: "u"}, func(threads.Tx) error { return nil }),
		threads.ErrNotFound)
}

func keys(t *testing.T, w *place) {
	k := threads.Key{ID: "k1", App: "app-one", Name: "laptop", Hash: hash("k1"), CreatedAt: start,
		ExpiresAt: after(100)}
	require.NoError(t, w.CreateKey(w.ctx, k))
	require.ErrorIs(t, w.CreateKey(w.ctx, threads.Key{ID: "k2", App: "none", Hash: hash("k2"), CreatedAt: start}),
		threads.ErrNotFound)
	require.NoError(t, w.CreateKey(w.ctx, threads.Key{ID: "k3", App: "app-two", Hash: hash("k3"), CreatedAt: after(1)}))
	got, app, err := w.AuthenticateKey(w.ctx, hash("k1"), after(1))
	require.NoError(t, err)
	k.UsedAt = after(1)
	require.Equal(t, k, got)
	require.Equal(t, "one", app.Name)
	_, _, err = w.AuthenticateKey(w.ctx, hash("k1"), after(100))
	require.ErrorIs(t, err, threads.ErrNotFound)
	all, err := w.ListKeys(w.ctx, "")
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, k, all[1])
	of, err := w.ListKeys(w.ctx, "app-one")
	require.NoError(t, err)
	require.Equal(t, []threads.Key{k}, of)
	require.NoError(t, w.RevokeKey(w.ctx, "k1", after(2)))
	require.ErrorIs(t, w.RevokeKey(w.ctx, "none", after(2)), threads.ErrNotFound)
	_, _, err = w.AuthenticateKey(w.ctx, hash("k1"), after(3))
	require.ErrorIs(t, err, threads.ErrNotFound)
}

func threadRows(t *testing.T, w *place) {
	th := threads.Thread{ID: uuid(1), Agent: "helper", Title: odd[0], Meta: threads.Meta(`{"a": 1}`), CoreAt: after(9),
		CreatedAt: start, UpdatedAt: after(1), Cursor: uuid(7)}
	w.change(t, ann, func(tx threads.Tx) error { return tx.PutThread(th) })
	for n := 2; n < 6; n++ {
		w.change(t, ann, func(tx threads.Tx) error { return tx.PutThread(thread(n)) })
	}
	w.view(t, ann, func(v threads.View) {
		got, err := v.Thread(th.ID)
		require.NoError(t, err)
		require.Equal(t, th, got)
		all, err := v.Threads(threads.ThreadQuery{Limit: 2})
		require.NoError(t, err)
		require.Equal(t, []threads.Thread{thread(5), thread(4)}, all)
		all, err = v.Threads(threads.ThreadQuery{After: &threads.Place{At: after(4), ID: uuid(4)}})
		require.NoError(t, err)
		require.Equal(t, []threads.Thread{thread(3), thread(2), th}, all)
		all, err = v.Threads(threads.ThreadQuery{Agent: "helper"})
		require.NoError(t, err)
		require.Equal(t, []threads.Thread{th}, all)
	})
	counts, err := w.Counts(w.ctx, ann)
	require.NoError(t, err)
	require.Equal(t, threads.Counts{Threads: 5}, counts)
	owner, err := w.OwnerOf(w.ctx, "app-one", uuid(1))
	require.NoError(t, err)
	require.Equal(t, "ann", owner)
	_, err = w.OwnerOf(w.ctx, "app-two", uuid(1))
	require.ErrorIs(t, err, threads.ErrNotFound)
	err = w.Change(w.ctx, ben, func(tx threads.Tx) error { return tx.PutThread(th) })
	require.ErrorIs(t, err, threads.ErrTaken, "an id is one user's within an application")
	users, err := w.Users(w.ctx, "app-one", "", 9)
	require.NoError(t, err)
	require.Equal(t, []string{"ann"}, users)
}

func eventRows(t *testing.T, w *place) {
	full := threads.Event{Event: conversation.Event{ID: uuid(1), Thread: uuid(100), Session: "s", Role: "tool",
		Lang: "de-AT", Text: odd[2], Occurred: after(-5), Recorded: after(1)}, Agent: "helper",
		Unembedded: true, Meta: threads.Meta(`{"k" : [1]}`), Importance: 7, Key: "own"}
	w.filled(t, ann, 100)
	w.change(t, ann, func(tx threads.Tx) (err error) {
		full.Seq, err = tx.AddEvent(full)
		return err
	})
	w.filled(t, ann, 101, 2, 3, 4, 5)
	for _, taken := range []threads.Event{full, event(2, 100, "x")} {
		err := w.Change(w.ctx, ann, func(tx threads.Tx) error {
			_, err := tx.AddEvent(taken)
			return err
		})
		require.ErrorIs(t, err, threads.ErrTaken)
	}
	again := event(9, 100, "the same key")
	again.Key = "own"
	err := w.Change(w.ctx, ann, func(tx threads.Tx) error {
		_, err := tx.AddEvent(again)
		return err
	})
	require.ErrorIs(t, err, threads.ErrTaken)
	err = w.Change(w.ctx, ann, func(tx threads.Tx) error {
		_, err := tx.AddEvent(event(9, 77, "no such thread"))
		return err
	})
	require.ErrorIs(t, err, threads.ErrNotFound)
	w.view(t, ann, func(v threads.View) {
		got, err := v.Event(full.ID)
		require.NoError(t, err)
		require.Equal(t, full, got)
		got, err = v.EventByKey(uuid(100), "own")
		require.NoError(t, err)
		require.Equal(t, full, got)
		for _, key := range []string{"", "none"} {
			_, err = v.EventByKey(uuid(101), key)
			require.ErrorIs(t, err, threads.ErrNotFound)
		}
	})
	ids := func(q threads.EventQuery) (ids []string) {
		w.view(t, ann, func(v threads.View) {
			events, err := v.Events(q)
			require.NoError(t, err)
			for i, e := range events {
				ids = append(ids, e.ID[len(e.ID)-1:])
				require.True(t, i == 0 || events[i-1].Seq < e.Seq)
			}
		})
		return ids
	}
	require.Equal(t, []string{"1", "2", "3", "4", "5"}, ids(threads.EventQuery{}))
	require.Equal(t, []string{"2", "3"}, ids(threads.EventQuery{Thread: uuid(101), Limit: 2}))
	require.Equal(t, []string{"4", "5"}, ids(threads.EventQuery{Thread: uuid(101), Limit: 2, Newest: true}))
	require.Equal(t, []string{"2", "5"}, ids(threads.EventQuery{IDs: []string{uuid(5), uuid(2), uuid(2), uuid(99)}}))
	require.Equal(t, []string{"5"}, ids(threads.EventQuery{IDs: []string{uuid(5), uuid(2)}, Newest: true, Limit: 1}))
	require.Empty(t, ids(threads.EventQuery{IDs: []string{}}))
	require.Equal(t, []string{"1"}, ids(threads.EventQuery{Before: full.Seq + 1}))
	require.Equal(t, []string{"2", "3", "4", "5"}, ids(threads.EventQuery{After: full.Seq}))
	require.Equal(t, []string{"1"}, ids(threads.EventQuery{Filter: &threads.Filter{Field: "role", Type: "text",
		Op: "eq", Values: []any{"tool"}}}))
	w.change(t, ann, func(tx threads.Tx) error {
		return errors.Join(tx.SetEventMeta(uuid(2), threads.Meta(`{"n":2}`)), tx.DeleteEvent(uuid(3), after(9)))
	})
	require.Equal(t, []string{"2"}, ids(threads.EventQuery{Filter: &threads.Filter{Field: "meta.n", Type: "number",
		Op: "range", Values: []any{2.0, nil}}}))
	require.Equal(t, []string{"1", "2", "4", "5"}, ids(threads.EventQuery{}))
}

// importedEvents notes how far events are not in the order of their times, beside the events.
func importedEvents(t *testing.T, w *place) {
	imported := func(s threads.Storage, who threads.Subject) (seq int64) {
		require.NoError(t, s.View(w.ctx, who, func(v threads.View) (err error) {
			seq, err = v.Imported()
			return err
		}))
		return seq
	}
	require.Zero(t, imported(w, ann), "there is no such subject")
	w.filled(t, ann, 1, 10, 11)
	w.filled(t, ben, 2, 20)
	require.Zero(t, imported(w, ann))
	var before, after int64
	w.change(t, ann, func(tx threads.Tx) (err error) {
		before, err = tx.Version()
		return errors.Join(err, tx.SetImported(2))
	})
	w.view(t, ann, func(v threads.View) {
		var err error
		after, err = v.Version()
		require.NoError(t, err)
	})
	require.Equal(t, before, after, "nothing is to be read again")
	require.Equal(t, []int64{2, 0}, []int64{imported(w.other, ann), imported(w, ben)})
	failed := errors.New("failed")
	require.ErrorIs(t, w.Change(w.ctx, ann, func(tx threads.Tx) error {
		return errors.Join(tx.SetImported(7), failed)
	}), failed)
	require.EqualValues(t, 2, imported(w, ann))
	require.NoError(t, w.other.Change(w.ctx, ann, func(tx threads.Tx) error {
		seq, err := tx.Imported()
		require.EqualValues(t, 2, seq)
		return errors.Join(err, tx.SetImported(0))
	}))
	require.Zero(t, imported(w, ann))
}
