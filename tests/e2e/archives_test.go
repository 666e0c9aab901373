//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A forgotten memory is mentioned, found and restored through the client.
func TestArchivesAreFoundAndRestored(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		id := p.claude("keep that", tool("store_memory", pool)).ok(0)["id"]
		question := "pool timeouts"
		s := p.claude("forget it, then look for it",
			tool("forget", input{"id": id}),
			tool("recall", input{"query": question}),
			tool("recall", input{"query": question, "include": "archives"}),
			tool("list_memories", input{"include": "archives"}),
			tool("restore_memory", input{"id": id, "importance": "important"}),
			tool("recall", input{"query": question, "include": "all"}))
		miss := s.ok(1)
		require.Empty(t, miss["memories"])
		require.EqualValues(t, 1, miss["archived_matches"])
		require.Contains(t, miss["note"], "include archives")

		found := s.ok(2)
		require.EqualValues(t, 1, found["total"])
		require.Contains(t, found["note"], "restore_memory")
		hit := found["memories"].([]any)[0].(map[string]any)
		require.Equal(t, id, hit["id"])
		require.Equal(t, true, hit["archived"])
		entry := s.ok(3)["memories"].([]any)[0].(map[string]any)
		require.Equal(t, "forgotten", entry["archived_reason"])
		require.NotEmpty(t, entry["archived_at"])

		require.Equal(t, "important", s.ok(4)["importance"])
		all := s.ok(5)
		require.EqualValues(t, 1, all["total"], "active and archived, but one memory")
		require.NotContains(t, all["memories"].([]any)[0], "archived")
		require.Len(t, p.memories(), 1)
	})
}

func TestCommandRecallInTheArchives(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.asks = true
		id := p.claude("/ltm:remember that", tool("store_memory", pool)).ok(0)["id"]
		p.claude(fmt.Sprintf("/ltm:forget %s", id), tool("forget", input{"id": id})).ok(0)
		s := p.claude("/ltm:recall --archives pool timeouts",
			tool("recall", input{"query": "pool timeouts", "include": "archives"}))
		expanded(t, s, "--archives pool timeouts", "`include`", "`archived_matches`")
		require.EqualValues(t, 1, s.ok(0)["total"])
	})
}
