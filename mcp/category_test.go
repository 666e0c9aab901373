package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

func TestKindsReachTheEngineInOneForm(t *testing.T) {
	asked, refusal := ask(t, "store_memory", map[string]any{"topic": "t", "content": "c", "kind": "ACHV",
		"confidence": "0.5", "importance": "HIGH"})
	require.Empty(t, refusal)
	d, ok := asked[0].(api.Draft)
	require.True(t, ok)
	require.Equal(t, memory.Achievements, d.Category)
	require.Equal(t, 0.5, *d.Confidence)
	require.Equal(t, memory.Important, d.Importance)

	asked, refusal = ask(t, "recall", map[string]any{"query": "q", "kind": "learnings"})
	require.Empty(t, refusal)
	q, ok := asked[0].(api.Query)
	require.True(t, ok)
	require.Equal(t, memory.Learnings, q.Category)

	asked, refusal = ask(t, "list_memories", map[string]any{"kind": "learnings", "importance": "MEDIUM"})
	require.Empty(t, refusal)
	f, ok := asked[0].(api.ListFilter)
	require.True(t, ok)
	require.Equal(t, memory.Learnings, f.Category)
	require.Equal(t, memory.Normal, f.Importance)
}
