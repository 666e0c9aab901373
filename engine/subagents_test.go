package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
)

// bashCalls returns the client's record of so many calls, all of which fail.
func bashCalls(from, n int, more string) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		fmt.Fprintf(&b, `{"type":"assistant",%s"uuid":"a%d","message":{"id":"m%d","content":[{"type":"tool_use",`+
			`"id":"t%d","name":"Bash","input":{"command":"run %d"}}],"usage":{`+
			`"output_tokens":10}}}`+"\n", more, i, i, i, i)
		fmt.Fprintf(&b, `{"type":"user",%s"uuid":"u%d","message":{"content":[{"type":"tool_result",`+
			`"tool_use_id":"t%d","is_error":true}]}}`+"\n", more, i, i)
	}
	return b.String()
}

func TestSubagentsAreNoWorkOfTheSessionsOwn(t *testing.T) {
	f := newEngine(t)
	f.remember("Begun", "The store.", 0)
	path := filepath.Join(t.TempDir(), "session.jsonl")
	_, err := f.StartSession(f.ctx, api.SessionStart{Session: "a", Source: "startup", Transcript: path})
	require.NoError(t, err)

	for i, tt := range []struct {
		name            string
		own, agents     int // failed calls that the transcript shows
		ok, failed      int // calls of the session's own that hooks saw
		seen            int // failed calls of subagents that hooks saw
		calls, failures int // of the session's own
	}{
		{"hooks saw those of both", 2, 3, 0, 2, 3, 2, 2},
		{"hooks saw two more, one of which failed, than are written", 2, 3, 1, 3, 3, 4, 3},
		{"a subagent's are not written yet", 2, 0, 0, 2, 3, 2, 2},
		{"they are now", 1, 3, 0, 1, 0, 1, 1},
		{"some of a subagent's fired no hook", 2, 3, 0, 2, 1, 2, 2},
		{"no subagent", 1, 0, 0, 1, 0, 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			grow(t, path, bashCalls(1000*i, tt.own, ""))
			grow(t, filepath.Join(transcript.SubagentsFolder(path), "agent-a.jsonl"),
				bashCalls(1000*i+500, tt.agents, `"isSidechain":true,`))
			f.tools("a", tt.ok, tt.failed, 0)
			for range tt.seen {
				_, err := f.RecordTool(f.ctx, api.ToolUse{Session: "a", Subagent: true, Failed: true})
				require.NoError(t, err)
			}
			segment, err := f.ResetSession(f.ctx, "a")
			require.NoError(t, err)
			require.Equal(t, memory.Work{Calls: tt.calls, Failures: tt.failures, Tokens: 10 * tt.own,
				AgentCalls: tt.agents, AgentFailures: tt.agents, Source: memory.SourceTranscript}, segment.Work)
		})
	}
}

// grow appends to a file.
func grow(t testing.TB, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	old, err := os.ReadFile(path)
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	require.NoError(t, os.WriteFile(path, append(old, text...), 0o644))
}
