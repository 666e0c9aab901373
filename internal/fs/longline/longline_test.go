package longline_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/fs/longline"
)

// TestTheIDOfALongLine expects the id of the message itself, wherever it is in the line.
func TestTheIDOfALongLine(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`:                                    `7`,
		`{"method":"x","params":{"id":1}, "id" : "a\"b c" }`:                          `"a\"b c"`,
		`{"id":12345678901234567890,"params":"x"}`:                                    `12345678901234567890`,
		`{"method":"x","params":{"id":1,"a":[{"id":2}],"b":"\",\"id\":3,"},"c":"id"}`: ``,
		`{"id":"` + strings.Repeat("x", 300) + `"}`:                                   ``,
		`{"id":{"id":4},"params":1}`:                                                  ``,
		`{"id":[4]}`:                                                                  ``,
		`{"id":null}`:                                                                 ``,
		`[{"id":5}]`:                                                                  ``,
		`{"id":6,"params":"broken off`:                                                `6`,
		`"id":6`:                                                                      ``,
		``:                                                                            ``,
	} {
		require.Equal(t, want, string(longline.IDOf(line)), line)
	}
}

// TestLines reads lines up to the limit, longer ones, and a last one without an end.
func TestLines(t *testing.T) {
	longest := strings.Repeat("x", 100_000)
	r := longline.NewReader(strings.NewReader("a\n\n"+longest+"\n"+`{"id":7,"a":"`+longest+"\"}\nb\n"+longest+"x"), 100_000)
	for _, want := range []longline.Line{{Text: []byte("a\n")}, {Text: []byte("\n")}, {Text: []byte(longest + "\n")},
		{Long: true, ID: json.RawMessage("7")}, {Text: []byte("b\n")}, {Long: true}} {
		read, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, want, read)
	}
	_, err := r.Next()
	require.ErrorIs(t, err, io.EOF)
}

// FuzzLongLine compares the id that is found with the id found by decoding the whole line, which may be out of reach.
func FuzzLongLine(f *testing.F) {
	f.Fuzz(func(t *testing.T, line string, _ int) {
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(line), &fields) != nil || strings.Contains(line, `\u`) || len(line) > 1<<10 {
			t.Skip()
		}
		if found := string(longline.IDOf(line)); found != "" {
			require.Equal(t, string(fields["id"]), found, "%s", line)
		}
	})
}
