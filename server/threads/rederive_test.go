package threads_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/conversation"
	"ltm/provider"
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
