package hooks_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/clients"
	"ltm/hooks"
	"ltm/memory"
)

func FuzzEvent(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string) {
		event, err := hooks.ParseEvent(name)
		if err != nil {
			require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
			return
		}
		require.Contains(t, hooks.Events(), event)
		again, err := hooks.ParseEvent(event)
		require.NoError(t, err)
		require.Equal(t, event, again)
	})
}

// FuzzLongPayload reads payloads beyond the size limit. They can start with anything;
// the call is still counted.
func FuzzLongPayload(f *testing.F) {
	const bound = 8 << 20
	rest := strings.Repeat("x", bound)
	f.Fuzz(func(t *testing.T, beginning string) {
		var out bytes.Buffer
		r := recorder{}
		in := io.MultiReader(strings.NewReader(beginning), strings.NewReader(rest), strings.NewReader("x"))
		require.NoError(t, play(&r, clients.PostToolUse, in, &out))
		require.Empty(t, out.String())
		require.Len(t, r.calls, 1)
		require.Contains(t, r.calls[0], " failed=false long=true response=0")
		var whole struct {
			Session string `json:"session_id"`
		}
		named := strings.Contains(strings.ToLower(beginning), "session_id")
		if d := json.NewDecoder(strings.NewReader(beginning)); d.Decode(&whole) == nil && !named {
			require.Contains(t, r.calls[0], "tool  failed")
		}
	})
}
