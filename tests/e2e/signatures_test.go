//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// One person has the key and two clones. A signed memory is theirs in both, until the text is
// another than the signed one.
func TestAlteredMemoryIsNotItsSignersAnymore(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.ltm("key", "new")
		id := fmt.Sprint(p.claude("keep that", tool("store_memory", pool)).ok(0)["id"])
		file := ".claude/ltm/memories/" + id + ".md"
		require.Contains(t, p.read(file), "\nsignature: \"v1:")
		p.git("add", ".")
		p.git("-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "-m", "store")

		second := p.elsewhere("second")
		second.git("pull", "-q", p.dir, "main")
		own := contextBlock(t, second.claude("go on").first())
		require.Contains(t, own, "Raising it to 20 in db/pool.go")
		require.NotContains(t, own, "elsewhere")
		require.NotContains(t, own, "None of it was written")

		second.write(file, strings.ReplaceAll(second.read(file), "Raising it to 20", "Raising it to 9999"))
		s := second.claude("go on", tool("get_memory", input{"id": id}))
		block := contextBlock(t, s.first())
		require.Regexp(t, `(?m)^## `+id+` · .*altered after signing`, block)
		require.Contains(t, block, "> Raising it to 9999")
		require.Equal(t, "altered", s.ok(0)["signature"])
	})
}
