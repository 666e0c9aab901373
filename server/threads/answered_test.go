package threads_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
	"ltm/server/threads"
)

// TestAnswersToWhatWasSuperseded: an answer that repeats it does not bring it back, whatever stands between the two,
// and also if only the answer is among the recent events or the hits.
func TestAnswersToWhatWasSuperseded(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	said := w.say(id, rome+".", "< Let me see.", "< Noted: Rome. Trains are late.")
	_, err := w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: Profile, Text: rome, Event: said[0]})
	require.NoError(t, err)
	_, err = w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: Profile, Text: oslo})
	require.NoError(t, err)
	w.act(Supersedes, rome, oslo)
	for n := 1; n <= 3; n++ {
		r := threads.RetrieveRequest{Recent: n, Budget: 500,
			SearchRequest: threads.SearchRequest{Thread: id, Query: "trains"}}
		got, err := w.Retrieve(w.ctx, w.user, r)
		require.NoError(t, err)
		last := got.Recent[len(got.Recent)-1]
		require.Equal(t, "Trains are late", last.Text, "%d events", n)
		r.Recent = 0
		got, err = w.Retrieve(w.ctx, w.user, r)
		require.NoError(t, err)
		require.Contains(t, got.Memory, "Trains are late\n")
		require.NotContains(t, got.Memory, "Noted")
		messages, err := w.MemoryContext(w.ctx, w.user, id, "trains", n)
		require.NoError(t, err)
		require.Contains(t, messages, threads.Message{Role: string(Assistant), Content: "Trains are late"})
	}
}

// TestAnAnswerInASummaryToWhatWasSuperseded: a summary that has only the answer, because the user said nothing to keep,
// does not bring it back either, as it is told and in a context.
func TestAnAnswerInASummaryToWhatWasSuperseded(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	said := w.say(id, "Yes!", "< Noted: Rome.", "My cat hates the vet.", "< Poor cat.")
	written, _, err := w.Promote(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, "- assistant: Noted: Rome.\n- My cat hates the vet.\n", written.Shown())
	w.state(rome, said[0])
	told, err := w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, written, told, "it holds")
	w.state(oslo, "")
	w.act(Supersedes, rome, oslo)

	told, err = w.Summary(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, "- My cat hates the vet.\n", told.Shown())
	told, _, err = w.Promote(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, "- My cat hates the vet.\n", told.Shown())
	got, err := w.Retrieve(w.ctx, w.user, threads.RetrieveRequest{Budget: 500,
		SearchRequest: threads.SearchRequest{Thread: id, Query: "recap", Kinds: []threads.Kind{threads.KindSummary}}})
	require.NoError(t, err)
	require.Contains(t, got.Memory, "My cat hates the vet.")
	require.NotContains(t, got.Memory, "Rome")
	all, err := w.Summaries(w.ctx, w.user, id)
	require.NoError(t, err)
	require.Equal(t, []threads.Summary{written}, all, "what is stored stays as it was written")
}
