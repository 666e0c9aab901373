package threads_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
	"ltm/server/provider"
	"ltm/server/threads"
)

// TestRederive: what follows from an event that was erased behind the service's back goes with it, as after a restore,
// also what a model wrote about it.
func TestRederive(t *testing.T) {
	w := newWorld(t, threads.Models{Summaries: &scripted{summarize: func(string, []provider.Turn) (string, error) {
		return "The user lives in Rome.", nil
	}}})
	id := w.thread()
	said := w.say(id, append([]string{rome + ".", "< Noted, it is good to know that."}, talk("garden", 12)...)...)
	w.drain()
	w.act(Confirms, rome, "")
	sum, err := w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.NotEmpty(t, sum.Written)
	_, err = w.store.Threads().Repeat(w.ctx, []threads.Erased{{Subject: w.who,
		Ref: threads.Ref{Kind: threads.KindEvent, ID: said[0]}, At: w.clock.Now()}})
	require.NoError(t, err)
	require.Contains(t, w.claims(), rome, "until they are derived again")
	require.NoError(t, w.Rederive(w.ctx, w.who))
	require.NotContains(t, w.claims(), rome)
	sum, err = w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.NotContains(t, fmt.Sprint(sum), "Rome")
}

// TestWrittenGoesWithWhatLeftNoLine: what a model wrote goes with an event that it was shown, also if nothing else of
// the summary came from it, and is written again without it: when the event is deleted, and when it was erased as after
// a restore.
func TestWrittenGoesWithWhatLeftNoLine(t *testing.T) {
	for name, remove := range map[string]func(w *world, thread, event string) error{
		"deleted": func(w *world, thread, event string) error {
			_, err := w.DeleteEvent(w.ctx, w.user, thread, event)
			return err
		},
		"erased": func(w *world, _, event string) error {
			_, err := w.store.Threads().Repeat(w.ctx, []threads.Erased{{Subject: w.who,
				Ref: threads.Ref{Kind: threads.KindEvent, ID: event}, At: w.clock.Now()}})
			return errors.Join(err, w.Rederive(w.ctx, w.who))
		},
	} {
		t.Run(name, func(t *testing.T) {
			var shown []string
			w := newWorld(t, threads.Models{Summaries: &scripted{
				summarize: func(_ string, turns []provider.Turn) (string, error) {
					shown = append(shown, fmt.Sprint(turns))
					return fmt.Sprint("text ", len(shown)), nil
				}}})
			id := w.thread()
			w.say(id, talk("garden", 6)...)
			short := w.say(id, "< The code is 4711.")[0] // too short an answer for a turn
			w.say(id, talk("garden", 6)...)
			w.drain()
			before, err := w.Summary(w.ctx, w.user, id)
			require.NoError(t, err)
			require.Equal(t, "text 1", before.Written)
			require.Contains(t, shown[0], "4711")
			require.NoError(t, remove(w, id, short))
			after, err := w.Summary(w.ctx, w.user, id)
			require.NoError(t, err)
			require.Equal(t, before.Summary, after.Summary, "nothing of it came from the event")
			require.Empty(t, after.Written+after.Model)
			w.drain()
			after, err = w.Summary(w.ctx, w.user, id)
			require.NoError(t, err)
			require.Equal(t, "text 2", after.Written)
			require.NotContains(t, shown[1], "4711")
		})
	}
}

// TestWrittenStaysWithAnotherEpisode: what was written of the turns before and after those of a deleted event holds.
func TestWrittenStaysWithAnotherEpisode(t *testing.T) {
	n := 0
	w := newWorld(t, threads.Models{Summaries: &scripted{summarize: func(string, []provider.Turn) (string, error) {
		n++
		return fmt.Sprint("text ", n), nil
	}}})
	id := w.thread()
	var short []string
	for topic := range 3 {
		say := func(turns ...int) {
			for _, i := range turns { // with words that no other turn has
				w.say(id, fmt.Sprintf("We need to use x%da%d, y%[1]da%[2]d, z%[1]da%[2]d, v%[1]da%[2]d.", topic, i),
					"< Yes.")
			}
		}
		say(0, 1, 2, 3, 4, 5)
		short = append(short, w.say(id, "< The code is 4711.")...)
		say(6, 7, 8, 9, 10, 11)
		w.drain()
	}
	written := func() (texts []string) {
		all, err := w.Summaries(w.ctx, w.user, id)
		require.NoError(t, err)
		for _, s := range all {
			texts = append(texts, s.Written)
		}
		return texts
	}
	require.Equal(t, []string{"text 1", "text 2", "text 3"}, written())
	_, err := w.DeleteEvent(w.ctx, w.user, id, short[1])
	require.NoError(t, err)
	require.Equal(t, []string{"text 1", "", "text 3"}, written())
}
