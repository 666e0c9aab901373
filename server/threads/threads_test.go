package threads_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/threads"
)

func TestThreads(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	app, foreign := threads.Caller{App: "app"}, threads.Caller{App: "app", User: "ben"}

	got, user, err := w.Thread(w.ctx, app, strings.ToUpper(id))
	require.NoError(t, err)
	require.Equal(t, []string{"ann", id, "talk"}, []string{user, got.ID, got.Title})
	for _, c := range []threads.Caller{foreign, {App: "other"}, {App: "other", User: "ann"}} {
		_, _, err := w.Thread(w.ctx, c, id)
		require.ErrorIs(t, err, threads.ErrNotFound)
		_, err = w.RenameThread(w.ctx, c, id, "mine")
		require.ErrorIs(t, err, threads.ErrNotFound)
		_, err = w.DeleteThread(w.ctx, c, id)
		require.ErrorIs(t, err, threads.ErrNotFound)
		_, err = w.AddEvents(w.ctx, c, id, []threads.NewEvent{{Role: "user", Text: "x"}})
		require.ErrorIs(t, err, threads.ErrNotFound)
	}
	_, _, err = w.Thread(w.ctx, app, "1")
	require.ErrorIs(t, err, threads.ErrInvalid)

	got, err = w.RenameThread(w.ctx, w.user, id, "  other ")
	require.NoError(t, err)
	require.Equal(t, "other", got.Title)
	_, err = w.RenameThread(w.ctx, w.user, id, " ")
	require.ErrorIs(t, err, threads.ErrInvalid)

	_, err = w.CreateThread(w.ctx, app, threads.NewThread{User: "ben", ID: id})
	require.ErrorIs(t, err, threads.ErrTaken)
	_, err = w.CreateThread(w.ctx, app, threads.NewThread{})
	require.ErrorIs(t, err, threads.ErrInvalid)
	_, err = w.CreateThread(w.ctx, app, threads.NewThread{User: "ben", Meta: threads.Meta(`[]`)})
	require.ErrorIs(t, err, threads.ErrInvalid)

	w.say(id, "My name is Ada.", "< Hello Ada, nice to meet you.")
	w.drain()
	gone, err := w.DeleteThread(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"thread": 1, "event": 2, "claim": 1}, gone)
	list, err := w.ListThreads(w.ctx, w.who, threads.ThreadQuery{})
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, w.claims())
}

func TestAddEvents(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	const own = "11111111-2222-4333-8444-55555555aBcD"
	tests := []struct {
		name string
		e    threads.NewEvent
		err  error
	}{
		{"plain", threads.NewEvent{Role: "user", Text: "hello"}, nil},
		{"tool", threads.NewEvent{Role: "tool", Text: "4"}, nil},
		{"no role", threads.NewEvent{Text: "hello"}, threads.ErrInvalid},
		{"another role", threads.NewEvent{Role: "admin", Text: "hello"}, threads.ErrInvalid},
		{"blank", threads.NewEvent{Role: "user", Text: " \n"}, threads.ErrInvalid},
		{"largest", threads.NewEvent{Role: "user", Text: strings.Repeat("x", threads.MaxText)}, nil},
		{"too large", threads.NewEvent{Role: "user", Text: strings.Repeat("x", threads.MaxText+1)}, threads.ErrInvalid},
		{"not UTF-8", threads.NewEvent{Role: "user", Text: "a\xff"}, threads.ErrInvalid},
		{"NUL", threads.NewEvent{Role: "user", Text: "a\x00"}, threads.ErrInvalid},
		{"an id", threads.NewEvent{Role: "user", Text: "mine", ID: own}, nil},
		{"the id again", threads.NewEvent{Role: "user", Text: "mine", ID: strings.ToLower(own)}, nil},
		{"the id for another text", threads.NewEvent{Role: "user", Text: "other", ID: own}, threads.ErrTaken},
		{"not an id", threads.NewEvent{Role: "user", Text: "x", ID: "{" + own + "}"}, threads.ErrInvalid},
		{"a key", threads.NewEvent{Role: "user", Text: "keyed", Key: "k"}, nil},
		{"the key again", threads.NewEvent{Role: "user", Text: "keyed", Key: "k"}, nil},
		{"the key for another text", threads.NewEvent{Role: "user", Text: "other", Key: "k"}, threads.ErrTaken},
		{"a key of two lines", threads.NewEvent{Role: "user", Text: "x", Key: "k\n"}, threads.ErrInvalid},
		{"long ago", threads.NewEvent{Role: "user", Text: "x", OccurredAt: time.Unix(0, 0)}, nil},
		{"too long ago", threads.NewEvent{Role: "user", Text: "x", OccurredAt: time.Unix(-1e10, 0)},
			threads.ErrInvalid},
		{"in the future", threads.NewEvent{Role: "user", Text: "x", OccurredAt: w.clock.Now().Add(48 * time.Hour)},
			threads.ErrInvalid},
		{"meta", threads.NewEvent{Role: "user", Text: "x", Meta: threads.Meta(`{"a": [1]}`)}, nil},
		{"meta is no object", threads.NewEvent{Role: "user", Text: "x", Meta: threads.Meta(`null`)},
			threads.ErrInvalid},
		{"a language", threads.NewEvent{Role: "user", Text: "x", Lang: "de-AT"}, nil},
		{"not a language", threads.NewEvent{Role: "user", Text: "x", Lang: "de at"}, threads.ErrInvalid},
	}
	var batch []threads.NewEvent
	for _, test := range tests {
		batch = append(batch, test.e)
	}
	added, err := w.AddEvents(w.ctx, w.user, id, batch)
	require.NoError(t, err)
	stored := 0
	for i, test := range tests {
		if test.err != nil {
			require.ErrorIs(t, added[i].Err, test.err, test.name)
			continue
		}
		require.NoError(t, added[i].Err, test.name)
		require.Equal(t, !strings.HasSuffix(test.name, " again"), added[i].New, test.name)
		if added[i].New {
			stored++
		}
		got, err := w.Event(w.ctx, w.user, id, added[i].Event.ID)
		require.NoError(t, err, test.name)
		require.Equal(t, added[i].Event, got, test.name)
		require.False(t, got.Occurred.IsZero(), test.name)
	}
	all, err := w.ListEvents(w.ctx, w.user, threads.EventQuery{Thread: id})
	require.NoError(t, err)
	require.Len(t, all, stored)
	for i := 1; i < len(all); i++ {
		require.True(t, all[i].Recorded.After(all[i-1].Recorded), "the order of recording is total")
	}
	_, err = w.AddEvents(w.ctx, w.user, id, make([]threads.NewEvent, 1001))
	require.ErrorIs(t, err, threads.ErrInvalid)
	_, err = w.AddEvents(w.ctx, w.user, id, nil)
	require.ErrorIs(t, err, threads.ErrInvalid)
	_, err = w.AddEvents(w.ctx, w.user, own, batch[:1])
	require.ErrorIs(t, err, threads.ErrNotFound)
}

