package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

const year = 365 * 24 * time.Hour

// ranked returns the topics of a listing and of an answer, in order.
func ranked(t *testing.T, f *fixture, e *engine.Engine, question string) (listed, found []string) {
	t.Helper()
	list, err := e.List(f.ctx, api.ListFilter{Limit: 100})
	require.NoError(t, err)
	for _, m := range list.Memories {
		listed = append(listed, m.Topic)
	}
	answer, err := e.Recall(f.ctx, api.Query{Text: question, Limit: 100})
	require.NoError(t, err)
	for _, m := range answer.Memories {
		found = append(found, m.Topic)
	}
	return listed, found
}

// TestClockGoesBackAYear moves the clock between operations. Times are what the
// clock said; nothing is lost, doubled or ranked at random.
func TestClockGoesBackAYear(t *testing.T) {
	f := newEngine(t)
	before := f.now
	first := f.remember("pool one", "The pool holds ten connections.", 0.5)
	second := f.remember("pool two", "The pool holds ten connections.", 0.5)
	f.start("s1")
	f.tools("s1", 2, 1, 10)
	_, err := f.Get(f.ctx, string(first))
	require.NoError(t, err)

	f.now = before.Add(-year)
	third := f.remember("pool three", "The pool holds ten connections.", 0.5)
	f.start("s2")
	f.tools("s1", 1, 0, 10)
	f.tools("s2", 1, 1, 10)
	content := "The pool holds twenty connections."
	_, err = f.Update(f.ctx, string(second), api.Patch{Content: &content})
	require.NoError(t, err)
	_, err = f.Get(f.ctx, string(first))
	require.NoError(t, err)

	for _, c := range []struct {
		id                memory.ID
		content           string
		created, accessed time.Time
		count             int
	}{
		{first, "The pool holds ten connections.", before, f.now, 2},
		{second, content, before, f.now, 1},
		{third, "The pool holds ten connections.", f.now, time.Time{}, 0},
	} {
		d, err := f.reopen(nil).Peek(f.ctx, string(c.id))
		require.NoError(t, err)
		require.Equal(t, c.content, d.Content)
		require.Equal(t, c.created, d.CreatedAt.Time)
		require.Equal(t, c.count, d.AccessCount)
		if c.count > 0 {
			require.Equal(t, c.accessed, *d.AccessedAt)
		}
	}
	warmList, warmFound := ranked(t, f, f.Engine, "pool connections")
	coldList, coldFound := ranked(t, f, f.reopen(nil), "pool connections")
	require.ElementsMatch(t, []string{"pool one", "pool two", "pool three"}, warmList)
	require.Equal(t, warmList, coldList)
	require.ElementsMatch(t, warmList, warmFound)
	require.Equal(t, warmFound, coldFound)

	require.NoError(t, f.EndSession(f.ctx, "s1"))
	f.now = before.Add(time.Minute)
	require.NoError(t, f.EndSession(f.ctx, "s2"))
	status, err := f.Status(f.ctx)
	require.NoError(t, err)
	require.Equal(t, 2, status.SessionCount)
	check, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, check.OK, check.Summary)
}

// TestClockGoesBackUnderTheCaches has caches written by a clock that was a year ahead, or behind.
// They must not hide later edits.
func TestClockGoesBackUnderTheCaches(t *testing.T) {
	for name, shift := range map[string]time.Duration{"ahead": year, "behind": -year} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			real := f.now
			f.now = real.Add(shift)
			id := f.remember("the colour", "It is red.", 0.5)
			f.remember("another", "It is something else.", 0.5)
			path := f.memoryFile(id)
			for i, colour := range []string{"tan", "jet", "sky"} { // as long as "red"
				_, found := ranked(t, f, f.Engine, "colour")
				require.Contains(t, found, "the colour")
				f.now = real.Add(shift * time.Duration(i%2))
				data, err := os.ReadFile(path)
				require.NoError(t, err)
				text := strings.Replace(string(data), "It is "+lastColour(string(data)), "It is "+colour, 2)
				require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
				// A file system that tells a second from the next, and an editor that takes a while.
				edited := time.Now().Add(time.Duration(i+1) * time.Second)
				require.NoError(t, os.Chtimes(path, edited, edited))
				for _, e := range []*engine.Engine{f.Engine, f.reopen(nil)} {
					answer, err := e.Recall(f.ctx, api.Query{Text: colour})
					require.NoError(t, err)
					require.NotEmpty(t, answer.Memories, colour)
					require.Contains(t, answer.Memories[0].Summary, colour)
				}
			}
		})
	}
}

// lastColour returns the word that the file has now.
func lastColour(text string) string {
	_, rest, _ := strings.Cut(text, "It is ")
	return rest[:3]
}

// TestClockGoesBackWithManySessions has as many sessions on record as are kept,
// all seen in what is now the future. Two that work at the same time must not
// lose their counts to them.
func TestClockGoesBackWithManySessions(t *testing.T) {
	f := newEngine(t)
	f.remember("a", "b", 0.5)
	for i := range 20 {
		f.start(fmt.Sprint("future ", i))
	}
	f.now = f.now.Add(-year)
	for range 5 {
		f.tools("one", 1, 0, 10)
		f.tools("two", 0, 1, 10)
		f.now = f.now.Add(time.Second)
	}
	data, err := os.ReadFile(f.own("state.json"))
	require.NoError(t, err)
	var state store.State
	require.NoError(t, json.Unmarshal(data, &state))
	sessions := state.Sessions
	require.Equal(t, 5, sessions["one"].ToolSuccesses)
	require.Equal(t, 5, sessions["two"].ToolFailures)
	require.Len(t, sessions, 20)
}
