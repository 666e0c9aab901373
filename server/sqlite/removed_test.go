package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/conversation"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// rewritings returns a number that grows by one whenever a file is rewritten.
func rewritings(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	require.NoError(t, db.QueryRow("PRAGMA schema_version").Scan(&n))
	return n
}

// removing is a store with a packet, an application and a user, to which things happen between purges.
type removing struct {
	*sqlstore.Store
	t    *testing.T
	db   *sql.DB // another process's connection
	path string
	at   time.Time
}

var removingFrom = threads.Subject{App: "app", User: "ann"}

func newRemoving(t *testing.T) *removing {
	r := &removing{t: t, path: filepath.Join(t.TempDir(), "ltm.db"), at: time.Now()}
	r.open()
	require.NoError(t, r.CreateUser(t.Context(), server.User{ID: "u", Name: "u", CreatedAt: r.at}))
	put(t, r.Store, "packet-one", "one", 3)
	put(t, r.Store, "packet-two", "two", 3)
	require.NoError(t, r.Threads().CreateApp(t.Context(), threads.App{ID: "app", Name: "app", CreatedAt: r.at}))
	r.remember("one")
	r.db = other(t, r.path)
	return r
}

func (r *removing) open() {
	store, err := sqlite.Open(r.t.Context(), r.path, sqlite.Options{})
	require.NoError(r.t, err)
	r.t.Cleanup(func() { require.NoError(r.t, store.Close()) })
	r.Store = store
}

// remember puts rows of every kind.
func (r *removing) remember(id string) {
	r.t.Helper()
	remember(r.t, r.Threads(), removingFrom, id, "a text of some length", r.at)
}

func (r *removing) change(change func(tx threads.Tx) error) {
	r.t.Helper()
	require.NoError(r.t, r.Threads().Change(r.t.Context(), removingFrom, change))
}

// rewritten purges without a time from which on what is over goes, and reports whether that has rewritten the file.
func (r *removing) rewritten() bool {
	r.t.Helper()
	_, anew := r.purge(time.Time{})
	return anew
}

func (r *removing) purge(over time.Time) (gone server.Purged, anew bool) {
	r.t.Helper()
	before := rewritings(r.t, r.db)
	gone, err := r.Purge(r.t.Context(), over)
	require.NoError(r.t, err)
	after := rewritings(r.t, r.db)
	require.LessOrEqual(r.t, after-before, 1)
	return gone, after > before
}

// TestAPurgeWithoutRemovals: a purge leaves a file alone of which nothing was removed since the last one, whatever else
// was done with it, also by another process and before it was opened.
func TestAPurgeWithoutRemovals(t *testing.T) {
	r := newRemoving(t)
	require.False(t, r.rewritten(), "a new file")
	ctx := t.Context()
	s := r.Threads()
	r.remember("two")
	jobs, err := s.Lease(ctx, "lease", nil, 9, r.at, r.at.Add(time.Hour))
	require.NoError(t, err)
	require.NotEmpty(t, jobs)
	for _, j := range jobs {
		j.State, j.DoneAt, j.Reason = threads.JobDone, r.at, "done"
		require.NoError(t, s.Finish(ctx, j))
	}
	r.change(func(tx threads.Tx) error {
		th, err := tx.Thread("tone")
		require.NoError(t, err)
		th.Cursor, th.UpdatedAt = "eone", r.at.Add(time.Second)
		sum, err := tx.Summary("sone")
		require.NoError(t, err)
		sum.Written = "another text"
		claims, err := tx.Claims(threads.ClaimQuery{})
		require.NoError(t, err)
		claims[0].Reinforced++
		return errors.Join(tx.PutThread(th), tx.PutSummary(sum), tx.PutClaims(claims), tx.PutReaction(
			threads.Reaction{Event: "eone", Name: "heart", CreatedAt: r.at, UpdatedAt: r.at}))
	})
	put(t, r.Store, "packet-new", "new", 3)
	require.False(t, r.rewritten())
	require.NoError(t, r.Close())
	r.open()
	require.False(t, r.rewritten(), "opened again")
	require.NoError(t, r.DeletePacket(ctx, "u", "packet-new", "", r.at))
	require.True(t, r.rewritten())
	require.NoError(t, r.Close())
	r.open()
	require.False(t, r.rewritten(), "what was removed is gone")
}

