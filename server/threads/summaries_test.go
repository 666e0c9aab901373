package threads_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/provider"
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

// TestASummaryIsToldAsItHolds: the summary that is answered leaves out what a context leaves out of it, and the one
// that is stored stays as it was written.
func TestASummaryIsToldAsItHolds(t *testing.T) {
	const sentence = "The user lives in Rome"
	for name, c := range map[string]struct{ written, left string }{
		"of sentences": {"", "- My cat hates the vet."},
		"of a model": {"Summary:\n- " + sentence + ".\n  * A cat; it hates the vet.\n",
			"Summary:\n  * A cat; it hates the vet."},
		"in one paragraph":  {sentence + ". She has a cat. It hates the vet.", "She has a cat. It hates the vet."},
		"with nothing else": {"- " + sentence + ".\n\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var models threads.Models
			if c.written != "" {
				models.Summaries = &scripted{summarize: func(string, []provider.Turn) (string, error) {
					return c.written, nil
				}}
			}
			w := newWorld(t, models)
			id := w.thread()
			said := w.say(id, rome+".", "< Noted, it is good to know that.", "My cat hates the vet.",
				"< Poor cat, and poor vet.")
			promoted, changed, err := w.Promote(w.ctx, w.user, id)
			require.NoError(t, err)
			require.True(t, changed)
			require.Contains(t, promoted.Shown(), "Rome", "nothing says that it does not hold")
			w.drain()
			w.state(rome, said[0])
			stored, err := w.Summaries(w.ctx, w.user, id)
			require.NoError(t, err)
			require.Len(t, stored, 1)
			told, err := w.Summary(w.ctx, w.user, id)
			require.NoError(t, err)
			require.Equal(t, stored[0], told, "it is true")

			w.state(oslo, "")
			w.act(conversation.Supersedes, rome, oslo)
			told, err = w.Summary(w.ctx, w.user, id)
			require.NoError(t, err)
			require.Equal(t, c.left, strings.TrimRight(told.Shown(), "\n"))
			promoted, changed, err = w.Promote(w.ctx, w.user, id)
			require.NoError(t, err)
			require.False(t, changed)
			require.Equal(t, told, promoted)
			after, err := w.Summaries(w.ctx, w.user, id)
			require.NoError(t, err)
			require.Equal(t, stored, after, "what is stored does not change")
			r := threads.RetrieveRequest{Budget: 500, SearchRequest: threads.SearchRequest{Thread: id, Query: "recap",
				Kinds: []threads.Kind{threads.KindSummary}}}
			got, err := w.Retrieve(w.ctx, w.user, r)
			require.NoError(t, err)
			for _, b := range got.Blocks {
				require.Contains(t, c.left, b.Text, "a context shows what the answer tells")
			}
			require.Equal(t, c.left == "", len(got.Blocks) == 0)
		})
	}
}

// TestASummaryIsNotBehindTheThread: what was said after a summary is not in it, but what it made untrue is told no
// more.
func TestASummaryIsNotBehindTheThread(t *testing.T) {
	for _, written := range []string{"", "- The train to Orta leaves on the 10th.\n- The cat hates trains."} {
		var models threads.Models
		if written != "" {
			models.Summaries = &scripted{summarize: func(string, []provider.Turn) (string, error) {
				return written, nil
			}}
		}
		w := newWorld(t, models)
		id := w.thread()
		w.say(id, "Our train to Orta leaves on the 10th.", "< A lovely lake.", "My cat hates trains.", "< Poor cat.")
		_, _, err := w.Promote(w.ctx, w.user, id)
		require.NoError(t, err)
		w.drain()
		r := threads.RetrieveRequest{Budget: 500, SearchRequest: threads.SearchRequest{Thread: id, Query: "recap",
			Kinds: []threads.Kind{threads.KindSummary}}}
		for _, said := range []struct {
			text  string
			holds bool
		}{
			{"Our neighbors take the train on the 12th.", true},
			{"The train to Orta was moved, we go on the 17th.", false},
		} {
			w.say(id, said.text, "< I see.")
			told, err := w.Summary(w.ctx, w.user, id)
			require.NoError(t, err)
			require.Equal(t, said.holds, strings.Contains(told.Shown(), "10th"), said.text)
			require.Contains(t, told.Shown(), "cat")
			context, err := w.Retrieve(w.ctx, w.user, r)
			require.NoError(t, err)
			require.Equal(t, said.holds, strings.Contains(context.Memory, "10th"), said.text)
			require.Contains(t, context.Memory, "cat")
		}
	}
}