// TestEventsOfAnotherThread holds ids of events to their thread.
func TestEventsOfAnotherThread(t *testing.T) {
	w := newWorld(t, threads.Models{})
	one, two := w.thread(), w.thread()
	e := w.say(one, "hello")[0]
	_, err := w.Event(w.ctx, w.user, two, e)
	require.ErrorIs(t, err, threads.ErrNotFound)
	_, err = w.DeleteEvent(w.ctx, w.user, two, e)
	require.ErrorIs(t, err, threads.ErrNotFound)
	_, err = w.React(w.ctx, w.user, two, e, "heart")
	require.ErrorIs(t, err, threads.ErrNotFound)
	_, err = w.Effects(w.ctx, w.user, two, e)
	require.ErrorIs(t, err, threads.ErrNotFound)
	gone, err := w.DeleteEvent(w.ctx, w.user, one, e)
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"event": 1}, gone)
	_, err = w.DeleteEvent(w.ctx, w.user, one, e)
	require.ErrorIs(t, err, threads.ErrNotFound)
}

func TestReactions(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	ids := w.say(id, "We need to plan the garden for next year.", "< Then let us begin with the beds.")
	react := func(event, name string) (bool, error) { return w.React(w.ctx, w.user, id, event, name) }
	_, err := react(ids[0], "heart")
	require.ErrorIs(t, err, threads.ErrInvalid)
	_, err = react(ids[1], "wave")
	require.ErrorIs(t, err, threads.ErrInvalid)
	for _, step := range []struct {
		name    string
		summary bool
		lines   int
	}{{"heart", false, 0}, {"brain", true, 1}, {"brain", false, 1}, {"sad", true, 0}, {"", false, 0}, {"", false, 0},
		{"brain", true, 1}, {"", true, 0}} {
		changed, err := react(ids[1], step.name)
		require.NoError(t, err)
		require.Equal(t, step.summary, changed, step.name)
		sum, err := w.Summary(w.ctx, w.user, id)
		require.NoError(t, err)
		require.Len(t, sum.Lines, step.lines, step.name)
		all, err := w.Reactions(w.ctx, w.user, id)
		require.NoError(t, err)
		require.Equal(t, step.name, all[ids[1]].Name)
	}
}

func TestEffects(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	ids := w.say(id, "My name is Ada.", "< Hello Ada, it is good to know you.", "what is it?")
	effects := func(i int) map[threads.JobKind]threads.JobState {
		all, err := w.Effects(w.ctx, w.user, id, ids[i])
		require.NoError(t, err)
		states := map[threads.JobKind]threads.JobState{}
		for _, e := range all {
			require.True(t, e.State == threads.JobPending || e.Reason != "", e.Kind)
			states[e.Kind] = e.State
		}
		return states
	}
	const pending, done, skipped = threads.JobPending, threads.JobDone, threads.JobSkipped
	type states = map[threads.JobKind]threads.JobState
	// one job looks at all of them
	require.Equal(t, states{"suggest": pending, "extract": pending, "summarize": pending, "embed": skipped}, effects(0))
	require.Equal(t, states{"suggest": skipped, "extract": skipped, "summarize": pending, "embed": skipped}, effects(1))
	require.Equal(t, states{"suggest": skipped, "extract": skipped, "summarize": pending, "embed": skipped}, effects(2))
	ids = append(ids, w.say(id, "< A river.")...)
	require.Equal(t, states{"suggest": skipped, "extract": skipped, "summarize": pending, "embed": skipped}, effects(3))
	w.drain()
	require.Equal(t, states{"suggest": done, "extract": skipped, "summarize": skipped, "embed": skipped}, effects(0))
	require.Equal(t, states{"suggest": skipped, "extract": skipped, "summarize": skipped, "embed": skipped}, effects(1))
	require.Equal(t, map[string]conversation.State{"My name is Ada": conversation.Suggested}, w.claims())

	_, err := w.DeleteEvent(w.ctx, w.user, id, ids[0])
	require.NoError(t, err)
	_, err = w.Effects(w.ctx, w.user, id, ids[0])
	require.True(t, errors.Is(err, threads.ErrNotFound))
}
