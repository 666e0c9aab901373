package search_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/searcheval/eval"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestRank compares search quality with a golden file, so that every change of it is a decision.
// Run with -update to accept the new figures.
func TestRank(t *testing.T) {
	dir := filepath.Join("..", "testdata", "search")
	data, err := os.ReadFile(filepath.Join(dir, "memories.json"))
	require.NoError(t, err)
	task, err := eval.Parse(data)
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, eval.Measure(task, eval.MinScore).Print(&got))

	golden := filepath.Join(dir, "rank_stats.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}
