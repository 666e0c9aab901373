//go:build e2e

package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMemoryOfAFileThatChangedIsMarked(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.write("db/pool.go", "package db\n\nconst max = 20\n")
		p.git("add", ".")
		p.git("-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "-m", "pool")
		p.claude("keep that", tool("store_memory", pool))
		require.NotContains(t, contextBlock(t, p.claude("go on").first()), "may be stale")

		p.write("db/pool.go", "package db\n\nconst max = 50\n")
		require.Contains(t, contextBlock(t, p.claude("go on").first()), "may be stale: db/pool.go changed")

		path := p.path("db/pool.go")
		edited := p.claude("raise it", tool("Read", input{"file_path": path}),
			tool("Edit", input{"file_path": path, "old_string": "50", "new_string": "60"}))
		require.Contains(t, p.read("db/pool.go"), "60")
		require.Contains(t, edited.last().conversation(), "Earlier sessions' memories of db/pool.go",
			"the model is told of the memory that speaks of the file")
	})
}
