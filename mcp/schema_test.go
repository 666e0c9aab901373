package mcp_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type schema struct {
	Name        string
	InputSchema struct {
		Properties map[string]struct{ Type, Description string }
		Required   []string
	}
	Meta map[string]any `json:"_meta"`
}

// listed returns the listed tools, and the bytes of each.
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

// TestEveryParameterIsDescribed looks at what clients are told, and compares it with
// what each tool takes.
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
		for _, name := range tool.InputSchema.Required {
			require.Contains(t, tool.InputSchema.Properties, name, tool.Name)
		}
		refusal, failed := text(t, serve(t, &fake{}, toolCall(1, tool.Name, `{"no such":1}`))["1"])
		require.True(t, failed)
		_, takes, _ := strings.Cut(strings.TrimSuffix(refusal, "; nothing was changed"), "allowed: ")
		var known []string
		if takes != "" {
			known = slices.Sorted(slices.Values(strings.Split(takes, ", ")))
		}
		require.Equal(t, known, slices.Sorted(maps.Keys(tool.InputSchema.Properties)), tool.Name)
	}
	require.Less(t, always, 4<<10, "bytes of the tools that are always loaded")
}

// TestOldNamesAreUnderstood calls tools by names that are not listed any more.
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
