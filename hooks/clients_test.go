package hooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/clients"
	"ltm/hooks"
	"ltm/memory"
)

// The sessions of the recorded payloads.
const (
	codexSession   = "01a20662-47d1-7ae3-b97a-f63f78cc6248"
	compacted      = "01a20663-4b6a-7780-bee9-774d582f573e"
	camelSession   = "894a7b87-184a-435d-8717-dae7438da643"
	pascalSession  = "509521be-e489-4a24-ac8a-17f3b18519fe"
	geminiSession  = "86d68f17-2d6c-4bf1-a8bd-607101c846b5"
	geminiFailures = "349919a9-8218-4c41-b7f7-3b73d873b699"
	qwenSession    = "3e6af16c-aabd-4c40-9025-af94a19efdbc"
	qwenStored     = "92c3cf11-fd28-4e12-9b03-c3e4bfae5479"
)

// recorded returns what the engine is asked for each recorded payload, whose file names begin with the client and its
// event.
func recorded() map[string]string {
	return map[string]string{
		"codex-SessionStart":         "start " + codexSession + " startup",
		"codex-SessionStart.compact": "start " + compacted + " compact",
		"codex-SessionStart.resume":  "start " + compacted + " resume",
		"codex-UserPromptSubmit":     "prompt " + codexSession + " hello trusted",
		"codex-PostToolUse":          "tool " + codexSession + " failed=false long=false response=2",
		"codex-PreCompact":           "compacted " + compacted + " true",
		"codex-PostCompact":          "leave " + compacted + " false ",
		"codex-SessionEnd":           "leave " + codexSession + " true ; end " + codexSession,

		"copilot-sessionStart":        "start " + camelSession + " startup",
		"copilot-sessionStart.resume": "start 0960ff05-6756-4d1d-9be8-0aab642ec7e0 resume",
		"copilot-userPromptSubmitted": "prompt " + camelSession + " please remember the retry budget",
		"copilot-postToolUse":         "tool " + camelSession + " failed=false long=false response=257",
		"copilot-postToolUseFailure":  "tool " + pascalSession + " failed=true long=false response=21",
		"copilot-preCompact":          "compacted c980ccce-28af-4dd9-bda4-03445b08ae1b true",
		"copilot-sessionEnd":          "leave " + camelSession + " true ; end " + camelSession,

		"copilot-pascal-SessionStart":       "start " + pascalSession + " startup",
		"copilot-pascal-UserPromptSubmit":   "prompt " + pascalSession + " try failures",
		"copilot-pascal-PostToolUse":        "tool " + pascalSession + " failed=false long=false response=101",
		"copilot-pascal-PostToolUseFailure": "tool " + pascalSession + " failed=true long=false response=21",
		"copilot-pascal-SessionEnd":         "leave " + pascalSession + " true ; end " + pascalSession,

		"gemini-SessionStart":       "start " + geminiSession + " startup",
		"gemini-BeforeAgent":        "prompt " + geminiSession + " please remember the retry budget",
		"gemini-AfterTool":          "tool " + geminiSession + " failed=false long=false response=215",
		"gemini-AfterTool.failed":   "tool " + geminiFailures + " failed=true long=false response=240",
		"gemini-AfterTool.mcperror": "tool " + geminiFailures + " failed=true long=false response=853",
		"gemini-SessionEnd":         "leave " + geminiSession + " true ; end " + geminiSession,

		"qwen-SessionStart":       "start " + qwenSession + " startup",
		"qwen-UserPromptSubmit":   "prompt " + qwenSession + " please remember the retry budget",
		"qwen-UserPromptSubmit-2": "prompt " + qwenSession + " ",
		"qwen-PostToolUse":        "tool " + qwenStored + " failed=false long=false response=478",
		"qwen-PostToolUseFailure": "tool " + qwenSession + " failed=true long=false response=126",
	}
}

// environment is what the hooks of a client have.
func environment(client string) func(string) string {
	return func(name string) string {
		c, _ := clients.Named(client)
		if name == c.Variable {
			return "1"
		}
		return ""
	}
}

// TestPayloadsOfClients reads each recorded payload in all ways: with the client named or not, with the event named, or
// with neither.
func TestPayloadsOfClients(t *testing.T) {
	want := recorded()
	files, err := filepath.Glob(filepath.Join("..", "clients", "testdata", "payloads", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, len(want))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			client, event, _ := strings.Cut(name, "-")
			event = strings.TrimSuffix(strings.TrimPrefix(event, "pascal-"), "-2")
			event, _, _ = strings.Cut(event, ".")
			as, err := hooks.ParseEvent(event)
			require.NoError(t, err)
			for _, named := range []string{client, ""} {
				call, err := hooks.Read(bytes.NewReader(data), as, named, environment(client))
				require.NoError(t, err)
				require.Equal(t, client, call.Client.Name)
				var r recorder
				require.NoError(t, call.Run(context.Background(), &r, &bytes.Buffer{}))
				require.Equal(t, strings.Split(want[name], "; "), r.calls)
			}
			bare, err := hooks.Read(bytes.NewReader(data), "", "", environment(client))
			if client == "copilot" && !strings.HasPrefix(name, "copilot-pascal") {
				require.Equal(t, memory.KindEventUnknown, memory.KindOf(err), "its payloads do not say the event")
				return
			}
			require.NoError(t, err)
			require.Equal(t, as, bare.Event)
		})
	}
}

