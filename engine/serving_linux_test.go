package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/person"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// servedShelves are the shelves of a server, and those of a process that does not live long. Both
// ask the same stores.
func servedShelves(t *testing.T, f *fixture, dir string) (server, short *person.Shelves) {
	t.Helper()
	local := filepath.Join(dir, store.LocalFolder)
	own := store.Places{Store: dir, Tree: local, Clone: local, Key: filepath.Join(dir, "trust.key"),
		Local: true, Named: true, Own: true}
	open := func(places store.Places, serve bool) *engine.Engine {
		s := store.New(places, func() time.Time { return f.now })
		if serve {
			s.Serve()
		}
		return engine.New(engine.Options{Store: s, Version: "test", Now: func() time.Time { return f.now },
			Random: new(counter), LockWait: patience, ToModel: true, ByModel: true})
	}
	server = person.NewShelves(open(f.places, true), open(own, true), nil)
	require.NoError(t, server.Warm(f.ctx))
	return server, person.NewShelves(open(f.places, false), open(own, false), nil)
}

// TestAServerFindsWhatOthersFind asks a server and a process that has read nothing before.
func TestAServerFindsWhatOthersFind(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	var own []memory.ID
	for i := range 8 {
		f.remember(fmt.Sprint("The pool ", i), fmt.Sprintf("It holds %d connections.", i), 0.1*float64(i))
		r, err := p.mine.Remember(f.ctx, api.Draft{Topic: fmt.Sprint("My pool ", i), Content: fmt.Sprintf(
			"Pools of mine hold %d.", i)})
		require.NoError(t, err)
		own = append(own, r.ID)
	}
	_, err := p.model.Remember(f.ctx, api.Draft{Topic: "A pool from elsewhere", Content: "Nobody approved it."})
	require.NoError(t, err)
	for _, text := range []string{"Gone walrus.", "Gone walruses of the project."} {
		_, err := f.Forget(f.ctx, string(f.remember(text, text, 0.5)))
		require.NoError(t, err)
	}
	r, err := p.mine.Remember(f.ctx, api.Draft{Topic: "My walrus", Content: "Gone too."})
	require.NoError(t, err)
	_, err = p.mine.Forget(f.ctx, string(r.ID))
	require.NoError(t, err)

	server, short := servedShelves(t, f, p.dir)
	same := func(q api.Query) api.Recall {
		t.Helper()
		want, err := short.Recall(f.ctx, q)
		require.NoError(t, err)
		for range 3 {
			got, err := server.Recall(f.ctx, q)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		return want
	}
	for _, q := range []api.Query{{Text: "pool"}, {Text: "pool", Limit: 3}, {Text: "pool", Limit: 50},
		{Text: "pools of mine"}, {Text: "conections"}, {Text: "pool", Explain: true}, {Text: "pool", MinScore: 0.9},
		{Text: "walrus", Include: api.IncludeAll}, {Text: "walrus", Include: api.IncludeArchives},
		{Text: "nothing of that"}, {Text: "tag:none"}, {Text: "pool", Scope: api.ScopeUser}} {
		same(q)
	}
	found := same(api.Query{Text: "walrus"})
	require.Empty(t, found.Memories)
	require.Equal(t, 3, found.Archived, "in both stores")
	found = same(api.Query{Text: "pool", Limit: 50})
	require.Equal(t, 17, found.Total)
	require.Len(t, found.Memories, 17)
	require.Equal(t, map[string][]string{"conections": {"connections"}}, same(api.Query{Text: "conections"}).Taken)

	_, err = server.Recall(f.ctx, api.Query{Text: string("id:" + own[3]), Asked: true})
	require.NoError(t, err)
	server.CountAccesses(f.ctx)
	require.Greater(t, p.useOf(t, own[3]), p.useOf(t, own[2]), "the person's store has the count")

	_, err = p.mine.SetConfig(f.ctx, "trust", "ask", settings.Clone)
	require.NoError(t, err)
	found = same(api.Query{Text: "pool", Limit: 50})
	require.Equal(t, 16, found.Total)
	require.Contains(t, found.Note.String(), "held back")
}

// useOf returns what the person's store knows of the use of a memory.
func (p personStore) useOf(t *testing.T, id memory.ID) (use float64) {
	t.Helper()
	local := filepath.Join(p.dir, store.LocalFolder)
	s := store.New(store.Places{Store: p.dir, Tree: local, Clone: local, Local: true, Named: true, Own: true}, time.Now)
	require.NoError(t, s.View(func(v *store.View) error {
		stats, err := v.Stats()
		use = stats[id].Use
		return err
	}))
	return use
}

// TestAServersShelfBreaksAndIsMended makes the person's memories, and then the archives, unreadable
// between answers of a server.
func TestAServersShelfBreaksAndIsMended(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	f.remember("The pool", "It holds 50 connections.", 0.5)
	_, err := f.Forget(f.ctx, string(f.remember("Walrus", "Gone.", 0.5)))
	require.NoError(t, err)
	_, err = p.mine.Remember(f.ctx, api.Draft{Topic: "My pool", Content: "It is blue."})
	require.NoError(t, err)
	server, _ := servedShelves(t, f, p.dir)
	ask := func(text string) api.Recall {
		t.Helper()
		found, err := server.Recall(f.ctx, api.Query{Text: text})
		require.NoError(t, err)
		return found
	}
	const unread = "the person's own memories cannot be read"
	for _, folder := range []string{"memories", "archives"} {
		dir := filepath.Join(p.dir, folder)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		for range 2 {
			require.Len(t, ask("pool").Memories, 2)
			require.NotContains(t, ask("walrus").Note.String(), unread)
			require.NoError(t, os.Rename(dir, dir+".away"))
			require.NoError(t, os.WriteFile(dir, []byte("a file"), 0o644))
			for range 2 {
				if folder == "memories" {
					found := ask("pool")
					require.Len(t, found.Memories, 1)
					require.Contains(t, found.Note.String(), unread)
				}
				found := ask("walrus")
				require.Equal(t, 1, found.Archived, "the project's")
				require.Contains(t, found.Note.String(), unread)
			}
			require.NoError(t, os.Remove(dir))
			require.NoError(t, os.Rename(dir+".away", dir))
		}
	}
}

// TestAServersShelfComesAndGoes has the person's store made, taken away and brought back between
// answers of a server.
func TestAServersShelfComesAndGoes(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	f.remember("The pool", "It holds 50 connections.", 0.5)
	server, _ := servedShelves(t, f, p.dir)
	has := func(want int) {
		t.Helper()
		for range 3 {
			found, err := server.Recall(f.ctx, api.Query{Text: "pool"})
			require.NoError(t, err)
			require.Len(t, found.Memories, want)
			require.Empty(t, found.Note)
		}
	}
	has(1)
	_, err := p.mine.Remember(f.ctx, api.Draft{Topic: "My pool", Content: "It is blue."})
	require.NoError(t, err)
	has(2)
	for range 2 {
		require.NoError(t, os.Rename(p.dir, p.dir+".away"))
		has(1)
		require.NoError(t, os.Rename(p.dir+".away", p.dir))
		has(2)
	}
	_, err = p.mine.Remember(f.ctx, api.Draft{Topic: "Another pool", Content: "It is red."})
	require.NoError(t, err)
	has(3)
}

// TestAnApprovalByAnotherProcessIsSeen approves and revokes a memory of the person's between two
// answers of a server. The record of trust keeps its size and its time.
func TestAnApprovalByAnotherProcessIsSeen(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	r, err := p.model.Remember(f.ctx, api.Draft{Topic: "Tabs", Content: "Tabs everywhere."})
	require.NoError(t, err)
	local := filepath.Join(p.dir, store.LocalFolder)
	served := store.New(store.Places{Store: p.dir, Tree: local, Clone: local, Key: filepath.Join(p.dir, "trust.key"),
		Local: true, Named: true, Own: true}, time.Now)
	served.Serve()
	s := person.NewShelves(f.Engine, engine.New(engine.Options{Store: served, Now: time.Now, Random: new(counter),
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
	edited[len(edited)-3] ^= 1  // a letter of the text
	hide := func(data []byte) { // once the system's clock has ticked since the change before
		for before := changeTime(t, file); before == changeTime(t, file); {
			require.NoError(t, os.WriteFile(file, data, 0o644))
			require.NoError(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
		}
	}
	hide(edited)
	require.True(t, foreign(), "another text has the stamp of the approved one")
	hide(data)
	require.False(t, foreign())
}

// changeTime returns when the system noted the last change of a file.
func changeTime(t *testing.T, name string) syscall.Timespec {
	t.Helper()
	info, err := os.Stat(name)
	require.NoError(t, err)
	return info.Sys().(*syscall.Stat_t).Ctim
}
