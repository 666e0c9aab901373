package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// TestTextAndStructureSayTheSame looks at every answer of the recorded session: whatever its structured content says,
// its text says, or the JSON at its end, because some clients show a model only the text.
func TestTextAndStructureSayTheSame(t *testing.T) {
	data, err := os.ReadFile("testdata/tools.jsonl")
	require.NoError(t, err)
	seen := 0
	for line := range strings.Lines(string(data)) {
		var m struct {
			Result struct {
				Content           []struct{ Text string }
				StructuredContent any
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		if m.Result.StructuredContent == nil {
			continue
		}
		seen++
		text, facts := split(t, m.Result.Content[0].Text)
		text = strings.Join(strings.Fields(strings.ReplaceAll(text, ">", " ")), " ")
		appended := leaves(facts, "")
		for path, value := range leaves(m.Result.StructuredContent, "") {
			if added, ok := appended[path]; ok {
				require.Equal(t, value, added, "%s in %s", path, line)
				continue
			}
			told := strings.Join(strings.Fields(strings.ReplaceAll(fmt.Sprint(value), ">", " ")), " ")
			require.Contains(t, text, told, "%s in %s", path, line)
		}
	}
	require.Greater(t, seen, 15)
}

// split returns the text of an answer, and the facts that are appended to it.
func split(t *testing.T, answer string) (text string, facts map[string]any) {
	t.Helper()
	at := strings.LastIndex(answer, "\n\n> {")
	if at < 0 {
		return answer, nil
	}
	require.NoError(t, json.Unmarshal([]byte(answer[at+len("\n\n> "):]), &facts))
	return answer[:at], facts
}

// goats has a memory whose words are the values of its fields, and one more.
type goats struct{ *fake }

func (goats) Recall(context.Context, api.Query) (api.Recall, error) {
	h := api.Hit{ID: "mem_1a2b3c4d", Topic: "Going to use a goat", Summary: "At 0.5 and 2.", Priority: 0.5, Phase: 2,
		Tags: []string{"go", "retries", "zzz"}, Score: 0.9}
	h.Agent, h.Alias = "goat", "use"
	return api.Recall{Memories: []api.Hit{h}, Total: 1}, nil
}

func (goats) Get(context.Context, string) (api.Detail, error) {
	return api.Detail{ID: "mem_1a2b3c4d", Topic: "Going to use a goat", Tags: []string{"go", "zzz"},
		Content: "Signed by goat.", Signer: "goat", Related: []memory.ID{"mem_5e6f7a8b"}}, nil
}

// TestWordsOfAMemoryAreNoFacts: that a value stands in a memory's own words says nothing of the field.
func TestWordsOfAMemoryAreNoFacts(t *testing.T) {
	got := serve(t, goats{&fake{}}, toolCall(1, "recall", `{"query":"goat"}`),
		toolCall(2, "get_memory", `{"id":"mem_1a2b3c4d"}`))
	answer, _ := text(t, got["1"])
	_, facts := split(t, answer)
	require.Equal(t, map[string]any{"memories": []any{map[string]any{"id": "mem_1a2b3c4d", "priority": 0.5,
		"phase": 2.0, "tags": []any{"go", "retries", "zzz"}, "agent": "goat", "alias": "use"}}}, facts)
	answer, _ = text(t, got["2"])
	_, facts = split(t, answer)
	require.Equal(t, map[string]any{"signer": "goat", "related": []any{"mem_5e6f7a8b"}}, facts)
}

// leaves returns the plain values of an answer by their path, without those that say nothing or help no model.
func leaves(v any, path string) map[string]any {
	all := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if key == "success" || key == "message" || key == "config" || strings.HasSuffix(key, "_path") {
				continue
			}
			for at, leaf := range leaves(value, path+"."+key) {
				all[at] = leaf
			}
		}
	case []any:
		for i, value := range v {
			at := fmt.Sprintf("%s[%d]", path, i)
			if of, ok := value.(map[string]any); ok && of["id"] != nil {
				at = fmt.Sprintf("%s[%s]", path, of["id"])
			}
			for at, leaf := range leaves(value, at) {
				all[at] = leaf
			}
		}
	case nil:
	case bool:
		if v {
			all[path] = true
		}
	default:
		if fmt.Sprint(v) != "0" {
			all[path] = v
		}
	}
	return all
}
