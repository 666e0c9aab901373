package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
	"ltm/server/sqlite"
	"ltm/server/threads"
)

// TestUsageOutlivesTheProcess counts tokens by two servers on one database, one of which starts again.
func TestUsageOutlivesTheProcess(t *testing.T) {
	db, _ := initialized(t)
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{MustExist: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	memory := store.Threads()
	at := time.Date(2026, 3, 1, 23, 59, 0, 0, time.UTC)
	now := func() time.Time { return at }
	for _, app := range []threads.App{{ID: "01J00000000000000000000001", Name: "one", CreatedAt: at},
		{ID: "01J00000000000000000000002", Name: "two", CreatedAt: at, Settings: threads.Settings{TokensPerDay: 40}}} {
		require.NoError(t, memory.CreateApp(t.Context(), app))
	}
	m := newModelServer(t)
	ask := func(a *account, app string) error {
		o := modelOptions{timeout: time.Second, summaries: endpoint{url: m.URL, model: "tiny"}}
		made, err := o.models(now, a.meter)
		require.NoError(t, err)
		_, err = made.Summaries.Summarize(t.Context(), app, "", []provider.Turn{{User: true, Text: "I like tea."}})
		return err
	}
	const one, two = "01J00000000000000000000001", "01J00000000000000000000002"
	open := func() *account {
		a, err := openAccount(t.Context(), memory, 5000, now)
		require.NoError(t, err)
		return a
	}
	first, other := open(), open()
	require.NoError(t, ask(first, one))
	require.Equal(t, provider.UsedUp, provider.KindOf(ask(first, two)), "its own limit is lower")
	require.NoError(t, ask(other, one))
	require.NoError(t, first.save(t.Context()))
	require.NoError(t, first.save(t.Context()), "again, which adds nothing")
	other.keep(t.Context(), slog.New(slog.DiscardHandler))() // the end of a server saves
	require.NoError(t, first.save(t.Context()))
	stored, err := memory.Usage(t.Context(), "2026-03-01")
	require.NoError(t, err)
	require.Equal(t, []threads.Usage{{App: one, Day: "2026-03-01", Requests: 2, Input: 60, Output: 20}}, stored)

	require.EqualValues(t, 5000-40, first.limit(one), "what the other server used is off the limit")
	require.EqualValues(t, 80, open().meter.Today(one, at).Tokens())

	settings := threads.App{ID: one, Name: "one", CreatedAt: at, Settings: threads.Settings{TokensPerDay: 90}}
	require.NoError(t, memory.UpdateApp(t.Context(), settings))
	again := open()
	require.Equal(t, provider.UsedUp, provider.KindOf(ask(again, one)), "80 of 90 were used before the start")
	at = at.Add(2 * time.Minute)
	require.Zero(t, again.meter.Today(one, at).Tokens(), "a new day")
	require.NoError(t, again.save(t.Context()))
}

// TestUsageIsShown reads what models used today where an operator does.
func TestUsageIsShown(t *testing.T) {
	db, _ := initialized(t)
	id := strings.TrimSpace(command(t, "app", "create", "notes", "--db", db))
	require.NotContains(t, command(t, "app", "show", "notes", "--db", db), "used today")
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{MustExist: true})
	require.NoError(t, err)
	for _, at := range []time.Time{time.Now(), time.Now().Add(24 * time.Hour)} { // midnight may pass
		require.NoError(t, store.Threads().AddUsage(t.Context(), threads.Usage{App: id, Day: dayOf(at), Requests: 2,
			Input: 60, Output: 20, Micros: 12_345}))
	}
	require.NoError(t, store.Close())
	shown := command(t, "app", "show", "notes", "--db", db)
	require.Regexp(t, `used today\s+2 requests, 60 tokens in, 20 out, cost 0\.0123`, shown)
	shown = command(t, "app", "show", "notes", "--json", "--db", db)
	require.Regexp(t, `"requests": 2,\s+"input_tokens": 60,\s+"output_tokens": 20,\s+"cost": 0\.012345`, shown)
}
