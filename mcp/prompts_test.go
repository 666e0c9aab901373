package mcp_test

import (
	"context"
	"regexp"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"ltm/mcp"
)

func TestPromptsNameListedTools(t *testing.T) {
	var names []string
	tools, _ := listed(t)
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	p := meet(t, &fake{}, "test", mcp.Options{Packets: packets{&fake{}}})
	list, err := p.ListPrompts(context.Background(), mcpgo.ListPromptsRequest{})
	require.NoError(t, err)
	var found []string
	for _, prompt := range list.Prompts {
		found = append(found, prompt.Name)
		require.NotEmpty(t, prompt.Title)
		require.NotEmpty(t, prompt.Description)
		require.Len(t, prompt.Arguments, 1)
		argument := prompt.Arguments[0].Name
		require.False(t, prompt.Arguments[0].Required)
		var q mcpgo.GetPromptRequest
		q.Params.Name, q.Params.Arguments = prompt.Name, map[string]string{argument: "the pool is small"}
		got, err := p.GetPrompt(context.Background(), q)
		require.NoError(t, err)
		require.Len(t, got.Messages, 1)
		require.Equal(t, mcpgo.RoleUser, got.Messages[0].Role)
		text, ok := mcpgo.AsTextContent(got.Messages[0].Content)
		require.True(t, ok)
		require.Contains(t, text.Text, "\n\n<"+argument+">\nthe pool is small\n</"+argument+">")
		for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(text.Text, -1) {
			require.Contains(t, names, m[1])
		}
	}
	require.Equal(t, []string{"handoff", "recall", "remember"}, found)
}

// TestPromptsAreForOtherClients than the one that has the plugin's commands.
func TestPromptsAreForOtherClients(t *testing.T) {
	p := meet(t, &fake{}, "claude-code", mcp.Options{})
	list, err := p.ListPrompts(context.Background(), mcpgo.ListPromptsRequest{})
	require.NoError(t, err)
	require.Empty(t, list.Prompts)

	var q mcpgo.GetPromptRequest
	q.Params.Name = "recall"
	_, err = p.GetPrompt(context.Background(), q)
	require.ErrorContains(t, err, "not found")
}
