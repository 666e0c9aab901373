//go:build e2e

package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFirstMemoryOfAProject stores before there is a store, so that no hook has counted anything:
// how hard the work was comes from the client's record of the session.
func TestFirstMemoryOfAProject(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		// No hook reports an edit that the client refuses.
		refused := tool("Edit", input{"file_path": p.path("README.md"), "old_string": "not in it", "new_string": "x"})
		hard := p.claude("work", bash("false"), bash("false"), refused, bash("false"), p.lesson("Hard"))
		first := hard.ok(4)

		q := newProject(t, p.version)
		easy := q.claude("work", bash("true"), bash("echo one"), bash("echo two"), bash("echo three"), q.lesson("Easy"))
		require.Greater(t, first["difficulty"], easy.ok(4)["difficulty"])

		why := p.ltm("why", first["id"].(string))
		require.Contains(t, why, "(4 failed, 2 retries)")
		require.Contains(t, why, "according to the session's transcript")
		require.Contains(t, q.ltm("why", easy.ok(4)["id"].(string)), "0 failed")
	})
}
