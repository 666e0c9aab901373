package transcript_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// FuzzTarget computes targets of any calls: two calls that differ only in the order of their fields
// must have the same target.
func FuzzTarget(f *testing.F) {
	f.Fuzz(func(t *testing.T, tool, input, path, command string) {
		require.Equal(t, transcript.Target(tool, []byte(input)), transcript.Target(tool, []byte(input)))
		quote := func(s string) string {
			text, err := json.Marshal(s)
			require.NoError(t, err)
			return string(text)
		}
		about := func(input string) uint32 { return transcript.Target(tool, []byte(input)) }
		one := about(`{"file_path":` + quote(path) + `,"command":` + quote(command) + `,"x":[{"y":"}"}]}`)
		other := about(`{"x":[{"y":"}"}],"command":` + quote(command) + `,"file_path":` + quote(path) + `}`)
		require.Equal(t, one, other)
		if path != "" {
			require.Equal(t, one, about(`{"file_path":`+quote(path)+`,"old_string":`+quote(input)+`}`),
				"the target is the file")
		}
	})
}
