package transcript_test

import (
	"bytes"
	"context"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// FuzzOutline reads any bytes, at once and in two parts divided at a line end, with the same
// outcome, and keeps to its bounds.
func FuzzOutline(f *testing.F) {
	f.Fuzz(func(t *testing.T, raw []byte, cut uint) {
		at := bytes.LastIndexByte(raw[:cut%uint(len(raw)+1)], '\n') + 1
		step := func(o transcript.Outline, raw []byte) transcript.Outline {
			o, err := o.Read(context.Background(), bytes.NewReader(raw), 0)
			require.NoError(t, err)
			return o
		}
		whole := step(transcript.Outline{}, raw)
		require.EqualValues(t, bytes.LastIndexByte(raw, '\n')+1, whole.Offset)
		require.Equal(t, whole, step(step(transcript.Outline{}, raw[:at]), raw[at:]))

		for _, s := range whole.Steps {
			require.LessOrEqual(t, utf8.RuneCountInString(s.Text), transcript.MaxAsk)
			require.True(t, s.Kind == transcript.Edited || utf8.ValidString(s.Text))
			require.Equal(t, s.Kind == transcript.Ran, s.Run != nil)
			if r := s.Run; r != nil {
				require.NotEmpty(t, r.Line)
				require.LessOrEqual(t, utf8.RuneCountInString(r.Line+r.Name), 2*transcript.MaxCommand)
				require.LessOrEqual(t, utf8.RuneCountInString(r.Output), transcript.MaxOutput)
				require.True(t, r.Status >= -1 && r.Status <= 999)
				require.True(t, r.Like(r) && r.Covers(r))
			}
		}
		require.LessOrEqual(t, len(whole.Steps), transcript.MaxSteps)
		require.LessOrEqual(t, len(whole.Files), transcript.MaxFiles)
		require.LessOrEqual(t, len(whole.Stored), transcript.MaxStored)
		require.LessOrEqual(t, len(whole.Todos), transcript.MaxTodos)
		step(whole.SkipTo(whole.Offset+1), raw)
	})
}
