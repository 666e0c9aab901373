//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAPromptBringsUpWhatTheBlockOnlyNames goes from a session's start to the text in the model's context.
func TestAPromptBringsUpWhatTheBlockOnlyNames(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		p.ltm("remember", "Release freeze", "Nothing is merged in the week before a release.", "--importance",
			"critical")
		p.write(".claude/ltm/config.json", `{"version":1,"config":{"memories_to_load":1}}`)
		const line = "Connection pool exhausted under load: "

		start := p.claude("good morning, what can you do?").first().conversation()
		require.Contains(t, start, "Nothing is merged in the week before")
		require.Contains(t, start, "Connection pool exhausted under load\n", "its title")
		require.NotContains(t, start, line)
		require.NotContains(t, p.claude("run the tests again and commit").first().conversation(), line)

		const question = "why is the connection pool exhausted under load?"
		require.Contains(t, p.claude(question).first().conversation(), line)
		require.Equal(t, 1, strings.Count(p.resume("so the connection pool is exhausted under load, again?").first().
			conversation(), line), "a resumed session has the context that it had")

		p.resume("/compact keep the facts")
		require.Contains(t, p.resume(question).first().conversation(), line, "the compaction took it away")

		p.write(".claude/ltm/config.json", `{"version":1,"config":{"memories_to_load":0,"prompt_recall":"off"}}`)
		require.Empty(t, contextBlock(t, p.claude(question).first()))
	})
}
