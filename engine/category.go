package engine

import (
	"slices"

	"ltm/memory"
	"ltm/memory/api"
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

// setSureness gives a memory a confidence, unless it is nil.
func setSureness(m *memory.Memory, confidence *float64) (err error) {
	if confidence == nil {
		return nil
	}
	m.OddConfidence = false
	m.Confidence, err = memory.RoundedSureness(*confidence)
	return err
}

// patchCategory changes the kind of a memory and the confidence in it.
func patchCategory(m *memory.Memory, p api.Patch) (err error) {
	if p.Category != nil {
		m.OddCategory = false
		if m.Category, err = memory.ParseCategory(string(*p.Category)); err != nil {
			return err
		}
	}
	return setSureness(m, p.Confidence)
}
