package transcript_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// FuzzRead reads any bytes, at once and in two parts divided at a line end: the sum of the counts
// and the final state must be the same. Its corpus is the small transcripts in testdata/fuzz.
func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, raw []byte, cut uint) {
		at := bytes.LastIndexByte(raw[:cut%uint(len(raw)+1)], '\n') + 1
		step := func(raw []byte, s transcript.State, limit int64) (transcript.Work, transcript.State) {
			work, next, err := transcript.Claude.Read(context.Background(), bytes.NewReader(raw), s, limit)
			require.NoError(t, err)
			return work, next
		}
		whole, end := step(raw, transcript.State{}, 0)
		require.EqualValues(t, bytes.LastIndexByte(raw, '\n')+1, end.Offset)
		require.False(t, whole.More)
		for _, c := range []transcript.Counts{whole.Main, whole.Subagents} {
			require.GreaterOrEqual(t, min(c.Calls, c.Failures, c.Refused, c.OutputTokens, c.Compactions), 0)
			require.True(t, 0 <= c.Retries && c.Retries <= c.Calls, "retries are calls")
		}

		for line := range bytes.Lines(raw[:end.Offset]) {
			if one, _ := step(line, transcript.State{}, 0); json.Valid(line) &&
				bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
				require.Zero(t, one.Unread, "%q", line)
			}
		}

		first, middle := step(raw[:at], transcript.State{}, 0)
		require.EqualValues(t, at, middle.Offset)
		second, last := step(raw[at:], middle, 0)
		require.Equal(t, whole, first.Add(second))
		require.Equal(t, end, last)

		if at > 0 {
			limited, stopped := step(raw, transcript.State{}, int64(at))
			require.Equal(t, middle, stopped)
			require.True(t, limited.More)
			limited.More = false
			require.Equal(t, first, limited)
		}
	})
}
