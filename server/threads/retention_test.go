package threads_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
	"ltm/server/threads"
)

// kept returns a world whose application keeps events for a day.
func kept(t *testing.T) *world { return keptAt(t, filepath.Join(t.TempDir(), "db")) }

// keptAt returns such a world in a database.
func keptAt(t *testing.T, path string) *world {
	w := newWorldAt(t, threads.Models{}, path)
	app, err := w.store.Threads().AppOf(w.ctx, "app")
	require.NoError(t, err)
	app.Settings.Retention = 24 * time.Hour
	require.NoError(t, w.store.Threads().UpdateApp(w.ctx, app))
	return w
}

// importOld imports threads of one old event each.
func (w *world) importOld(who threads.Subject, n int) {
	w.t.Helper()
	_, err := w.Import(w.ctx, who, w.fileOld(who, n))
	require.NoError(w.t, err)
}

// fileOld returns a file with threads of one old event each.
func (w *world) fileOld(who threads.Subject, n int) io.Reader {
	w.t.Helper()
	var sessions, messages []string
	for i := range n {
		sessions = append(sessions, fmt.Sprintf(
			`{"session_id":"s%d","user_id":%q,"created_at":"2026-01-01T00:00:00Z"}`, i, who.User))
		messages = append(messages, fmt.Sprintf(`{"uuid":"11111111-1111-4111-8111-%012d","session_id":"s%d",
			"role_type":"user","content":"An old boat.","created_at":"2026-01-02T00:00:00Z"}`, i, i))
	}
	file, _, err := convert("zep", "", fmt.Sprintf(`{"sessions":[%s],"messages":[%s]}`,
		strings.Join(sessions, ","), strings.Join(messages, ",")))
	require.NoError(w.t, err)
	return strings.NewReader(file)
}

// halting is a storage that calls a function before each change.
type halting struct {
	threads.Storage
	before func(change int) error
	n      int
}

func (s *halting) Change(ctx context.Context, who threads.Subject, change func(threads.Tx) error) error {
	s.n++
	if err := s.before(s.n); err != nil {
		return err
	}
	return s.Storage.Change(ctx, who, change)
}

// watch is a storage that notes the questions for events of all threads, and has none for one user.
type watch struct {
	threads.Storage
	busy    string               // the user
	looks   []threads.EventQuery // without a change
	changes []threads.EventQuery // within one
}

var errBusy = errors.New("busy")

func (s *watch) View(ctx context.Context, who threads.Subject, look func(threads.View) error) error {
	if who.User == s.busy {
		return errBusy
	}
	return s.Storage.View(ctx, who, func(v threads.View) error { return look(watchedView{v, &s.looks}) })
}

func (s *watch) Change(ctx context.Context, who threads.Subject, change func(threads.Tx) error) error {
	return s.Storage.Change(ctx, who, func(tx threads.Tx) error { return change(watchedTx{tx, &s.changes}) })
}

type watchedView struct {
	threads.View
	seen *[]threads.EventQuery
}

func (v watchedView) Events(q threads.EventQuery) ([]threads.Event, error) {
	*v.seen = append(*v.seen, q)
	return v.View.Events(q)
}

type watchedTx struct {
	threads.Tx
	seen *[]threads.EventQuery
}

func (tx watchedTx) Events(q threads.EventQuery) ([]threads.Event, error) {
	if q.Thread == "" && q.IDs == nil {
		*tx.seen = append(*tx.seen, q)
	}
	return tx.Tx.Events(q)
}

// watched returns another service of the world, and its storage.
func (w *world) watched(busy string) (*threads.Service, *watch) {
	w.t.Helper()
	storage := &watch{Storage: w.store.Threads(), busy: busy}
	s, err := threads.New(threads.Options{Storage: storage, Now: w.clock.Now, Random: rand.NewChaCha8([32]byte{99})})
	require.NoError(w.t, err)
	return s, storage
}