// TestAClientThatAnotherOneStarted inherits its variables: the form of the payload counts more.
func TestAClientThatAnotherOneStarted(t *testing.T) {
	const claude = `{"session_id":"a","transcript_path":"/home/u/.claude/projects/-p/a.jsonl","source":"startup"}`
	codex := `{"session_id":"a","transcript_path":"/home/u/.codex/sessions/2026/11/23/rollout-x-a.jsonl"}`
	all := func(string) string { return "1" }
	for payload, want := range map[string]string{claude: "claude", codex: "codex", `{"session_id":"a"}`: "copilot",
		`{"sessionId":"a","hookEventName":"SessionStart"}`:                     "vscode",
		`{"conversation_id":"a","cursor_version":"2.0"}`:                       "cursor",
		`{"session_id":"a","transcript_path":"C:\\x\\chats\\session-1.jsonl"}`: "gemini",
	} {
		call, err := hooks.Read(strings.NewReader(payload), clients.SessionStart, "", all)
		require.NoError(t, err)
		require.Equal(t, want, call.Client.Name, payload)
	}
	call, err := hooks.Read(strings.NewReader(claude), clients.SessionStart, "gemini", all)
	require.NoError(t, err)
	require.Equal(t, "gemini", call.Client.Name, "a client that is named is believed")
	_, err = hooks.Read(strings.NewReader(claude), clients.SessionStart, "emacs", all)
	require.Equal(t, memory.KindClientUnknown, memory.KindOf(err))
}

// TestClaudeCodeIsTakenForItself reads its recorded payloads in an environment that has the variables of all clients.
func TestClaudeCodeIsTakenForItself(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "payloads", "*.json"))
	require.NoError(t, err)
	require.Greater(t, len(files), 10)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		call, err := hooks.Read(bytes.NewReader(data), "", "", func(string) string { return "1" })
		require.NoError(t, err, file)
		require.Equal(t, "claude", call.Client.Name, file)
	}
}

// TestContextForClients writes the form that each client reads, and nothing beside it.
func TestContextForClients(t *testing.T) {
	specific := func(event string) map[string]any {
		return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event,
			"additionalContext": "text"}}
	}
	top := map[string]any{"additionalContext": "text"}
	for client, want := range map[string]map[string]any{
		"claude": specific("UserPromptSubmit"), "codex": specific("UserPromptSubmit"),
		"gemini": specific("BeforeAgent"),
		"qwen":   specific("UserPromptSubmit"), "copilot": top, "opencode": top, "kilo": top,
		"cursor": {"additional_context": "text"}, "vscode": specific("UserPromptSubmit"),
	} {
		call, err := hooks.Read(strings.NewReader(`{}`), clients.UserPromptSubmit, client, environment(""))
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, call.Run(context.Background(), &recorder{context: "text"}, &out))
		var got map[string]any
		require.NoError(t, json.Unmarshal(out.Bytes(), &got))
		require.Equal(t, want, got, client)

		out.Reset()
		call.Event = clients.PreCompact
		require.NoError(t, call.Run(context.Background(), &recorder{context: "text"}, &out))
		require.Equal(t, client == "claude", out.Len() > 0, "%s: %q", client, &out)
	}
}

// TestAContextFitsTheClient: Codex would cut a longer one in its middle, and loses the end of the block.
func TestAContextFitsTheClient(t *testing.T) {
	block := "<ltm-memory>\n" + strings.Repeat("> 記憶\n", 2000) + "</ltm-memory>"
	codex, _ := clients.Named("codex")
	data, err := codex.Context(clients.SessionStart, block)
	require.NoError(t, err)
	var v map[string]map[string]string
	require.NoError(t, json.Unmarshal(data, &v))
	text := v["hookSpecificOutput"]["additionalContext"]
	require.LessOrEqual(t, len(text), codex.MaxContext)
	require.Greater(t, len(text), codex.MaxContext-100)
	const end = "(more did not fit; recall finds it)\n</ltm-memory>"
	kept, ended := strings.CutSuffix(text, end)
	require.True(t, ended, text[9000:])
	require.True(t, strings.HasSuffix(kept, "> 記憶\n"))
	require.True(t, strings.HasPrefix(block, kept))
}
