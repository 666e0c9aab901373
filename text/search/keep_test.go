package search_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

// TestKeepDecidesWhatMayBeAHit searches with and without Keep: the kept hits must have the same
// scores and order, because other documents still count for how rare a word is.
func TestKeepDecidesWhatMayBeAHit(t *testing.T) {
	x := search.New()
	for i := range 40 {
		d := doc(fmt.Sprintf("mem_%08x", i), fmt.Sprintf("Pool %d", i),
			fmt.Sprintf("The pool of worker%d was too small.", i), "db")
		if i%5 == 0 {
			d.Content += " Its timeout was short."
		}
		x.Put(d)
	}
	keep := func(id string) bool { return id[len(id)-1]%2 == 1 } // by the last digit
	for name, query := range map[string]string{"a word": "pool", "two words": "pool timeout", "a typo": "timeuot",
		"a filter alone": "tag:db", "words and a filter": "pool tag:db"} {
		t.Run(name, func(t *testing.T) {
			for _, limit := range []int{0, 3, 100} {
				q := search.Parse(query)
				all, total := x.Search(q, search.Options{})
				want := slices.DeleteFunc(slices.Clone(all), func(h search.Hit) bool { return !keep(h.ID) })
				require.NotEmpty(t, want)
				require.Less(t, len(want), len(all))
				require.Equal(t, len(all), total)
				hits, kept := x.Search(q, search.Options{Keep: keep, Limit: limit})
				require.Equal(t, len(want), kept, "without those that are not kept")
				if limit > 0 {
					want = want[:min(limit, len(want))]
				}
				require.Equal(t, want, hits)
			}
		})
	}
	none, total := x.Search(search.Parse("pool"), search.Options{Keep: func(string) bool { return false }})
	require.Empty(t, none)
	require.Zero(t, total)
}

// TestKeepIsAskedForDocumentsOfTheIndex deletes and replaces some documents first.
func TestKeepIsAskedForDocumentsOfTheIndex(t *testing.T) {
	x := index(doc("a", "Pool", "Too small."), doc("b", "Pool", "Too large."), doc("c", "Nginx", "Other."))
	x.Delete("a")
	x.Put(doc("c", "Pool", "As well."))
	var asked []string
	hits, total := x.Search(search.Parse("pool"), search.Options{Keep: func(id string) bool {
		asked = append(asked, id)
		return true
	}})
	require.Equal(t, 2, total)
	require.ElementsMatch(t, []string{"b", "c"}, ids(hits))
	require.ElementsMatch(t, []string{"b", "c"}, asked)
}
