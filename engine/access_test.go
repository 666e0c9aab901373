package engine_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// use returns this clone's stats of a memory.
func (f *fixture) use(id memory.ID) memory.Stats {
	f.t.Helper()
	var st memory.Stats
	require.NoError(f.t, store.New(f.places, time.Now).View(func(v *store.View) error {
		stats, err := v.Stats()
		st = stats[id]
		return err
	}))
	return st
}

func (f *fixture) end(session string) {
	f.t.Helper()
	require.NoError(f.t, f.EndSession(f.ctx, session))
}

// TestBeingStoredIsTheFirstAccess covers memories stored here, and memories that this clone sees
// for the first time.
func TestBeingStoredIsTheFirstAccess(t *testing.T) {
	f := newEngine(t)
	f.start("a")
	id := f.remember("t", "c", 0.5)
	pulled := memory.Memory{ID: "mem_0000beef", Topic: "theirs", Summary: "s", Content: "c", CreatedAt: f.now,
		CreatedSession: 90}
	require.NoError(t, os.WriteFile(f.memoryFile(pulled.ID), memfile.Format(pulled), 0o644))
	f.start("a")
	f.end("a")
	for _, id := range []memory.ID{id, pulled.ID} {
		require.InDelta(t, 1, f.use(id).Use, 1e-9)
		require.Equal(t, 1, f.use(id).LastSession)
		require.Zero(t, f.use(id).AccessCount, "it was not opened")
		require.True(t, f.use(id).AccessedAt.IsZero())
	}
	f.start("b")
	f.end("b")
	require.Equal(t, 1, f.use(id).LastSession, "it is entered once")
}

func TestWhatCountsAsAnAccess(t *testing.T) {
	topic := "Renamed"
	for name, access := range map[string]func(*fixture, memory.ID) error{
		"get": func(f *fixture, id memory.ID) error { _, err := f.Get(f.ctx, string(id)); return err },
		"update": func(f *fixture, id memory.ID) error {
			_, err := f.Update(f.ctx, string(id), api.Patch{Topic: &topic})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("t", "c", 0.5)
			f.start("a")
			require.NoError(t, access(f, id))
			require.InDelta(t, 2, f.use(id).Use, 1e-9) // with the store itself
			require.Equal(t, 1, f.use(id).AccessCount)
			for _, s := range []string{"b", "c", "d"} {
				f.start(s)
			}
			require.NoError(t, access(f, id))
			require.InDelta(t, 2*0.933033+1, f.use(id).Use, 1e-6) // 2^(−3/30): half is left after 30 sessions
			require.Equal(t, 4, f.use(id).LastSession)
		})
	}
	t.Run("restore", func(t *testing.T) {
		f := newEngine(t)
		id := f.remember("t", "c", 0.5)
		f.start("a")
		f.forget(id)
		f.restore(id)
		require.InDelta(t, 2, f.use(id).Use, 1e-9)
		require.Equal(t, 1, f.use(id).LastSession)
	})
}

// TestLookingIsNoAccess lists, shows, previews and searches, unasked by a session or a person.
// None of it changes a byte of the counters.
func TestLookingIsNoAccess(t *testing.T) {
	f := newEngine(t)
	id := f.remember("The pool of connections", "It has ten connections.", 0.5)
	f.start("a")
	_, err := f.Get(f.ctx, string(id))
	require.NoError(t, err)
	stats := func() string {
		data, err := os.ReadFile(f.own("stats.json"))
		require.NoError(t, err)
		return string(data)
	}
	before := stats()
	f.start("b")
	_, err = f.Peek(f.ctx, string(id))
	require.NoError(t, err)
	_, err = f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	found, err := f.Recall(f.ctx, api.Query{Text: "pool connections"})
	require.NoError(t, err)
	require.Len(t, found.Memories, 1)
	_, err = f.Why(f.ctx, string(id))
	require.NoError(t, err)
	_, err = f.PromptContext(f.ctx, "c", "how large is the pool of connections here")
	require.NoError(t, err)
	_, _, err = f.SessionContext(f.ctx)
	require.NoError(t, err)
	f.CountAccesses(f.ctx)
	require.Equal(t, before, stats())
}

func TestTheFirstHitIsHalfAnAccess(t *testing.T) {
	f := newEngine(t)
	first := f.remember("The pool of connections", "It has ten connections.", 0.5)
	second := f.remember("Another matter", "A pool is named here once among many other words.", 0.5)
	for _, s := range []string{"a", "b", "c"} {
		f.start(s)
	}
	f.end("c")
	f.start("d")
	ask := func() {
		found, err := f.Recall(f.ctx, api.Query{Text: "pool connections", Asked: true})
		require.NoError(t, err)
		require.Equal(t, first, found.Memories[0].ID)
		require.Len(t, found.Memories, 2)
	}
	ask()
	require.InDelta(t, 1, f.use(first).Use, 1e-9, "a question does not wait for the disk")
	f.CountAccesses(f.ctx)
	left := 0.977160 // 2^(−1/30)
	require.InDelta(t, left+0.5, f.use(first).Use, 1e-6)
	require.Equal(t, 4, f.use(first).LastSession)
	require.Zero(t, f.use(first).AccessCount, "it was not opened")
	require.Equal(t, 3, f.use(second).LastSession)

	ask()
	ask()
	f.remember("A change", "writes them, too.", 0.5)
	require.InDelta(t, left+1.5, f.use(first).Use, 1e-6)
	f.CountAccesses(f.ctx)
	require.InDelta(t, left+1.5, f.use(first).Use, 1e-6, "once")
	require.Equal(t, 3, f.use(first).FirstHits)
	_, err := f.Get(f.ctx, string(first))
	require.NoError(t, err)
	for range 5 {
		f.start("e")
		f.end("e")
	}
	why, err := f.Why(f.ctx, string(first))
	require.NoError(t, err)
	require.Contains(t, why.Notes, "recency 0.50 = 5/(5 + 5): last accessed in session 4 of 9")
	require.Contains(t, why.Notes, "frequency 0.79 = ln(1 + 3.10)/ln(1 + 5): accesses 3.10 = 1.00 stored or first "+
		"seen in this clone + 1.00 opened (1 time × 1.00) + 1.50 first hit of a recall (3 times × 0.50) "+
		"− 0.40 decayed over sessions")

	f.forget(first)
	_, err = f.Recall(f.ctx, api.Query{Text: "ten connections", Asked: true, Include: api.IncludeArchives})
	require.NoError(t, err)
	before := f.use(first)
	f.CountAccesses(f.ctx)
	require.Equal(t, before, f.use(first), "an archive is not opened by being found")
}

// TestCountersOfOlderStores converts the predecessor's counters, which do not count the first
// access.
func TestCountersOfOlderStores(t *testing.T) {
	f := newEngine(t)
	id := f.remember("t", "c", 0.5)
	require.NoError(t, os.WriteFile(f.own("stats.json"),
		[]byte(`{"version":1,"memories":{"`+string(id)+`":{"access_count":3,"last_session":0,"priority":0}}}`), 0o644))
	_, err := f.Get(f.ctx, string(id))
	require.NoError(t, err)
	require.InDelta(t, 5, f.use(id).Use, 1e-9)
	require.Equal(t, 4, f.use(id).AccessCount)
	why, err := f.Why(f.ctx, string(id))
	require.NoError(t, err)
	require.Contains(t, why.Notes, "frequency 1.00 = ln(1 + 5.00)/ln(1 + 5): accesses 5.00 = "+
		"1.00 stored or first seen in this clone + 4.00 opened (4 times × 1.00)")
}
