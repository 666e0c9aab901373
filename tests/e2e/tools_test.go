//go:build e2e

package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
)

// alwaysLoaded are the tools that every session has at hand.
func alwaysLoaded() []string { return []string{"store_memory", "recall", "get_memory"} }

func TestToolsAtHand(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		first := p.claude("hello").first()
		var got []string
		for _, name := range first.toolNames() {
			if bare, ours := strings.CutPrefix(name, "mcp__plugin_ltm_ltm__"); ours {
				got = append(got, bare)
			}
		}
		want := golden.FindSurface(t).ToolNames(t, "")
		if first.fullName("ToolSearch") == "ToolSearch" {
			// This client defers tools: it gives only the names of the others.
			for _, name := range want {
				if !slices.Contains(alwaysLoaded(), name) {
					require.Contains(t, first.seen(), "mcp__plugin_ltm_ltm__"+name)
				}
			}
			want = alwaysLoaded()
		}
		require.ElementsMatch(t, want, got)
		require.Contains(t, first.seen(), "plugin:ltm:ltm", "the server's instructions")
	})
}

func TestEveryToolRuns(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		id := p.claude("keep that", tool("store_memory", pool)).ok(0)["id"]
		s := p.claude("look",
			tool("list_memories", input{}), tool("ltm_status", input{}), tool("ltm_check", input{}),
			tool("ltm_fix", input{"dry_run": true}), tool("recall",
				input{"query": "pool", "include": "archives", "limit": 1000}),
			tool("get_memory", input{"id": id}), tool("get_memory", input{"memory_id": id}),
			tool("update_memory", input{"id": id, "append": "## Later\n\nStill 20.", "add_tags": []string{"later"},
				"importance": "important"}),
			tool("get_memory", input{"ids": []any{id, "mem_0000ffff"}}),
			tool("get_memory", input{"id": id, "archived": true}), tool("new_topic", input{}))
		require.EqualValues(t, 1, s.ok(0)["total"])
		require.EqualValues(t, 1, s.ok(1)["total_memories"])
		require.Equal(t, true, s.ok(2)["ok"])
		require.Equal(t, true, s.ok(3)["dry_run"])
		require.EqualValues(t, 0, s.ok(4)["total"])
		require.Equal(t, s.ok(5)["content"], s.ok(6)["content"])
		require.Equal(t, "important", s.ok(7)["importance"])
		require.Len(t, s.ok(8)["memories"], 1)
		require.Len(t, s.ok(8)["missing"], 1)
		require.Equal(t, s.ok(5)["content"], s.ok(9)["content"], "the text before the update")
		require.Contains(t, s.ok(1)["session"], "work")
		require.Contains(t, s.ok(10)["message"], "tool calls")
	})
}

func TestBadInputSaysWhatIsAllowed(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		s := p.claude("keep that",
			tool("store_memory", input{"topic": "", "content": "x"}),
			tool("store_memory", input{"topic": "x", "content": "x", "difficulty": 1.5}),
			tool("store_memory", input{"topic": "x", "content": "x", "difficulty": "high"}),
			tool("store_memory", input{"topic": "x", "content": "x", "tags": []string{"importance:huge"}}),
			tool("store_memory",
				input{"topic": "Key",
					"content": "-----BEGIN RSA PRIVATE " +
						"KEY-----\nMIIEowIBAAKCAQEA7v3KqzX9bT2hWmYp0sDfR4uLc8NjGe1iOaVx5kQwZrBnHtEy\n-----END RSA " +
						"PRIVATE KEY-----"}),
			tool("get_memory", input{"id": "../../x"}),
			tool("get_memory", input{"id": "mem_ffffffff"}),
			tool("recall", input{"query": "x", "limit": "many"}))
		require.Contains(t, s.failed(0), "topic")
		require.Regexp(t, "0.*1", s.failed(1))
		require.Regexp(t, "difficulty", s.failed(2))
		require.Contains(t, s.failed(3), "critical")
		require.Contains(t, s.failed(4), "redact")
		require.Contains(t, s.failed(5), "mem_")
		require.Contains(t, s.failed(6), "mem_ffffffff")
		require.Contains(t, s.failed(7), "limit")
		require.Empty(t, p.memories())
	})
}

func TestServerRegisteredByHand(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.plugin = ""
		p.write("ltm.mcp.json", `{"mcpServers":{"ltm":{"command":"`+repository(t)+`/bin/ltm","args":["mcp"]}}}`)
		s := p.session(p.dir, append(p.begin("keep that"), "--mcp-config", "ltm.mcp.json"),
			[]step{tool("store_memory", pool)})
		require.Equal(t, "mcp__ltm__store_memory", s.first().fullName("store_memory"))
		s.ok(0)
		require.Len(t, p.memories(), 1)
	})
}