// TestAPurgeAfterAMigration: a file that had texts before removals were noted is rewritten by the first purge, also
// if it has no rows left. One that never had any is not.
func TestAPurgeAfterAMigration(t *testing.T) {
	for _, used := range []bool{false, true} {
		r := &removing{t: t, path: filepath.Join(t.TempDir(), "ltm.db")}
		_, err := sqlite.MigrateTo(t.Context(), r.path, 1)
		require.NoError(t, err)
		if used {
			raw(t, r.path, "INSERT INTO scopes (packets, bytes) VALUES (0, 0)")
			raw(t, r.path, "DELETE FROM scopes")
		}
		r.open()
		r.db = other(t, r.path)
		require.Equal(t, used, r.rewritten())
		require.False(t, r.rewritten())
	}
}

// TestAPurgeAfterRemovalsWithoutText: rows without a person's text go, and texts come where none was, without a reason
// to rewrite the file.
func TestAPurgeAfterRemovalsWithoutText(t *testing.T) {
	r := newRemoving(t)
	ctx := t.Context()
	for name, change := range map[string]func() error{
		"a change of nobody that does nothing": func() error {
			nobody := threads.Subject{App: "app", User: "nobody"}
			return r.Threads().Change(ctx, nobody, func(threads.Tx) error { return nil })
		},
		"the first title of a thread": func() error {
			th := threads.Thread{ID: "bare", CreatedAt: r.at, UpdatedAt: r.at}
			return r.Threads().Change(ctx, removingFrom, func(tx threads.Tx) error {
				err := tx.PutThread(th)
				th.Title, th.Agent, th.Meta = "first", "agent", threads.Meta(`{"a":1}`)
				return errors.Join(err, tx.PutThread(th))
			})
		},
		"a member": func() error {
			i := server.Invite{ID: "i", Hash: [32]byte{1}, CreatedBy: "u", CreatedAt: r.at,
				ExpiresAt: r.at.Add(time.Hour)}
			other := server.User{ID: "v", Name: "v", CreatedAt: r.at}
			err := errors.Join(r.CreateUser(ctx, other),
				r.CreateTeam(ctx, server.Team{ID: "t", Name: "team", OwnerID: "u", CreatedAt: r.at}, 9),
				r.CreateInvite(ctx, "u", "team", i, 9))
			_, accepted := r.AcceptInvite(ctx, i.Hash, other, nil, 9, r.at)
			return errors.Join(err, accepted, r.LeaveTeam(ctx, "v", "team", r.at))
		},
		"a request that failed": func() error {
			_, err := r.Begin(ctx, "u", "key", [32]byte{1}, r.at)
			return errors.Join(err, r.Finish(ctx, "u", "key", nil))
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, change())
			require.False(t, r.rewritten())
		})
	}

	jobs, err := r.Threads().Lease(ctx, "lease", nil, 9, r.at, r.at.Add(time.Hour))
	require.NoError(t, err)
	for _, j := range jobs {
		j.State, j.DoneAt, j.Reason = threads.JobDone, r.at, "done"
		require.NoError(t, r.Threads().Finish(ctx, j))
	}
	_, err = r.Begin(ctx, "u", "answered", [32]byte{1}, r.at)
	require.NoError(t, err)
	require.NoError(t, r.Finish(ctx, "u", "answered", &server.Answer{Status: 200, Body: []byte("{}")}))
	gone, anew := r.purge(time.Now().Add(2 * time.Hour))
	require.Positive(t, gone.Jobs)
	require.Positive(t, gone.Changes)
	require.Positive(t, gone.Keys)
	require.Positive(t, gone.Invites)
	require.False(t, anew, "what is over")
}

