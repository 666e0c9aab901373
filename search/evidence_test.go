package search_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/search"
)

// TestEvidence spells out the evidence of a hit. All documents have the same length, and each word occurs once.
func TestEvidence(t *testing.T) {
	x := index(doc("a", "", "pool dry"), doc("b", "", "pool size"), doc("c", "", "lamp oil"))
	rare, common := math.Log(1+2.5/1.5), math.Log(1+1.5/2.5) // in one of three, in two of three
	whole := func(string, string) float64 { return 1 }
	find := func(query string, weigh func(word, stem string) float64) search.Hit {
		hits, _ := x.Search(search.Words(query), search.Options{Weigh: weigh})
		require.NotEmpty(t, hits)
		require.Equal(t, "a", hits[0].ID)
		return hits[0]
	}
	h := find("is the pool dry", whole)
	require.InDelta(t, 1+common/rare, h.Evidence, 1e-9)
	require.InDelta(t, 1, h.Covered, 1e-9)

	longer := find("is the pool dry and nothing else of interest", whole)
	require.InDelta(t, h.Evidence, longer.Evidence, 1e-9, "what else is said does not count against it")
	require.Less(t, longer.Score, h.Score)
	require.InDelta(t, 1, longer.Covered, 1e-9, "nor do words that no document has")

	other := find("is the pool dry, or the lamp?", whole)
	require.InDelta(t, h.Evidence, other.Evidence, 1e-9)
	require.InDelta(t, (rare+common)/(2*rare+common), other.Covered, 1e-9, "a word of another document is not covered")

	half := find("is the pool dry, or the lamp?", func(word, stem string) float64 {
		require.NotEqual(t, "the", word)
		require.NotEmpty(t, stem)
		if word == "dry" {
			return 0.5
		}
		return 1
	})
	require.InDelta(t, 0.5+common/rare, half.Evidence, 1e-9)
	require.InDelta(t, (0.5*rare+common)/(1.5*rare+common), half.Covered, 1e-9)

	guessed := find("poool dry", whole)
	require.Greater(t, guessed.Evidence, 1.0)
	require.Less(t, guessed.Evidence, h.Evidence, "another spelling says less")

	hits, _ := x.Search(search.Words("pool dry"), search.Options{})
	require.Zero(t, hits[0].Evidence)
	require.Zero(t, hits[0].Covered)
}
