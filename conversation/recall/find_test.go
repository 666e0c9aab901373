package recall_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/conversation/recall"
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
