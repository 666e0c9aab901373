//go:build e2e

package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAliasesAreAskedFor shows that the model reads what aliases are, and that a memory is found by them.
func TestAliasesAreAskedFor(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		s := p.claude("keep that", tool("store_memory", input{"topic": "Connection pool exhausted under load",
			"content": "Raise max_conns to 20.",
			"aliases": []string{"why do requests hang?", "database connections run out"}}))
		s.ok(0)
		asked := false
		for _, offered := range s.first().Tools {
			if offered.Name != s.first().fullName("store_memory") {
				continue
			}
			var schema struct {
				Properties map[string]struct{ Type, Description string }
			}
			require.NoError(t, json.Unmarshal(offered.InputSchema, &schema))
			require.Equal(t, "array", schema.Properties["aliases"].Type)
			require.NotEmpty(t, schema.Properties["aliases"].Description)
			require.Contains(t, offered.Description, "questions or names, in other words, that it answers")
			asked = true
		}
		require.True(t, asked, "store_memory is always loaded")

		found := p.claude("look", tool("recall", input{"query": "requests hang"})).ok(0)
		require.EqualValues(t, 1, found["total"], "words that only an alias has")
	})
}
