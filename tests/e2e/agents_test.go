//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMemoriesOfAnAgent has an agent of the project's own, as the main session and as a subagent.
func TestMemoriesOfAnAgent(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		const file = "---\nname: reviewer\ndescription: Reviews changes\n---\nYou review.\n"
		p.write(".claude/agents/reviewer.md", file)
		own := input{"topic": "Order of a review", "content": "Read the tests of the shop first.", "agent": "reviewer"}
		p.claude("keep that", tool("store_memory", pool), tool("store_memory", own))

		plain := p.claude("hello", tool("recall", input{"query": "order of a review of the shop"}))
		require.NotContains(t, plain.last().seen(), "Order of a review")

		session := p.session(p.dir, append(p.begin("hello"), "--agent", "reviewer"),
			[]step{tool("recall", input{"query": "tests of the shop"})})
		block := contextBlock(t, session.first())
		require.Contains(t, block, "Order of a review")
		require.Contains(t, block, "Connection pool exhausted under load")
		found, isError := session.result(0)
		require.False(t, isError)
		require.Contains(t, found, "Order of a review", "the server knows the agent of the session")

		call := input{"description": "review", "prompt": "review it", "subagent_type": "reviewer",
			"run_in_background": false}
		s := p.claude("review", tool("Agent", call), text("reviewed"), text("end"))
		at := slices.IndexFunc(s.requests, func(r *request) bool { return strings.Contains(r.seen(), "You review.") })
		require.Positive(t, at)
		block = contextBlock(t, s.requests[at])
		require.Contains(t, block, "Order of a review")
		require.NotContains(t, block, "Connection pool exhausted under load")
		for _, r := range s.requests[:at] {
			require.NotContains(t, contextBlock(t, r), "Order of a review")
		}
		require.Equal(t, file, p.read(".claude/agents/reviewer.md"))
	})
}

// An agent's memory of the person's own is in every project, for that agent alone.
func TestOwnMemoriesOfAnAgent(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		own := input{"topic": "Order of a review", "content": "Read the tests first.", "agent": "reviewer",
			"scope": "user"}
		p.ltm("trust", "--user", fmt.Sprint(p.claude("keep that", tool("store_memory", own)).ok(0)["id"]))

		other := p.elsewhere("office")
		other.write(".claude/agents/reviewer.md",
			"---\nname: reviewer\ndescription: Reviews changes\n---\nYou review.\n")
		other.ltm("remember", "The office", "It has a store, which knows the agents of sessions.")
		call := input{"description": "review", "prompt": "review it", "subagent_type": "reviewer",
			"run_in_background": false}
		s := other.claude("review", tool("Agent", call), text("reviewed"), text("end"))
		require.NotContains(t, s.first().conversation(), "Read the tests first.")
		at := slices.IndexFunc(s.requests, func(r *request) bool { return strings.Contains(r.seen(), "You review.") })
		require.Positive(t, at)
		require.Contains(t, contextBlock(t, s.requests[at]), "> Read the tests first.")

		s = other.session(other.dir, append(other.begin("hello"), "--agent", "reviewer"),
			[]step{tool("recall", input{"query": "order of a review"})})
		require.Contains(t, contextBlock(t, s.first()), "> Read the tests first.")
		require.Len(t, s.ok(0)["memories"], 1)

		s = p.claude("hello", tool("recall", input{"query": "order of a review", "agent": "reviewer"}))
		require.NotContains(t, contextBlock(t, s.first()), "Read the tests first.")
		require.Len(t, s.ok(0)["memories"], 1, "in a project without a store")
	})
}
