package engine

import "ltm/search"

// Marker returns a function that finds the words of a query in a text, in any
// form that recall finds them in, as parts from and to a byte. taken is what the
// recall took unknown words for, see [ltm/api.Recall]; it may be nil.
func Marker(query string, taken map[string][]string) func(text string) [][2]int {
	words := search.NewSnippets(search.Parse(query)).Taking(taken)
	return func(text string) (parts [][2]int) {
		for _, s := range words.Marks(text) {
			parts = append(parts, [2]int{s.Start, s.End})
		}
		return parts
	}
}
