package threads_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/postgres"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// world is a service over a real database, and its clock.
type world struct {
	*threads.Service
	t     *testing.T
	ctx   context.Context
	path  string // of a file of SQLite, or the address of a database of Postgres
	store *sqlstore.Store
	clock *clock
	opens byte
	who   threads.Subject
	user  threads.Caller
}

// clock is a clock that goes on by a millisecond whenever it is looked at, and otherwise only if it is told to.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// newWorld returns an application "app" with a service whose user is "ann".
func newWorld(t *testing.T, models threads.Models) *world {
	return newWorldAt(t, models, filepath.Join(t.TempDir(), "db"))
}

func newWorldAt(t *testing.T, models threads.Models, path string) *world {
	w := &world{t: t, ctx: t.Context(), path: path,
		who:   threads.Subject{App: "app", User: "ann"},
		clock: &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}
	w.user = threads.Caller{App: "app", User: "ann"}
	w.Service, w.store = w.open(models)
	for _, id := range []string{"app", "other"} {
		require.NoError(t, w.store.Threads().CreateApp(w.ctx, threads.App{ID: id, Name: id, CreatedAt: w.clock.Now(),
			Settings: threads.Settings{ExtractionTurns: 1}}))
	}
	return w
}

// open opens another server's service on the same database.
func (w *world) open(models threads.Models) (*threads.Service, *sqlstore.Store) {
	var store *sqlstore.Store
	var err error
	if strings.HasPrefix(w.path, "postgres") {
		store, err = postgres.Open(w.ctx, w.path, postgres.Options{})
	} else {
		store, err = sqlite.Open(w.ctx, w.path, sqlite.Options{})
	}
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = store.Close() })
	w.opens++
	s, err := threads.New(threads.Options{Storage: store.Threads(), Models: models, Now: w.clock.Now,
		Random: rand.NewChaCha8([32]byte{w.opens})})
	require.NoError(w.t, err)
	return s, store
}

// thread makes a thread.
func (w *world) thread() string {
	w.t.Helper()
	t, err := w.CreateThread(w.ctx, w.user, threads.NewThread{Title: "talk"})
	require.NoError(w.t, err)
	return t.ID
}

// say adds a user's events, and returns the ids.
func (w *world) say(thread string, texts ...string) []string {
	w.t.Helper()
	var events []threads.NewEvent
	for _, text := range texts {
		role := conversation.User
		if answer, ok := strings.CutPrefix(text, "< "); ok {
			role, text = conversation.Assistant, answer
		}
		events = append(events, threads.NewEvent{Role: role, Text: text})
	}
	added, err := w.AddEvents(w.ctx, w.user, thread, events)
	require.NoError(w.t, err)
	var ids []string
	for _, a := range added {
		require.NoError(w.t, a.Err)
		ids = append(ids, a.Event.ID)
	}
	return ids
}

// drain does all jobs.
func (w *world) drain() {
	w.t.Helper()
	_, err := w.RunDue(w.ctx)
	require.NoError(w.t, err)
}

// claims maps the texts of claims to their states.
func (w *world) claims() map[string]conversation.State {
	w.t.Helper()
	all, err := w.ListClaims(w.ctx, w.who, threads.ClaimQuery{})
	require.NoError(w.t, err)
	states := map[string]conversation.State{}
	for _, c := range all {
		states[c.Text] = c.State
	}
	return states
}

// claim returns the id of a claim of the bucket PROFILE.
func (w *world) claim(text string) string {
	return w.who.ClaimUUID(conversation.ClaimID(conversation.Profile, text))
}

// act does something with a claim of the bucket PROFILE.
func (w *world) act(verb conversation.Verb, text, other string) threads.Act {
	w.t.Helper()
	a := threads.ClaimAct{Verb: verb, Claim: w.claim(text)}
	if other != "" {
		a.Other = w.claim(other)
	}
	_, done, err := w.Act(w.ctx, w.who, a)
	require.NoError(w.t, err)
	return done
}

// state adds a claim of the bucket PROFILE.
func (w *world) state(text, event string) {
	w.t.Helper()
	_, err := w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: conversation.Profile, Text: text, Event: event})
	require.NoError(w.t, err)
}

// talk returns n meaningful turns about a subject.
func talk(subject string, n int) []string {
	var sides []string
	for i := range n {
		sides = append(sides, fmt.Sprintf("We need to plan step %d of the %s.", i, subject), "< Step noted, go on.")
	}
	return sides
}
