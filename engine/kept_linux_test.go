package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/records"
	"ltm/memory/api"
	"ltm/store"
)

// kept is what the views of a store share of its small files.
type kept struct {
	state *store.State
	stats store.Stats
}

func keptBy(t *testing.T, s *store.Store) (k kept) {
	t.Helper()
	require.NoError(t, s.View(func(v *store.View) (err error) {
		if k.state, err = v.State(); err != nil {
			return err
		}
		k.stats, err = v.Stats()
		return err
	}))
	return k
}

// TestReadingDoesNotChangeWhatViewsShare reads in a server while another process has the lock, so
// that nothing is written.
func TestReadingDoesNotChangeWhatViewsShare(t *testing.T) {
	f := newClient(t)
	id := f.remember("The pool", "It holds 50 connections.", 0.5)
	record := filepath.Join(f.projects, "-p", "one.jsonl")
	grow(t, record, bashCalls(0, 1, ""))
	_, err := f.StartSession(f.ctx, api.SessionStart{Session: "one", Source: "startup", Transcript: record})
	require.NoError(t, err)
	grow(t, record, bashCalls(0, 3, "")) // what the state does not have yet
	_, err = f.Get(f.ctx, string(id))
	require.NoError(t, err)
	watched := store.New(f.places, time.Now)
	watched.Watch()
	server := engine.New(engine.Options{Store: watched, Version: "test", Now: time.Now, Random: new(counter),
		LockWait: time.Millisecond, ToModel: true, Records: records.Dirs{f.projects}})
	t.Cleanup(func() { // nothing is left for the background, which the end of the test would meet
		require.Eventually(t, func() bool {
			server.CountAccesses(f.ctx)
			return f.use(id).AccessCount == 2
		}, patience, time.Millisecond)
	})
	other := store.New(f.places, time.Now)
	err = other.Update(f.ctx, store.UpdateOptions{Wait: patience}, func(*store.Tx) error {
		keptBy(t, watched)
		for name, read := range map[string]func() error{
			"recall": func() error { _, err := server.Recall(f.ctx, api.Query{Text: "pool", Asked: true}); return err },
			"get":    func() error { _, err := server.Get(f.ctx, string(id)); return err },
			"many":   func() error { _, err := server.GetMany(f.ctx, []string{string(id)}); return err },
			"peek":   func() error { _, err := server.Peek(f.ctx, string(id)); return err },
			"list":   func() error { _, err := server.List(f.ctx, api.ListFilter{}); return err },
			"status": func() error { _, err := server.Status(f.ctx); return err },
			"check":  func() error { _, err := server.Check(f.ctx); return err },
			"why":    func() error { _, err := server.Why(f.ctx, string(id)); return err },
			"running": func() error {
				running, err := server.Running(f.ctx, "one")
				require.NotZero(t, running.Work.Calls)
				return err
			},
			"context": func() error { _, err := server.NextContext(f.ctx, api.ContextQuery{}); return err },
		} {
			var shared kept
			require.Eventually(t, func() bool { // whoever tries the lock, such as a count in the background, is seen
				shared = keptBy(t, watched)
				return keptBy(t, watched).state == shared.state
			}, patience, time.Millisecond)
			require.NoError(t, read(), name)
			require.Equal(t, keptBy(t, other), shared, name)
			require.NotEmpty(t, shared.stats)
			require.NotEmpty(t, shared.state.Sessions)
		}
		return nil
	})
	require.NoError(t, err)
}

// TestAnApprovalByAnotherProcessIsSeen approves and revokes a memory of the person's between two
// answers of a server. The record of trust keeps its size and its time.
func TestAnApprovalByAnotherProcessIsSeen(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	r, err := p.model.Remember(f.ctx, api.Draft{Topic: "Tabs", Content: "Tabs everywhere."})
	require.NoError(t, err)
	local := filepath.Join(p.dir, store.LocalFolder)
	watched := store.New(store.Places{Store: p.dir, Tree: local, Clone: local, Key: filepath.Join(p.dir, "trust.key"),
		Local: true, Named: true, Own: true}, time.Now)
	watched.Watch()
	s := engine.NewShelves(f.Engine, engine.New(engine.Options{Store: watched, Now: time.Now, Random: new(counter),
		LockWait: patience, ByModel: true, ToModel: true}), nil)
	foreign := func() bool {
		t.Helper()
		found, err := s.Recall(f.ctx, api.Query{Text: "tabs"})
		require.NoError(t, err)
		require.Len(t, found.Memories, 1)
		require.Equal(t, api.ScopeUser, found.Memories[0].Scope)
		return found.Memories[0].Foreign
	}
	record := filepath.Join(local, "trust")
	require.True(t, foreign())
	require.True(t, foreign())
	_, err = p.mine.Approve(f.ctx, []string{string(r.ID)})
	require.NoError(t, err)
	require.False(t, foreign())
	require.False(t, foreign())
	info, err := os.Stat(record)
	require.NoError(t, err)
	approved, err := os.ReadFile(record)
	require.NoError(t, err)
	other := make([]byte, len(approved))
	for range 2 {
		require.NoError(t, os.WriteFile(record, other, 0o600))
		require.NoError(t, os.Chtimes(record, info.ModTime(), info.ModTime()))
		require.True(t, foreign())
		require.NoError(t, os.WriteFile(record, approved, 0o600))
		require.NoError(t, os.Chtimes(record, info.ModTime(), info.ModTime()))
		require.False(t, foreign())
	}
	require.NoError(t, os.Remove(record))
	require.True(t, foreign())
	require.NoError(t, os.WriteFile(record, approved, 0o600))
	require.False(t, foreign())

	file := filepath.Join(p.dir, "memories", r.ID.File())
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	info, err = os.Stat(file)
	require.NoError(t, err)
	edited := append([]byte(nil), data...)
	edited[len(edited)-3] ^= 1 // a letter of the text
	require.NoError(t, os.WriteFile(file, edited, 0o644))
	require.NoError(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
	require.True(t, foreign(), "another text has the stamp of the approved one")
	require.NoError(t, os.WriteFile(file, data, 0o644))
	require.NoError(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
	require.False(t, foreign())
}
