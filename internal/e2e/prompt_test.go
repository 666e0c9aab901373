//go:build e2e

package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPromptBringsUpWhatItMatches(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		p.write(".claude/ltm/config.json", `{"version":1,"config":{"memories_to_load":0}}`)

		require.Empty(t, contextBlock(t, p.claude("good morning, what can you do?").first()))
		require.Empty(t, contextBlock(t, p.claude("run the tests again and commit").first()))

		asked := p.claude("why is the connection pool exhausted under load?")
		require.Contains(t, contextBlock(t, asked.first()), "Connection pool exhausted under load")

		again := p.resume("so the connection pool is exhausted under load, again?")
		require.Contains(t, contextBlock(t, again.first()), "Connection pool exhausted under load",
			"a resumed session is a new one")

		p.write(".claude/ltm/config.json", `{"version":1,"config":{"memories_to_load":0,"prompt_recall":"off"}}`)
		require.Empty(t, contextBlock(t, p.claude("why is the connection pool exhausted under load?").first()))
	})
}
