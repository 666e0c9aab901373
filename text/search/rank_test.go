package search_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
	"ltm/tools/searcheval/eval"
)

// TestRank compares search quality with a golden file, so that every change of it is a decision.
// "make update" accepts the new figures.
func TestRank(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "search")
	data, err := os.ReadFile(filepath.Join(dir, "memories.json"))
	require.NoError(t, err)
	task, err := eval.Parse(data)
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, eval.Measure(task, eval.MinScore).Print(&got))

	golden.Require(t, filepath.Join(dir, "rank_stats.txt"), got.String())
}

// TestAliasesRaiseTheRank asks for memories in the words of prompts, with and without their aliases.
func TestAliasesRaiseTheRank(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "search", "coast.json"))
	require.NoError(t, err)
	var file struct {
		Docs    []eval.Doc
		Prompts []struct {
			Prompt   string
			Relevant []string
		}
	}
	require.NoError(t, json.Unmarshal(data, &file))
	with, without := eval.Task{Docs: file.Docs}, eval.Task{}
	for _, p := range file.Prompts {
		if len(p.Relevant) > 0 {
			with.Questions = append(with.Questions, eval.Question{Text: p.Prompt, Relevant: p.Relevant})
		}
	}
	without.Questions = with.Questions
	for _, d := range file.Docs {
		d.Aliases = nil
		without.Docs = append(without.Docs, d)
	}
	ndcg := func(task eval.Task) float64 {
		all := eval.Measure(task, eval.MinScore).All
		return all.NDCG / float64(all.Answered)
	}
	t.Logf("nDCG@10 %.3f with aliases, %.3f without", ndcg(with), ndcg(without))
	require.Greater(t, ndcg(with), ndcg(without)+0.02)
}
