package engine_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// toolCall is a call as both witnesses see it.
type toolCall struct {
	tool     string
	input    any
	response any    // what a hook is given
	result   string // what the model gets, and the transcript has
	failed   bool
}

func words(n int) string {
	const line = "some \"words\" of a line of ordinary length\n"
	return strings.Repeat(line, n/len(line)+1)[:n]
}

// ran makes a call of Bash as the client reports it: of an output of more than 30,000 characters, the
// model gets a preview and the hook the beginning.
func ran(command, output string) toolCall {
	response := map[string]any{"stdout": output, "stderr": "", "interrupted": false}
	result := output
	if len(output) > 30_000 {
		response["stdout"], response["persistedOutputPath"] = output[:30_000], "/p/.claude/tool-results/b.txt"
		response["persistedOutputSize"] = len(output)
		result = "<persisted-output>\nOutput too large. Full output saved to: /p/.claude/tool-results/b.txt\n\n" +
			"Preview (first 2KB):\n" + output[:2000] + "\n...\n</persisted-output>"
	}
	return toolCall{tool: "Bash", input: map[string]string{"command": command, "description": "build a part"},
		response: response, result: result}
}

// failed makes a call of Bash that fails. The client cuts its output for both.
func failed(output string) toolCall {
	if len(output) > 10_000 {
		output = output[:5000] + "\n\n... [truncated] ...\n\n" + output[len(output)-5000:]
	}
	return toolCall{tool: "Bash", input: map[string]string{"command": "go test ./..."},
		response: "Exit code 1\n" + output, result: "Exit code 1\n" + output, failed: true}
}

// readFile makes a call of Read: the model gets the lines with their numbers.
func readFile(path, text string) toolCall {
	text = text[:min(len(text), 80_000)] // of more, the client asks for a part
	var numbered strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		fmt.Fprintf(&numbered, "%d\t%s", i+1, line)
	}
	return toolCall{tool: "Read", input: map[string]string{"file_path": path},
		response: map[string]any{"type": "text", "file": map[string]any{"filePath": path, "content": text}},
		result:   numbered.String()}
}

// callsOf makes calls of these kinds in turn: commands, edits of files that are much larger than the
// edit, reads, and reads of pictures, which have no text. Failed ones are commands that are tried
// again.
func callsOf(kinds string, calls, failures, chars int) (out []toolCall) {
	for i := range calls {
		path := fmt.Sprintf("/p/file%d.go", i)
		text := words(chars)
		if i%max(1, calls/max(1, failures)) == 0 && failures > 0 {
			failures--
			out = append(out, failed(text))
			continue
		}
		switch kinds[i%len(kinds)] {
		case 'c':
			out = append(out, ran(fmt.Sprint("make part", i), text))
		case 'e':
			out = append(out, toolCall{tool: "Edit", input: map[string]string{"file_path": path,
				"old_string": words(200), "new_string": words(300)},
				response: map[string]any{"filePath": path, "originalFile": words(20_000), "structuredPatch": []int{}},
				result: "The file " + path +
					" has been updated successfully. (file state is current in your context)"})
		case 'r':
			out = append(out, readFile(path, text))
		case 'p':
			out = append(out, toolCall{tool: "Read", input: map[string]string{"file_path": "/p/shot.png"},
				response: map[string]any{"type": "image", "file": map[string]any{"type": "image/png",
					"base64": strings.Repeat("iVBO", 30_000)}}})
		}
	}
	return out
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}

