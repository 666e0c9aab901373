package engine_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/hooks"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// as is another process of a client with that process id.
func (f *fixture) as(client int, alive func(int) bool) *fixture {
	clock := func() time.Time { return f.now }
	g := *f
	g.Engine = engine.New(engine.Options{Store: store.New(f.places, clock), Version: "test", Now: clock,
		Random: rand.Reader, Next: hooks.NextSteps().Line,
		LockWait: patience, Client: client, Alive: alive})
	return &g
}

// TestAServerFindsItsSession has two clients at work. Their servers store with
// the right id, with a stale one, and with none.
func TestAServerFindsItsSession(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	one, two := f.as(11, nil), f.as(22, nil)
	one.start("a")
	two.start("b")
	one.tools("a", 0, 4, 0)
	two.tools("b", 7, 0, 0) // the one seen last
	require.Equal(t, 4, one.store("by its id", "a").Work.Failures)
	one.tools("a", 0, 3, 0)
	two.tools("b", 7, 0, 0)
	require.Equal(t, 3, one.store("by its client", "stale").Work.Failures)
	one.tools("a", 0, 2, 0)
	two.tools("b", 7, 0, 0)
	require.Equal(t, 2, one.store("by its client without an id", "").Work.Failures)
	require.Equal(t, 21, two.store("the other's", "stale").Work.Calls)
	two.tools("b", 5, 0, 0)
	require.Equal(t, 5, f.as(33, nil).store("nobody's, so the last one's", "").Work.Calls)
}

// TestKilledSessionsAreClosedAtTheNextStart closes sessions whose client is gone, and sessions
// that have been silent for a day.
func TestKilledSessionsAreClosedAtTheNextStart(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	alive := func(pid int) bool { return pid != 11 }
	f.as(11, alive).start("killed")
	f.as(22, alive).start("at work")
	f.as(0, alive).start("unknown client")
	f.as(11, alive).tools("killed", 3, 1, 0)
	f.now = f.now.Add(time.Hour)
	f.as(33, alive).start("next")
	require.True(t, f.session("killed").Lost)
	require.Equal(t, f.now.Add(-time.Hour), f.session("killed").EndedAt.UTC())
	require.Nil(t, f.session("at work").EndedAt)
	require.Nil(t, f.session("unknown client").EndedAt)

	// A session that was thought killed, as from another container, goes on counting.
	f.as(11, alive).tools("killed", 1, 0, 0)
	require.Nil(t, f.session("killed").EndedAt)
	require.Equal(t, 4, f.session("killed").ToolSuccesses)
	require.Equal(t, 1, f.session("killed").ToolFailures)

	f.as(22, alive).tools("at work", 1, 0, 0)
	f.now = f.now.Add(23*time.Hour + time.Minute)
	f.as(22, alive).tools("at work", 1, 0, 0)
	f.as(33, alive).start("a day later")
	require.True(t, f.session("unknown client").Lost)
	require.Nil(t, f.session("at work").EndedAt)
}

// TestSourcesOfASession starts, resumes, clears and compacts.
func TestSourcesOfASession(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	source := func(session, source string) {
		t.Helper()
		_, err := f.StartSession(f.ctx, api.SessionStart{Session: session, Source: source})
		require.NoError(t, err)
	}
	count := func() int {
		t.Helper()
		status, err := f.Status(f.ctx)
		require.NoError(t, err)
		return status.SessionCount
	}
	source("a", "startup")
	f.tools("a", 2, 1, 0)
	source("a", "compact")
	require.Equal(t, 1, count())
	require.Equal(t, 2, f.session("a").ToolSuccesses)
	require.NoError(t, f.EndSession(f.ctx, "a"))
	source("a", "resume")
	require.Equal(t, 2, count())
	require.Zero(t, f.session("a").ToolSuccesses)
	require.NoError(t, f.EndSession(f.ctx, "a"))
	source("b", "clear")
	source("b", "resume") // it never ended
	require.Equal(t, 3, count())
}

// TestASessionIsClosedWhereEvictionFails ends a session in a store that cannot archive.
func TestASessionIsClosedWhereEvictionFails(t *testing.T) {
	f := newEngine(t)
	f.set("fading", "files", settings.Team)
	f.set("max_memories", "1", settings.Clone)
	f.remember("One", "The first of two.", 0.1)
	f.remember("Two", "The second of two.", 0.1)
	f.start("s")
	archives := filepath.Join(f.dir, "archives")
	require.NoError(t, os.WriteFile(archives, []byte("not a directory"), 0o644))
	require.Error(t, f.EndSession(f.ctx, "s"))
	last, err := f.LastSession(f.ctx)
	require.NoError(t, err)
	require.True(t, last.Ended)
	require.NoError(t, os.Remove(archives))
	f.start("t")
	require.NoError(t, f.EndSession(f.ctx, "t"))
	status, err := f.Status(f.ctx)
	require.NoError(t, err)
	require.NotNil(t, status.LastEviction, "the next session's end evicts")
}

// TestASessionThatEndsTwiceAtOnceIsCountedOnce if both hooks have read what it tells before one of them closes it.
func TestASessionThatEndsTwiceAtOnceIsCountedOnce(t *testing.T) {
	f := newEngine(t)
	id := f.remember("shown at the start", "x", 0.1)
	f.start("s")
	heard := f.Heard(f.ctx, "s")
	var also [][]memory.ID
	for range 2 {
		require.NoError(t, f.EndHeard(f.ctx, "s", heard, func(h rank.Heard) { also = append(also, h.Shown) }))
	}
	require.Equal(t, 1, f.use(id).Shown)
	require.Equal(t, [][]memory.ID{{id}, nil}, also, "the person's store counts it once as well")
}