// TestRetentionOfWhatWasImported: what is imported behind many newer events is as old as its file says.
func TestRetentionOfWhatWasImported(t *testing.T) {
	w := kept(t)
	id := w.thread()
	w.say(id, talk("garden", 300)...)
	w.drain()
	w.importOld(w.who, 1)
	n, err := w.Retain(w.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	require.Len(t, w.texts(id), 600)
}

// TestRetentionReadsOnce: each event is read once, a page at a time, and none of the others while changes wait.
func TestRetentionReadsOnce(t *testing.T) {
	w := kept(t)
	w.say(w.thread(), talk("garden", 300)...)
	w.drain()
	w.importOld(w.who, 40)
	s, seen := w.watched("")
	n, err := s.Retain(w.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 40, n)
	require.Empty(t, seen.changes)
	require.Len(t, seen.looks, 2, "640 events are two pages")
	require.Zero(t, seen.looks[0].After)
	require.Positive(t, seen.looks[1].After)
	for _, q := range seen.looks {
		require.Nil(t, q.Filter, "a filter reads on until a page is full")
		require.Equal(t, 500, q.Limit)
	}
}

// TestRetentionBehindAFailure: a user that cannot be looked at does not keep others from it.
func TestRetentionBehindAFailure(t *testing.T) {
	w := kept(t)
	w.say(w.thread(), rome)
	w.importOld(threads.Subject{App: "app", User: "bob"}, 1)
	s, _ := w.watched("ann")
	n, err := s.Retain(w.ctx)
	require.ErrorIs(t, err, errBusy)
	require.EqualValues(t, 1, n)
}

// TestRetentionLooksAgain: a look at all events that failed comes again with the next one, and so does one after an
// import; otherwise once a day.
func TestRetentionLooksAgain(t *testing.T) {
	w := kept(t)
	w.say(w.thread(), talk("garden", 300)...)
	w.drain()
	s, seen := w.watched("ann")
	all := func() bool { // of two pages, the second is read for what was imported
		seen.looks = nil
		_, err := s.RetainDue(w.ctx)
		require.Equal(t, seen.busy != "", err != nil)
		return len(seen.looks) == 2
	}
	require.False(t, all())
	seen.busy = ""
	require.True(t, all(), "the first one failed")
	for range 23 {
		require.False(t, all())
	}
	require.True(t, all(), "once a day")
	require.False(t, all())
	w.Service = s
	w.importOld(w.who, 1)
	seen.busy = "ann"
	require.False(t, all())
	seen.busy = ""
	require.True(t, all(), "after an import, and a failure")
	require.False(t, all())
}

// TestRetentionAfterAnImportBeside: what another process imports is looked at the next time, though there are many
// newer events before it, also if it ended between two steps, and what comes after the look; and it is looked at once.
func TestRetentionAfterAnImportBeside(t *testing.T) {
	for name, path := range map[string]func(*testing.T) string{
		"SQLite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "db") },
		"Postgres": func(t *testing.T) string { return pgtest.New(t) },
	} {
		t.Run(name, func(t *testing.T) {
			w := keptAt(t, path(t))
			var err error
			id := w.thread()
			w.say(id, talk("garden", 300)...)
			w.drain()
			running, seen := w.watched("")
			due := func() (events int64, looks int) {
				seen.looks = nil
				n, err := running.RetainDue(w.ctx)
				require.NoError(t, err)
				return n, len(seen.looks)
			}
			due()
			_, looks := due()
			require.Equal(t, 1, looks, "the first events are young")
			beside, store := w.open(threads.Models{})
			w.Service = beside
			w.importOld(w.who, 3)
			n, looks := due()
			require.Equal(t, []int{3, 2}, []int{int(n), looks})
			n, looks = due()
			require.Equal(t, []int{0, 1}, []int{int(n), looks}, "each is read once")
			require.Len(t, w.texts(id), 600)

			halts := &halting{Storage: store.Threads()}
			w.Service, err = threads.New(threads.Options{Storage: halts, Now: w.clock.Now,
				Random: rand.NewChaCha8([32]byte{98})})
			require.NoError(t, err)
			halts.before = func(change int) error {
				if change == 3 { // after 700 threads and 300 of their events
					return errBusy
				}
				return nil
			}
			_, err = w.Import(w.ctx, w.who, w.fileOld(w.who, 700))
			require.ErrorIs(t, err, errBusy)
			n, _ = due()
			require.EqualValues(t, 300, n, "what was added before it stopped")

			halts.n, halts.before = 0, func(change int) error {
				if change == 3 {
					n, _ := due()
					require.EqualValues(t, 300, n, "between two steps of an import")
				}
				return nil
			}
			w.importOld(w.who, 700)
			n, _ = due()
			require.EqualValues(t, 400, n, "what was added after the look")
			_, looks = due()
			require.Equal(t, 1, looks)
		})
	}
}
