package transcript_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// FuzzState continues from any state, because a state's file may come from someone else's
// repository: counts must stay within bounds, and the next state must stay small.
func FuzzState(f *testing.F) {
	f.Fuzz(func(t *testing.T, state, raw []byte) {
		var s transcript.State
		if json.Unmarshal(state, &s) != nil || !s.Fits(1<<40) {
			return
		}
		before, err := json.Marshal(s)
		require.NoError(t, err)
		work, next, err := transcript.Claude.Read(context.Background(), bytes.NewReader(raw), s, 0)
		require.NoError(t, err)
		after, err := json.Marshal(s)
		require.NoError(t, err)
		require.Equal(t, string(before), string(after), "the state that was given is not changed")
		require.True(t, s.Offset <= next.Offset && next.Offset <= s.Offset+int64(len(raw)))
		for _, c := range []transcript.Counts{work.Main, work.Subagents} {
			require.GreaterOrEqual(t, min(c.Calls, c.Failures, c.Retries, c.Refused, c.OutputTokens, c.Compactions), 0,
				"%+v", c)
			require.LessOrEqual(t, c.Retries, c.Calls)
		}
		require.LessOrEqual(t, len(next.Open), 32)
		require.LessOrEqual(t, len(next.Failed), 32)
		require.LessOrEqual(t, len(next.Messages), 8)
		require.LessOrEqual(t, len(next.Lines), 64)
	})
}
