package setup_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/setup"
)

func TestGraphFiles(t *testing.T) {
	project := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(project, "notes", "dir"), 0o755))
	for _, name := range []string{"notes/graph.jsonl", "memory.json", "../out.jsonl"} {
		require.NoError(t, os.WriteFile(filepath.Join(project, filepath.FromSlash(name)), nil, 0o644))
	}
	t.Cleanup(func() { os.Remove(filepath.Join(project, "..", "out.jsonl")) })
	abs, err := filepath.Abs(filepath.Join(project, "memory.json"))
	require.NoError(t, err)
	for name, test := range map[string]struct {
		servers string
		want    []string
	}{
		"none":    {`{"x":{"command":"x"}}`, nil},
		"no path": {`{"memory":{"command":"npx","args":["-y","PKG"]}}`, nil},
		"variable": {`{"m":{"args":["PKG@2025.9.25"],"env":{"FILE":"TOP/notes/graph.jsonl"}}}`,
			[]string{filepath.Join("notes", "graph.jsonl")}},
		"absolute": {`{"m":{"command":"PKG","env":{"FILE":` + strconv.Quote(abs) + `}}}`, []string{"memory.json"}},
		"relative": {`{"m":{"args":["PKG"],"env":{"FILE":"memory.json"}}}`, nil},
		"outside":  {`{"m":{"args":["PKG"],"env":{"FILE":"TOP/../out.jsonl"}}}`, nil},
		"a folder": {`{"m":{"args":["PKG"],"env":{"FILE":"TOP/notes/dir"}}}`, nil},
		"missing":  {`{"m":{"args":["PKG"],"env":{"FILE":"TOP/none"}}}`, nil},
		"another":  {`{"m":{"args":["server-memory"],"env":{"FILE":"TOP/memory.json"}}}`, nil},
		"types":    {`{"m":{"args":"PKG","env":3}}`, nil},
		"an array": {`[]`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(project, ".mcp.json")
			servers := strings.NewReplacer("FILE", "MEMORY_FILE_PATH", "PKG", "@modelcontextprotocol/server-memory",
				"TOP", "${CLAUDE_PROJECT_DIR}").Replace(test.servers)
			require.NoError(t, os.WriteFile(file, []byte(`{"mcpServers":`+servers+`}`), 0o644))
			require.Equal(t, test.want, setup.Look(setup.Where{Project: project}).Graphs)
		})
	}
}
