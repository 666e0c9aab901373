package search_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
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

// TestEvidenceAside has documents of the same length, in which "pool" is once in the text, only in an alias, only a
// tag, or in both. Its worth is that of its frequency, which is higher in an alias.
func TestEvidenceAside(t *testing.T) {
	whole := func(string, string) float64 { return 1 }
	evidence := func(query, id string, docs ...search.Doc) float64 {
		hits, _ := index(docs...).Search(search.Words(query), search.Options{Weigh: whole, Explain: true})
		for _, h := range hits {
			if h.ID == id {
				require.Len(t, h.Explanation.Terms, 1)
				e := h.Explanation.Terms[0]
				rarest := math.Log(1 + (float64(len(docs))-0.5)/1.5)
				return h.Evidence * rarest / (e.IDF*e.Frequency + e.Exact)
			}
		}
		require.Fail(t, "not found", id)
		return 0
	}
	aliased := func(content, alias string) search.Doc {
		d := doc("a", "topic", content)
		d.Aliases = []string{alias}
		return d
	}
	learned := doc("a", "topic", "hose")
	learned.Learned = []string{"pool"}
	for name, tt := range map[string]struct {
		doc  search.Doc
		want float64
	}{
		"in the text":                {doc("a", "topic", "pool"), 1},
		"in the topic, and a tag":    {doc("a", "pool", "hose", "pool"), 1},
		"in the text, and a tag":     {doc("a", "topic", "pool", "pool"), 1},
		"only a tag":                 {doc("a", "topic", "hose", "pool"), 0.5},
		"only a tag, inflected":      {doc("a", "topic", "hose", "pools"), 0.5},
		"only in an alias":           {aliased("hose", "dry pool"), 0.5},
		"only in an alias, as pools": {aliased("hose", "dry pools"), 0.5},
		"in the text and an alias":   {aliased("pool", "dry pool"), 1},
		"only in a learned alias":    {learned, 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			other := doc("b", "topic", "lamp oil", "pools")
			other.Aliases = []string{"a light"}
			require.InDelta(t, tt.want, evidence("pool", "a", tt.doc, other), 1e-9)
		})
	}
}
