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

		require.Equal(t, whole.FirstAsk == "", whole.LastAsk == "")
		for _, text := range []string{whole.FirstAsk, whole.LastAsk} {
			require.LessOrEqual(t, utf8.RuneCountInString(text), transcript.MaxAsk)
			require.True(t, utf8.ValidString(text))
		}
		for _, c := range []*transcript.Command{whole.Failed, whole.Passed} {
			if c != nil {
				require.NotEmpty(t, c.Line)
				require.LessOrEqual(t, utf8.RuneCountInString(c.Line), transcript.MaxCommand)
				require.True(t, c.Status >= -1 && c.Status <= 255)
			}
		}
		if whole.Passed != nil {
			require.Zero(t, whole.Passed.Status)
		}
		require.LessOrEqual(t, len(whole.Files), transcript.MaxFiles)
		require.LessOrEqual(t, len(whole.Stored), transcript.MaxStored)
		require.LessOrEqual(t, len(whole.Todos), transcript.MaxTodos)
		step(whole.SkipTo(whole.Offset+1), raw)
	})
}