// TestAPurgeAfterRemovals: after anything was removed, or replaced by what someone gave in its place, the next purge
// rewrites the file, and the one after it does not.
func TestAPurgeAfterRemovals(t *testing.T) {
	r := newRemoving(t)
	ctx := t.Context()
	for name, remove := range map[string]func(){
		"a packet":        func() { require.NoError(t, r.DeletePacket(ctx, "u", "packet-one", "", r.at)) },
		"a packet's text": func() { put(t, r.Store, "packet-two", "another", 3) },
		"an event":        func() { r.change(func(tx threads.Tx) error { return tx.DeleteEvent("eone", r.at) }) },
		"a summary":       func() { r.change(func(tx threads.Tx) error { return tx.DeleteSummary("sone") }) },
		"a claim":         func() { r.change(func(tx threads.Tx) error { return tx.PutClaims(nil) }) },
		"an act": func() {
			r.change(func(tx threads.Tx) error { return tx.DeleteActs([]string{"aone"}, r.at) })
		},
		"a thread": func() { r.change(func(tx threads.Tx) error { return tx.DeleteThread("tone", r.at) }) },
		"what an app said": func() {
			r.change(func(tx threads.Tx) error { return tx.SetEventMeta("eone", threads.Meta(`{}`)) })
		},
		"a user":             func() { _, err := r.Threads().Erase(ctx, removingFrom, r.at); require.NoError(t, err) },
		"an application":     func() { _, err := r.Threads().DeleteApp(ctx, "app", r.at); require.NoError(t, err) },
		"vectors of a model": func() { _, err := r.Threads().DropVectors(ctx, "m", 9); require.NoError(t, err) },
		"a name of an application": func() {
			a := threads.App{ID: "app", Name: "another"}
			require.NoError(t, r.Threads().UpdateApp(ctx, a))
		},
		"settings of an application": func() {
			a := threads.App{ID: "app", Name: "app"}
			a.Settings.Fields = map[string]string{"city": "text"}
			require.NoError(t, r.Threads().UpdateApp(ctx, a))
			require.False(t, r.rewritten(), "there were none")
			a.Settings.Fields = map[string]string{"town": "text"}
			require.NoError(t, r.Threads().UpdateApp(ctx, a))
		},
		"the title of a thread": func() {
			r.change(func(tx threads.Tx) error {
				th, err := tx.Thread("tone")
				require.NoError(t, err)
				th.Title = "another"
				return tx.PutThread(th)
			})
		},
		"something by another process": func() {
			store, err := sqlite.Open(ctx, r.path, sqlite.Options{})
			require.NoError(t, err)
			require.NoError(t, store.DeletePacket(ctx, "u", "packet-one", "", r.at))
			require.NoError(t, store.Close())
		},
		"something before a kill": func() {
			require.NoError(t, r.DeletePacket(ctx, "u", "packet-one", "", r.at))
			require.NoError(t, r.Close())
			r.open()
		},
	} {
		t.Run(name, func(t *testing.T) {
			r = newRemoving(t)
			require.False(t, r.rewritten())
			remove()
			require.True(t, r.rewritten())
			require.False(t, r.rewritten())
		})
	}
}

