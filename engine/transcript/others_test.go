package transcript_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// TestRecordsOfOtherClients counts recorded sessions, at once and line by line. Where a session fails, it runs a
// command that exits with 3 and makes calls of tools that fail in other ways.
func TestRecordsOfOtherClients(t *testing.T) {
	for name, want := range map[string]transcript.Counts{
		"rollout-failures.jsonl":       {Calls: 2, Failures: 2, OutputTokens: 150, ResultChars: 233},
		"rollout-compacted.jsonl":      {Calls: 1, OutputTokens: 200, ResultChars: 175, Compactions: 1},
		"failures/events.jsonl":        {Calls: 5, Failures: 4, OutputTokens: 300, ResultChars: 1240},
		"compacted/events.jsonl":       {Calls: 2, OutputTokens: 150, ResultChars: 350, Compactions: 1},
		"chats/session-failures.jsonl": {Calls: 5, Failures: 4, OutputTokens: 300, ResultChars: 627},
		"chats/qwen.jsonl":             {Calls: 4, Failures: 4, OutputTokens: 250, ResultChars: 516},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", "others", filepath.FromSlash(name)))
			require.NoError(t, err)
			form := transcript.FormOf(filepath.Join("home", filepath.FromSlash(name)))
			whole, end, err := form.Read(context.Background(), bytes.NewReader(data), transcript.State{}, 0)
			require.NoError(t, err)
			require.Equal(t, transcript.Work{Main: want}, whole)
			require.Equal(t, int64(len(data)), end.Offset)

			var sum transcript.Work
			var state transcript.State
			for int(state.Offset) < len(data) {
				work, next, err := form.Read(context.Background(), bytes.NewReader(data[state.Offset:]), state, 1)
				require.NoError(t, err)
				kept, err := json.Marshal(next)
				require.NoError(t, err)
				state = transcript.State{}
				require.NoError(t, json.Unmarshal(kept, &state))
				sum = sum.Add(work)
			}
			sum.More = false
			require.Equal(t, whole, sum)
		})
	}
}

// TestRetriesInOtherRecords: a call of a target that had failed is a retry, and a call that a person stopped is not a
// failure.
func TestRetriesInOtherRecords(t *testing.T) {
	start := func(id string) string {
		return `{"type":"tool.execution_start","data":{"toolCallId":"` + id +
			`","toolName":"bash","arguments":{"command":"go test ./x"}}}` + "\n"
	}
	end := func(id, rest string) string {
		return `{"type":"tool.execution_complete","data":{"toolCallId":"` + id + `",` + rest + "}}\n"
	}
	record := start("a") + end("a", `"success":true,"shellExecution":{"exitCode":1}`) +
		start("b") + end("b", `"success":false,"error":{"code":"denied","message":"no"}`) +
		start("c") + end("c", `"success":true,"shellExecution":{"exitCode":0}`) + "not JSON\n[]\n\n"
	work, _, err := transcript.Copilot.Read(context.Background(), strings.NewReader(record), transcript.State{}, 0)
	require.NoError(t, err)
	require.Equal(t, transcript.Work{Unread: 2,
		Main: transcript.Counts{Calls: 3, Failures: 1, Refused: 1, Retries: 1, ResultChars: 2}}, work)
}

// TestAnswersThatAreWrittenAgain have each call that has ended: none counts twice.
func TestAnswersThatAreWrittenAgain(t *testing.T) {
	line := `{"type":"gemini","id":"m","tokens":{"output":5},"toolCalls":[{"id":"c","name":"x","status":"error"}]}` + "\n"
	work, _, err := transcript.Gemini.Read(t.Context(), strings.NewReader(line+line), transcript.State{}, 0)
	require.NoError(t, err)
	require.Equal(t, transcript.Counts{Calls: 1, Failures: 1, OutputTokens: 5}, work.Main)
}

func FuzzOtherRecords(f *testing.F) {
	f.Add([]byte(`{"type":"compacted","payload":{}}`), byte(1))
	f.Fuzz(func(t *testing.T, line []byte, form byte) {
		one := transcript.Form(1 + form%4)
		work, state, err := one.Read(context.Background(), bytes.NewReader(append(line, '\n')), transcript.State{}, 0)
		require.NoError(t, err)
		require.Equal(t, int64(len(line)+1), state.Offset)
		require.GreaterOrEqual(t, work.Main.OutputTokens, 0)
	})
}
