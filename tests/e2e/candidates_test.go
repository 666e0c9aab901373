//go:build e2e

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// candidate is what "ltm review --json" and the tool say of one.
type candidate struct{ ID, Topic, Text, Why string }

// candidates returns what is proposed to be remembered.
func (p *project) candidates() []candidate {
	p.t.Helper()
	var r struct{ Candidates []candidate }
	require.NoError(p.t, json.Unmarshal([]byte(p.ltm("review", "--json")), &r))
	return r.Candidates
}

// TestWhatASessionLearned has a check that fails, is explained, repaired and passes, and a rule of the person. The next
// session is told that both are proposed, and stores one once the person said yes; a terminal takes the other.
func TestWhatASessionLearned(t *testing.T) {
	const why = "The check failed because db/limits.txt overrides the pool's size, and it still has 5 connections."
	forEachVersion(t, func(t *testing.T, p *project) {
		p.begun()
		p.write("check.sh", "grep -q 20 db/limits.txt\n")
		p.write("db/limits.txt", "max_conns 5\n")
		p.commit("a check")
		p.claude("The pool is too small, please fix it. Always run sh check.sh before a commit.",
			bash("sh check.sh"), bash("sh check.sh"), tool("Read", input{"file_path": p.path("db/limits.txt")}),
			together(text(why), tool("Edit", input{"file_path": p.path("db/limits.txt"), "old_string": "5",
				"new_string": "20"})),
			bash("sh check.sh"), text("All checks pass now."))
		before := len(p.memories())
		proposed := p.candidates()
		require.Len(t, proposed, 2)
		rule, cause := proposed[0], proposed[1]
		require.Equal(t, "Always run sh check.sh before a commit.", rule.Text)
		require.Equal(t, why, cause.Topic)

		block := contextBlock(t, p.claude("hello").first())
		require.Equal(t, 1, strings.Count(block, "Earlier sessions left 2 candidates for memories to review"), block)
		require.Contains(t, block, "review_candidates lists them")
		require.NotContains(t, block, "limits.txt", "nothing is stored by itself")
		require.Len(t, p.memories(), before)

		s := p.claude("Show me what is left to remember.", tool("review_candidates", input{}), text("Two: accept?"))
		require.Len(t, s.ok(0)["candidates"], 2)
		s = p.resume("Yes, accept the one about the check.", tool("review_candidates", input{"accept": cause.ID}))
		stored, _ := s.ok(0)["stored"].([]any)
		require.Len(t, stored, 1)
		receipt, _ := stored[0].(map[string]any)
		id, _ := receipt["id"].(string)
		require.Len(t, p.memories(), before+1)
		require.Contains(t, p.ltm("show", id), "db/limits.txt")
		require.Contains(t, p.ltm("why", id), "5 tool calls (2 failed", "it is as hard as that session was")

		s = p.claude("Why did the check fail?", tool("recall", input{"query": "why did the check of the pool fail"}))
		found, _ := s.result(0)
		require.Contains(t, found, id)
		require.Contains(t, contextBlock(t, s.first()), "left 1 candidate for a memory to review")

		require.Contains(t, p.ltm("review", "--accept", rule.ID), "stored mem_")
		require.Empty(t, p.candidates())
		block = contextBlock(t, p.claude("hello").first())
		require.NotContains(t, block, "to review")
		require.Contains(t, block, "Always run sh check.sh before a commit.")
	})
}
