package find

import "ltm/text/search"

// Marker returns a function that finds the words of a query in a text, in every form that recall
// matches. It returns byte ranges. taken maps unknown words to the words searched in their place,
// see [ltm/memory/api.Recall]; it may be nil.
func Marker(query string, taken map[string][]string) func(text string) [][2]int {
	words := search.NewSnippets(search.Parse(query)).Taking(taken)
	return func(text string) (parts [][2]int) {
		for _, s := range words.Marks(text) {
			parts = append(parts, [2]int{s.Start, s.End})
		}
		return parts
	}
}