// TestWitnessesAgree plays the same work to hooks alone and to a transcript alone.
// What they make of it differs by 0.05 at most, although a hook does not see what the
// model writes beside its calls.
func TestWitnessesAgree(t *testing.T) {
	const mix = "cerc"
	for name, c := range map[string]struct {
		kinds                  string
		calls, failures, chars int
		prose                  int // tokens that the model writes beside each call
		compacted              bool
	}{
		"quick":         {kinds: mix, calls: 3, chars: 1500, prose: 80},
		"chatty":        {kinds: mix, calls: 6, chars: 500, prose: 600},
		"long answers":  {kinds: mix, calls: 8, chars: 1500, prose: 800},
		"research":      {kinds: mix, calls: 40, failures: 1, chars: 9000, prose: 100},
		"feature":       {kinds: mix, calls: 60, failures: 5, chars: 4000, prose: 120},
		"debugging":     {kinds: mix, calls: 30, failures: 12, chars: 6000, prose: 150},
		"ordeal":        {kinds: mix, calls: 150, failures: 50, chars: 8000, prose: 150, compacted: true},
		"large text":    {kinds: mix, calls: 4, chars: 400_000, prose: 50},
		"long outputs":  {kinds: "c", calls: 6, chars: 60_000, prose: 100},
		"long failures": {kinds: "ce", calls: 15, failures: 6, chars: 60_000, prose: 100},
		"pictures":      {kinds: "pe", calls: 8, chars: 500, prose: 150},
	} {
		t.Run(name, func(t *testing.T) {
			hooked, read := newEngine(t), newEngine(t)
			hooked.remember("there is a store", "x", 0.1)
			read.remember("there is a store", "x", 0.1)
			r := newRecord(t)
			hooked.start("s")
			read.startWith("s", r)
			for i, call := range callsOf(c.kinds, c.calls, c.failures, c.chars) {
				input := asJSON(t, call.input)
				_, err := hooked.RecordTool(hooked.ctx, api.ToolUse{Session: "s", Failed: call.failed, Tool: call.tool,
					Input: input, Response: asJSON(t, call.response)})
				require.NoError(t, err)
				r.write(fmt.Sprintf(`{"type":"assistant","uuid":"a%d","message":{"id":"m%d","role":"assistant",`+
					`"content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}],"usage":{"output_tokens":%d}}}`,
					i, i, i, call.tool, input, len(input)*2/7+20+c.prose))
				r.write(fmt.Sprintf(`{"type":"user","uuid":"u%d","message":{"role":"user","content":[{`+
					`"type":"tool_result","tool_use_id":"t%d","content":%s,"is_error":%t}]}}`,
					i, i, asJSON(t, call.result), call.failed))
			}
			if c.compacted {
				require.NoError(t, compacted(hooked.ctx, hooked, "s"))
				r.compact()
			}
			a, b := hooked.store("by hooks", "s"), read.store("by the transcript", "s")
			require.Equal(t, memory.SourceHooks, a.Work.Source)
			require.Equal(t, memory.SourceTranscript, b.Work.Source)
			require.Equal(t, b.Work.Retries, a.Work.Retries)
			t.Logf("hooks %.2f (%d tokens), transcript %.2f (%d tokens)", a.Difficulty, a.Work.Tokens, b.Difficulty,
				b.Work.Tokens)
			require.LessOrEqual(t, math.Abs(a.Difficulty-b.Difficulty), 0.05)
		})
	}
}

// TestToldOutright has a person say something beside a running session: no work shows
// how hard that was, and the session's work stays its own.
func TestToldOutright(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	f.start("s")
	f.tools("s", 0, 4, 0)
	told, err := f.Remember(f.ctx, api.Draft{Topic: "told", Content: "Deploy on Mondays.", Told: true})
	require.NoError(t, err)
	require.InDelta(t, 0.5, told.Difficulty, 1e-9)
	d, err := f.Peek(f.ctx, string(told.ID))
	require.NoError(t, err)
	require.Nil(t, d.Work)
	given := 0.9
	said, err := f.Remember(f.ctx, api.Draft{Topic: "said", Content: "How hard it was.", Told: true,
		Difficulty: &given})
	require.NoError(t, err)
	require.InDelta(t, 0.9, said.Difficulty, 1e-9, "unless said otherwise")
	require.Equal(t, 4, f.store("judged", "s").Work.Failures)
}
