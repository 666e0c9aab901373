package mcp_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type schema struct {
	Name        string
	InputSchema struct {
		Properties map[string]struct{ Type, Description string }
	}
	Meta map[string]any `json:"_meta"`
}

// listed returns the listed tools and the size of each in bytes.
func listed(t *testing.T) (tools []schema, sizes []int) {
	t.Helper()
	raw := serve(t, &fake{}, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)["1"]
	var list struct{ Tools []json.RawMessage }
	require.NoError(t, json.Unmarshal(raw, &list))
	for _, raw := range list.Tools {
		var tool schema
		require.NoError(t, json.Unmarshal(raw, &tool))
		tools, sizes = append(tools, tool), append(sizes, len(raw))
	}
	require.NotEmpty(t, tools)
	return tools, sizes
}

// TestEveryParameterIsDescribed requires a type and a short description.
func TestEveryParameterIsDescribed(t *testing.T) {
	tools, sizes := listed(t)
	always := 0
	for i, tool := range tools {
		if tool.Meta["anthropic/alwaysLoad"] == true {
			always += sizes[i]
		}
		for name, p := range tool.InputSchema.Properties {
			require.NotEmpty(t, p.Type, "%s of %s", name, tool.Name)
			require.NotEmpty(t, p.Description, "%s of %s", name, tool.Name)
			require.LessOrEqual(t, len(p.Description), 100, "%s of %s", name, tool.Name)
		}
	}
	require.Less(t, always, 4<<10, "bytes of the tools that are always loaded")
}

// TestAnswersFitTheirSchemas compares answers with the output schemas of their tools.
func TestAnswersFitTheirSchemas(t *testing.T) {
	raw := serve(t, &fake{}, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)["1"]
	var list struct {
		Tools []struct {
			Name         string
			OutputSchema inputSchema
		}
	}
	require.NoError(t, json.Unmarshal(raw, &list))
	calls := map[string]string{"store_memory": `{"topic":"t","content":"c"}`, "recall": `{"query":"q"}`,
		"get_memory":    `{"id":"mem_1a2b3c4d"}`,
		"update_memory": `{"id":"i","topic":"t"}`, "forget": `{"id":"i"}`, "restore_memory": `{"id":"i"}`,
		"write_packet": `{"goal":"g","next_step":"n"}`}
	// What callers need of answers whose schema does not say it.
	needed := map[string][]string{
		"update_memory": {"success", "id", "message"}, "restore_memory": {"success", "id", "message"},
		"forget": {"success", "message"}, "list_memories": {"memories", "total", "has_more"},
		"ltm_status": {"total_memories", "health"}, "ltm_check": {"ok", "summary"},
		"ltm_fix": {"dry_run", "actions", "summary"}, "write_packet": {"success", "id", "path", "message"},
		"resume_packet": {"id", "text"}, "new_topic": {"difficulty"},
		"review_candidates": {"candidates"},
	}
	for _, tool := range list.Tools {
		arguments, ok := calls[tool.Name]
		if !ok {
			arguments = `{}`
		}
		var answer struct{ StructuredContent map[string]any }
		require.NoError(t, json.Unmarshal(serve(t, newShelf(), toolCall(1, tool.Name, arguments))["1"], &answer))
		require.NotEmpty(t, answer.StructuredContent, tool.Name)
		for _, name := range needed[tool.Name] {
			require.Contains(t, answer.StructuredContent, name, tool.Name)
		}
		for _, name := range tool.OutputSchema.Required {
			require.Contains(t, tool.OutputSchema.Properties, name, tool.Name)
			require.Contains(t, answer.StructuredContent, name, tool.Name)
		}
		for name, p := range tool.OutputSchema.Properties {
			if value, there := answer.StructuredContent[name]; there {
				require.Contains(t, jsonTypes(value), p.Type, "%s of %s", name, tool.Name)
			}
		}
	}
}

// jsonTypes returns the JSON schema types of a decoded value.
func jsonTypes(value any) []string {
	switch value := value.(type) {
	case bool:
		return []string{"boolean"}
	case string:
		return []string{"string"}
	case []any:
		return []string{"array"}
	case map[string]any:
		return []string{"object"}
	case float64:
		if value == math.Trunc(value) {
			return []string{"number", "integer"}
		}
		return []string{"number"}
	}
	return nil
}

// TestOldNamesAreUnderstood calls tools by names that are no longer listed.
func TestOldNamesAreUnderstood(t *testing.T) {
	tools, _ := listed(t)
	for old, arguments := range map[string]string{"search_archives": `{"query":"q"}`, "reset_session": `{}`} {
		require.False(t, slices.ContainsFunc(tools, func(s schema) bool { return s.Name == old }), old)
		e := &fake{}
		message, failed := text(t, serve(t, e, toolCall(1, old, arguments))["1"])
		require.False(t, failed, message)
		require.Len(t, e.asked, 1)
	}
}

// TestCommandsNameListedTools compares the commands of the plugin with the tools. Every
// tool that a command names is listed, and the command allows it, except for the repair,
// for which the client asks the person.
func TestCommandsNameListedTools(t *testing.T) {
	var names []string
	tools, _ := listed(t)
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	files, err := filepath.Glob("../commands/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		parts := strings.SplitN(string(data), "---\n", 3)
		require.Len(t, parts, 3, file)
		allowed := map[string]bool{}
		for _, m := range regexp.MustCompile(`mcp__(plugin_ltm_)?ltm__(\w+)`).FindAllStringSubmatch(parts[1], -1) {
			require.Contains(t, names, m[2], file)
			require.Contains(t, parts[1], "mcp__ltm__"+m[2], file)
			require.Contains(t, parts[1], "mcp__plugin_ltm_ltm__"+m[2], file)
			allowed[m[2]] = true
		}
		for _, m := range regexp.MustCompile("`(\\w+_\\w+|recall|forget)`").FindAllStringSubmatch(parts[2], -1) {
			if slices.Contains(names, m[1]) && m[1] != "ltm_fix" {
				require.True(t, allowed[m[1]], "%s names %s", file, m[1])
			}
			require.NotContains(t, []string{"search_archives", "reset_session"}, m[1], file)
		}
	}
	list, err := os.ReadFile("../commands/ltm.md")
	require.NoError(t, err)
	for _, flag := range []string{"`--tag X` is `tag`", "`--phase N` is\n  `phase`",
		"`--importance L` is `importance`", "Empty or `status`: call `ltm_status`"} {
		require.Contains(t, string(list), flag)
	}
}
