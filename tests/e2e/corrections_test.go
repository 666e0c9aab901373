//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// listed returns the ids of the memories in a tool's answer.
func listed(answer map[string]any) []string {
	ids := []string{}
	for _, one := range answer["memories"].([]any) {
		ids = append(ids, fmt.Sprint(one.(map[string]any)["id"]))
	}
	return ids
}

func TestCorrectedMemoryIsOnlyInTheArchives(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		before := fmt.Sprint(p.claude("keep that", tool("store_memory", pool)).ok(0)["id"])
		correct := p.claude("it has changed", tool("store_memory", input{"topic": "Pool is unlimited",
			"content": "Since v2, the pool has no cap; db/pool.go has no such setting.", "supersedes": before}))
		require.Contains(t, contextBlock(t, correct.first()), before)
		receipt := correct.ok(0)
		after := fmt.Sprint(receipt["id"])
		require.Contains(t, receipt["message"], before)

		question := "which cap has the pool in db/pool.go?"
		s := p.claude("go on",
			tool("recall", input{"query": question}),
			tool("recall", input{"query": question, "include": "archives"}),
			tool("recall", input{"query": question, "include": "all"}),
			tool("get_memory", input{"id": before, "archived": true}),
			tool("get_memory", input{"id": before}),
			tool("get_memory", input{"id": after}))
		block := contextBlock(t, s.first())
		require.Contains(t, block, "the pool has no cap")
		require.NotContains(t, block, before)
		require.NotContains(t, block, "capped at 5")

		require.Equal(t, []string{after}, listed(s.ok(0)))
		require.Equal(t, []string{before}, listed(s.ok(1)))
		require.ElementsMatch(t, []string{after, before}, listed(s.ok(2)))
		archived := s.ok(3)
		require.Contains(t, archived["content"], "Raising it to 20")
		require.Equal(t, []any{after}, archived["superseded_by"])
		require.Contains(t, s.failed(4), "superseded by "+after)
		require.Equal(t, []any{before}, s.ok(5)["supersedes"])
	})
}

func TestUnsureMemoryIsMarked(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		stored := p.claude("keep that",
			tool("store_memory", pool),
			tool("store_memory", input{"topic": "Timeouts come from the proxy", "confidence": 0.5,
				"content": "The proxy may cut off uploads.\n\nSeen in its log, once."}),
			tool("store_memory", input{"topic": "A leak in the driver", "confidence": 0.2,
				"content": "The driver may leak handles.\n\nNobody has measured it."}))
		block := contextBlock(t, p.claude("go on").first())
		unsure, guess := fmt.Sprint(stored.ok(1)["id"]), fmt.Sprint(stored.ok(2)["id"])
		require.Regexp(t, `(?m)^## `+fmt.Sprint(stored.ok(0)["id"])+` · [0-9-]+\n> # .* \[database, postgres\]$`, block)
		require.Regexp(t, `(?m)^## `+unsure+` · [0-9-]+ · unsure\n> # Timeouts come from the proxy`, block)
		require.Contains(t, block, "Seen in its log, once.")
		require.Regexp(t, `(?m)^.*`+guess+`.*\(unsure\) > A leak in the driver$`, block)
		require.NotContains(t, block, "measured it")
	})
}

// The command's permissions are enough for what it says, and those of /ltm:ltm for looking at it.
func TestCommandCorrect(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.asks = true
		stored := p.claude("/ltm:remember both", tool("store_memory", pool),
			tool("store_memory", input{"topic": "Timeouts come from the proxy", "content": "It cuts off uploads."}))
		old, other := stored.ok(0)["id"], fmt.Sprint(stored.ok(1)["id"])
		words := fmt.Sprintf("%s the pool has no cap since v2", old)
		s := p.claude("/ltm:correct "+words, tool("get_memory", input{"id": old}),
			tool("store_memory", input{"topic": "Pool is unlimited", "content": "Since v2.", "supersedes": []any{old}}),
			tool("update_memory", input{"id": other, "append": "Or not."}))
		expanded(t, s, words, "`supersedes`", "`disputes`")
		after := fmt.Sprint(s.ok(1)["id"])
		s.ok(2)
		p.claude("/ltm:correct those two", tool("update_memory", input{"id": after, "disputes": other})).ok(0)

		next := p.ltm("context")
		look := p.claude("/ltm:ltm stats", bash("ltm stats"), bash("ltm context"))
		require.True(t, strings.HasPrefix(next, contextBlock(t, look.first())+"\n"), next)
		require.NotContains(t, next, old)
		require.Regexp(t, `(?m)^## `+other+` · .*in dispute with `+after, next)
		require.Regexp(t, `(?m)^## `+after+` · .*in dispute with `+other, next)
		for call, want := range []string{"superseded", "Pool is unlimited"} {
			shown, failed := look.result(call)
			require.False(t, failed, shown)
			require.Contains(t, shown, want)
		}
	})
}
