package recall_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation/recall"
)

// TestWhatWasSaidNextToAHitComesBeforeAWeakOne in what a context is made of, and only there.
func TestWhatWasSaidNextToAHitComesBeforeAWeakOne(t *testing.T) {
	x := recall.New()
	seq := int64(0)
	say := func(thread string, texts ...string) {
		for _, text := range texts {
			seq++
			x.Put(recall.Said{ID: fmt.Sprint("e", seq), Thread: thread, Seq: seq, Text: text,
				At: time.Date(2026, 1, 1, 0, int(seq), 0, 0, time.UTC)})
		}
	}
	say("a", "Hello again!", "Which instrument do you practise on Sundays?", "The cello, since May.", "How nice.")
	for i := range 5 {
		say(fmt.Sprint("other ", i), "Sundays are quiet here.")
	}
	q := recall.Query{Text: "Which instrument is practised on Sundays?", Limit: 4}
	ids := func() (all []string) {
		for _, f := range x.Find(q) {
			all = append(all, f.ID)
		}
		return all
	}
	require.Equal(t, "e2", ids()[0])
	require.Len(t, ids(), 4)
	require.NotContains(t, ids(), "e4")
	q.Widen = true
	require.Equal(t, "e2", ids()[0])
	require.ElementsMatch(t, []string{"e1", "e2", "e3", "e4"}, ids())
	require.Equal(t, "e4", ids()[3], "the furthest")
	require.Equal(t, "e3", x.Find(q)[3].Beside)
	x.Delete("e3")
	require.ElementsMatch(t, []string{"e1", "e2", "e4"}, ids()[:3], "e4 is next to it now")
	q.Thread, q.Until = "a", time.Date(2026, 1, 1, 0, 2, 0, 0, time.UTC)
	require.Equal(t, []string{"e2", "e1"}, ids())
}

// TestNeighborsLeaveRoomForWhatOnlyVectorsFound has rows that words and vectors find, each with a conversation around
// it, and rows that only vectors find.
func TestNeighborsLeaveRoomForWhatOnlyVectorsFound(t *testing.T) {
	x := recall.New()
	seq := int64(0)
	say := func(thread, id, text string) {
		seq++
		x.Put(recall.Said{ID: id, Thread: thread, Seq: seq, Text: text,
			At: time.Date(2026, 1, 1, 0, int(seq), 0, 0, time.UTC)})
	}
	q := recall.Query{Text: "the harbor master's dog", Limit: 61, Widen: true, Weight: 1}
	near := func(id string, cosine float64) {
		q.Near = append(q.Near, recall.Near{Kind: recall.Event, ID: id, Cosine: cosine})
	}
	say("alone 0", "best", "Rex barks at every ferry.")
	near("best", 0.95)
	for i := range 12 {
		thread := fmt.Sprint("both ", i)
		for j := range 9 {
			id := fmt.Sprintf("b%d.%d", i, j)
			if j == 4 {
				say(thread, id, "The harbor master's dog again.")
				near(id, 0.6-float64(i)/1000)
				continue
			}
			say(thread, id, "Something else, as people talk.")
		}
	}
	for i := range 10 {
		id := fmt.Sprint("v", i)
		say("alone "+id, id, "Rex sleeps under the crane.")
		near(id, 0.58-float64(i)/1000)
	}
	place := func() map[string]int {
		all := map[string]int{}
		for i, f := range x.Find(q) {
			all[f.ID] = i
		}
		return all
	}
	found := place()
	require.Less(t, found["best"], 13)
	for i := range 10 {
		require.Contains(t, found, fmt.Sprint("v", i))
		require.Less(t, found[fmt.Sprint("v", i)], 61)
	}
	require.Contains(t, found, "b0.5")
	q.Least = 0.5
	found = place()
	for i := range 10 {
		require.Contains(t, found, fmt.Sprint("v", i), "what is below the threshold takes nobody's place")
	}
	require.GreaterOrEqual(t, len(found), 23)
}
