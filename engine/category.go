package engine

import (
	"slices"

	"ltm/memory"
	"ltm/text/search"
)

// ofKind returns which memories have the kind of a filter and one of those that the query names; nil: all. Names in the
// query that are not kinds become words of it: "kind:Pod" may be part of an error.
func ofKind(query *search.Query, filter memory.Category) func(memory.Memory) bool {
	var named []memory.Category
	for _, name := range query.Kinds {
		if category, err := memory.ParseCategory(name); err == nil {
			named = append(named, category)
		} else {
			query.Text += " kind:" + name
		}
	}
	if len(named) == 0 {
		query.Kinds = nil
	}
	if filter == "" && len(named) == 0 {
		return nil
	}
	return func(m memory.Memory) bool {
		return (filter == "" || m.Category == filter) && (len(named) == 0 || slices.Contains(named, m.Category))
	}
}
