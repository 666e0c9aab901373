package threads_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/conversation"
	"ltm/server/threads"
)

func TestSummaries(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	sum, err := w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Empty(t, sum.ID)
	garden := w.say(id, talk("garden", 12)...)
	w.drain()
	first, err := w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, []any{conversation.Init, 12, true, garden[0], garden[23]},
		[]any{first.Reason, first.Turns, first.Active, first.From, first.To})

	boat := w.say(id, talk("sailing boat, red paint, harbour", 12)...)
	w.drain()
	all, err := w.Summaries(w.ctx, w.user, id)
	require.NoError(t, err)
	require.NotEmpty(t, all)
	require.Equal(t, boat[23], all[len(all)-1].To)
	active := 0
	for _, s := range all {
		if s.Active {
			active++
		}
	}
	require.Equal(t, 1, active, "exactly one is active")

	_, err = w.DeleteEvent(w.ctx, w.user, id, garden[2])
	require.NoError(t, err)
	after, err := w.Summaries(w.ctx, w.user, id)
	require.NoError(t, err)
	for _, s := range after {
		for _, l := range s.Lines {
			require.NotEqual(t, garden[2], l.Event)
		}
	}
}

func TestPromote(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	_, changed, err := w.Promote(w.ctx, w.user, id)
	require.NoError(t, err)
	require.False(t, changed, "nothing was said")
	w.say(id, talk("garden", 3)...)
	sum, changed, err := w.Promote(w.ctx, w.user, id)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, 3, sum.Turns)
	again, changed, err := w.Promote(w.ctx, w.user, id)
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, sum, again)
	got, _, err := w.Thread(w.ctx, w.user, id)
	require.NoError(t, err)
	require.False(t, got.CoreAt.IsZero())
	w.say(id, talk("garden", 1)...)
	sum, changed, err = w.Promote(w.ctx, w.user, id)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, 4, sum.Turns)
}
