package engine

import (
	"slices"

	"ltm/search"
)

// Marker returns a function that finds the words of a query in a text, in any
// form that recall finds them in, as parts from and to a byte. taken is what the
// recall took unknown words for, see [memory.Recall]; it may be nil.
func Marker(query string, taken map[string][]string) func(text string) [][2]int {
	words := search.NewSnippets(search.Parse(query)).Taking(taken)
	return func(text string) (parts [][2]int) {
		for _, s := range words.Marks(text) {
			parts = append(parts, [2]int{s.Start, s.End})
		}
		return parts
	}
}

// takenBy returns what unknown words were taken for by the searches that found
// hits, one for each directory.
func takenBy(found []includedHit) map[string][]string {
	var taken map[string][]string
	for _, archived := range []bool{false, true} {
		i := slices.IndexFunc(found, func(h includedHit) bool { return h.archived == archived })
		if i < 0 {
			continue
		}
		for word, by := range found[i].Taken {
			if taken == nil {
				taken = make(map[string][]string)
			}
			taken[word] = slices.Concat(taken[word], by)
		}
	}
	return taken
}
