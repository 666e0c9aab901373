package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzMessages sends arbitrary lines. The server writes only JSON-RPC, answers the next
// request, and does not wait at the end of the input for an answer that never comes.
func FuzzMessages(f *testing.F) {
	f.Fuzz(func(t *testing.T, one, other string) {
		for _, line := range []string{one, other} {
			// Only the last request may have its id.
			if strings.Contains(line, "last") || strings.Contains(line, `\u`) {
				return
			}
		}
		e := &fake{}
		began := time.Now()
		answers := serve(t, e, one, other, `{"jsonrpc":"2.0","id":"last","method":"ping"}`)
		require.Less(t, time.Since(began), 9*time.Second, "a line kept the server waiting for its answer")
		require.Contains(t, answers, `"last"`)
		require.LessOrEqual(t, len(e.asked), 2+strings.Count(one+other, "\n")+strings.Count(one+other, "{"))
		for _, asked := range e.asked {
			requireInBounds(t, asked)
		}
		for id := range answers {
			require.True(t, id == "" || json.Valid([]byte(id)))
		}
	})
}