// TestRemovalsInASharedTransaction: of changes that share a transaction, one that fails takes back its note of what it
// removed, and no other one's.
func TestRemovalsInASharedTransaction(t *testing.T) {
	r := newRemoving(t)
	require.NoError(t, r.Close())
	store, calm, err := sqlite.OpenCalm(t.Context(), r.path)
	require.NoError(t, err)
	r.Store = store
	defer func() { require.NoError(t, store.Close()) }()
	failed := errors.New("failed")
	fails := func(tx threads.Tx) error { return errors.Join(tx.DeleteEvent("eone", r.at), failed) }
	n := 0
	adds := func(tx threads.Tx) error {
		n++
		return tx.AddAct(threads.Act{Act: conversation.Act{ID: fmt.Sprint("more", n), Verb: conversation.Adds}})
	}
	removes := func(tx threads.Tx) error {
		return errors.Join(adds(tx), tx.DeleteActs([]string{fmt.Sprint("more", n)}, r.at))
	}
	for name, c := range map[string]struct {
		changes []func(threads.Tx) error
		anew    bool
	}{
		"one that failed":                      {[]func(threads.Tx) error{fails}, false},
		"one that failed and one that added":   {[]func(threads.Tx) error{fails, adds}, false},
		"one that failed and one that removed": {[]func(threads.Tx) error{fails, removes}, true},
	} {
		t.Run(name, func(t *testing.T) {
			require.False(t, r.rewritten())
			for until := time.Now().Add(time.Minute); ; {
				errs, shared := r.atOnce(calm, c.changes)
				require.ErrorIs(t, errs[0], failed)
				require.NoError(t, errors.Join(errs[1:]...))
				anew := r.rewritten()
				if shared {
					require.Equal(t, c.anew, anew)
					break
				}
				require.True(t, time.Now().Before(until), "they never share a transaction")
			}
			require.False(t, r.rewritten())
		})
	}
}

// atOnce runs changes while another one is under way, and reports whether they shared a transaction.
func (r *removing) atOnce(calm sqlite.Calm, changes []func(threads.Tx) error) (errs []error, shared bool) {
	begun, over := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		assert.NoError(r.t, r.Threads().Change(r.t.Context(), removingFrom, func(threads.Tx) error {
			close(begun)
			<-over
			return nil
		}))
	})
	<-begun
	errs = make([]error, len(changes))
	in := make([]int, len(changes)) // how many transactions there were with that of the change
	for i, change := range changes {
		all.Go(func() {
			errs[i] = r.Threads().Change(r.t.Context(), removingFrom, func(tx threads.Tx) error {
				in[i] = calm.Changes()
				return change(tx)
			})
		})
	}
	runtime.Gosched()
	close(over)
	all.Wait()
	return errs, !slices.ContainsFunc(in, func(n int) bool { return n != in[0] })
}

// TestARemovalWhileAFileIsWrittenAnew: what is removed after a file was rewritten, while its journal cannot be
// emptied yet, is left to the next purge; so is what a purge that failed was to do.
func TestARemovalWhileAFileIsWrittenAnew(t *testing.T) {
	r := newRemoving(t)
	ctx := t.Context()
	beside, err := sqlite.Open(ctx, r.path, sqlite.Options{BusyTimeout: 2 * time.Second}) // less than the purge has
	require.NoError(t, err)
	require.NoError(t, r.DeletePacket(ctx, "u", "packet-one", "", r.at))
	release := reading(t, r.path)
	before := rewritings(t, r.db)
	purged := make(chan error)
	go func() {
		_, err := r.Purge(ctx, time.Time{})
		purged <- err
	}()
	require.Eventually(t, func() bool { return rewritings(t, r.db) > before }, time.Minute, time.Millisecond)
	require.NoError(t, beside.DeletePacket(ctx, "u", "packet-two", "", r.at), "it does not wait for the reader")
	release()
	require.NoError(t, <-purged)
	require.NoError(t, beside.Close())
	require.True(t, r.rewritten(), "for the second packet")
	require.False(t, r.rewritten())

	require.NoError(t, r.Close())
	store, err := sqlite.Open(ctx, r.path, sqlite.Options{BusyTimeout: 50 * time.Millisecond})
	require.NoError(t, err)
	put(t, store, "packet-three", "three", 3)
	require.NoError(t, store.DeletePacket(ctx, "u", "packet-three", "", r.at))
	release = reading(t, r.path)
	_, err = store.Purge(ctx, time.Time{})
	require.ErrorIs(t, err, server.ErrBusy)
	release()
	require.NoError(t, store.Close())
	r.open()
	require.True(t, r.rewritten(), "it could not be done")
	require.False(t, r.rewritten())
}
