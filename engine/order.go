package engine

import (
	"cmp"
	"slices"
	"strings"

	"ltm/api"
)

// reorder sorts memories as a filter asks. all is in order of priority, and ties stay in that
// order.
func reorder(all []ranked, f api.ListFilter, u use) {
	used := func(r ranked) int64 {
		if at := u.stats[r.ID].AccessedAt; !at.IsZero() {
			return at.UnixNano()
		}
		return -1 << 63
	}
	switch f.Order {
	case api.ByAge:
		slices.SortStableFunc(all, func(a, b ranked) int { return b.CreatedAt.Compare(a.CreatedAt) })
	case api.ByUse:
		slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(used(b), used(a)) })
	case api.ByTopic:
		slices.SortStableFunc(all, func(a, b ranked) int {
			return cmp.Or(strings.Compare(strings.ToLower(a.Topic), strings.ToLower(b.Topic)),
				strings.Compare(a.Topic, b.Topic))
		})
	}
	if f.Reverse {
		slices.Reverse(all)
	}
}
