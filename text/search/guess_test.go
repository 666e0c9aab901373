package search_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

// TestGuess asks for words that no document contains, and checks the words used instead, in an
// index that was just built and in a decoded one.
func TestGuess(t *testing.T) {
	docs := []search.Doc{
		doc("a", "Storage", "The database is slow, databases are many. A date."),
		doc("b", "Import", "Another database reads the dataset."),
		doc("c", "Speed", "Performance of the perfect parser; author and authors."),
		doc("d", "Access", "authentication authorization authority"),
		doc("e", "Access two", "authentication authorization authorities"),
	}
	tests := []struct {
		name, query string
		want        map[string][]string
	}{
		{"known words are not replaced", "database authors", nil},
		{"another form of a known word", "performances", nil},
		{"a spelling, and longer words by use", "data",
			map[string][]string{"data": {"date", "database", "dataset", "databases"}}},
		{"a prefix of three letters is not a misspelling", "per",
			map[string][]string{"per": {"perfect", "performance"}}},
		{"the four that most documents hold", "auth",
			map[string][]string{"auth": {"authorization", "authentication", "author", "authors"}}},
		{"a word that is both counts once", "performanc", map[string][]string{"performanc": {"performance"}}},
		{"two words", "perfo datas", map[string][]string{"perfo": {"performance"},
			"datas": {"database", "dataset", "databases"}}},
		{"a stop word begins nothing", "the database of an", nil},
		{"an excluded word is not replaced", "parser -auth", nil},
	}
	fresh := index(docs...)
	frozen, err := search.Decode(fresh.Encode())
	require.NoError(t, err)
	both, err := search.Decode(index(docs[:3]...).Encode())
	require.NoError(t, err)
	for _, d := range slices.Concat(docs[3:], []search.Doc{docs[0]}) {
		both.Put(d)
	}
	for name, x := range map[string]*search.Index{"fresh": fresh, "frozen": frozen, "both": both} {
		for _, tt := range tests {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				hits, _ := x.Search(search.Parse(tt.query), search.Options{})
				require.NotEmpty(t, hits)
				for _, h := range hits {
					require.Equal(t, tt.want, h.Taken)
				}
			})
		}
	}
}

// TestGuessKnows checks that a word with matches of its own is not widened, and that deleted
// documents do not count.
func TestGuessKnows(t *testing.T) {
	x := index(doc("a", "One", "all the data"), doc("b", "Two", "a database"))
	require.Equal(t, []string{"a"}, find(x, "data"))
	x.Delete("a")
	require.Equal(t, []string{"b"}, find(x, "data"))
	x.Delete("b")
	require.Empty(t, find(x, "data"))
}

func TestGuessIsExplained(t *testing.T) {
	x := index(doc("a", "One", "a database"), doc("b", "Two", "the dataset"), doc("c", "Three", "the date"))
	hits, _ := x.Search(search.Parse("data"), search.Options{Explain: true})
	require.Len(t, hits, 3)
	for _, h := range hits {
		require.Equal(t, []string{"date"}, h.Explanation.Terms[0].Fuzzy)
		require.Equal(t, []string{"dataset", "database"}, h.Explanation.Terms[0].Begins)
		require.Contains(t, h.Explanation.String(), " as date as the beginning of dataset, database\n")
		require.Zero(t, h.Words, "not a word of the query")
	}
}
