package finder

import (
	"cmp"
	"strings"

	"ltm/memory"
	"ltm/text/search"
)

type Likeness struct {
	text    search.Likeness
	aliased *search.Likeness // with its aliases; nil if it has none
}

// LikenessOf prepares a memory for comparison.
func LikenessOf(m memory.Memory) Likeness {
	l := Likeness{text: search.NewLikeness(m.Topic + "\n" + cmp.Or(m.Content, m.Summary))}
	if len(m.Aliases) > 0 {
		aliases := strings.Join(m.Aliases, "\n") // first: the end of a long text does not count
		all := search.NewLikeness(aliases + "\n" + m.Topic + "\n" + cmp.Or(m.Content, m.Summary))
		l.aliased = &all
	}
	return l
}

// Of returns how similar two memories are, from 0 to 1: their texts or, if that is more, their texts
// with the aliases of both.
func (l Likeness) Of(other Likeness) float64 {
	alike := l.text.Of(other.text)
	if l.aliased != nil && other.aliased != nil {
		alike = max(alike, l.aliased.Of(*other.aliased))
	}
	return alike
}

// NearPairs calls found for each two memories that say about the same, by their places in the list: see
// [search.NearPairs]. Two with aliases may be found twice.
func NearPairs(all []Likeness, found func(a, b int, alike float64)) {
	texts := make([]search.Likeness, len(all))
	var aliased []search.Likeness
	var at []int
	for i, l := range all {
		texts[i] = l.text
		if l.aliased != nil {
			aliased, at = append(aliased, *l.aliased), append(at, i)
		}
	}
	search.NearPairs(texts, found)
	search.NearPairs(aliased, func(a, b int, alike float64) { found(at[a], at[b], alike) })
}
