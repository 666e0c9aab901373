package engine

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ltm/api"
	"ltm/engine/finder"
	"ltm/memory"
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
		slices.SortStableFunc(all, func(a, b ranked) int { return compareTopics(a.Topic, b.Topic) })
	}
	if f.Reverse {
		slices.Reverse(all)
	}
}

// mostHits returns how many hits a query needs: all, if it asks for another order than the best first.
func mostHits(q api.Query) int {
	if q.Order != "" {
		return unlimited
	}
	return limitOr(q.Limit, DefaultRecall)
}

// hitStanding is by what hits are ordered, beside how well they answer.
type hitStanding struct {
	priority      float64
	created, used time.Time
	topic         string
}

// compare orders hits as [reorder] orders memories.
func (h hitStanding) compare(other hitStanding, by api.Order) int {
	switch by {
	case api.ByPriority:
		return cmp.Compare(other.priority, h.priority)
	case api.ByAge:
		return other.created.Compare(h.created)
	case api.ByUse:
		return other.used.Compare(h.used) // no time is earlier than any
	case api.ByTopic:
		return compareTopics(h.topic, other.topic)
	}
	return 0
}

// inOrder returns the hits that an answer may have, in the order that its query asks for, and what that is by. found
// has the best first, and of equals the best stays first.
func (a asking) inOrder(found []finder.Hit) ([]finder.Hit, []hitStanding, error) {
	if a.Order == "" {
		return found, nil, nil
	}
	active, err := a.view.Memories()
	archives := active
	if err == nil && slices.ContainsFunc(found, func(h finder.Hit) bool { return h.Archived }) {
		archives, err = a.view.Archives()
	}
	if err != nil {
		return nil, nil, err
	}
	type standingAt struct {
		hitStanding
		at int
	}
	all := make([]standingAt, len(found))
	for i, h := range found {
		directory := active
		if h.Archived {
			directory = archives
		}
		all[i].at = i
		if m := directory.Header(memory.ID(h.ID)); m != nil {
			all[i].hitStanding = hitStanding{a.u.rounded(*m), m.CreatedAt, a.u.stats[m.ID].AccessedAt, m.Topic}
		}
	}
	slices.SortFunc(all, func(x, y standingAt) int {
		return cmp.Or(x.compare(y.hitStanding, a.Order), cmp.Compare(x.at, y.at))
	})
	all = all[:min(len(all), limitOr(a.Limit, DefaultRecall))]
	hits, standings := make([]finder.Hit, len(all)), make([]hitStanding, len(all))
	for i, s := range all {
		hits[i], standings[i] = found[s.at], s.hitStanding
	}
	return hits, standings, nil
}

// merge returns the first hits of what stores found, in the order of the query, and the store that the first is from.
// Scores are comparable across stores; of two that are equal, that of the first store comes first.
func merge(q api.Query, found []recalled) (hits []shown, from *Engine, err error) {
	at := make([]int, len(found))
	for limit := limitOr(q.Limit, DefaultRecall); len(hits) < limit; {
		best := -1
		for i, f := range found {
			if at[i] < len(f.hits) && (best < 0 || f.isBefore(at[i], found[best], at[best], q.Order)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		hit, err := found[best].show(found[best].hits[at[best]])
		at[best]++
		switch {
		case isMissing(err):
			continue
		case err != nil:
			return nil, nil, err
		case len(hits) == 0:
			from = found[best].from
		}
		hits = append(hits, hit)
	}
	return hits, from, nil
}

// isBefore reports whether a hit comes before one of a store that comes first.
func (r recalled) isBefore(i int, first recalled, j int, by api.Order) bool {
	if by != "" {
		if c := r.standings[i].compare(first.standings[j], by); c != 0 {
			return c < 0
		}
	}
	return memory.Round2(r.hits[i].Score) > memory.Round2(first.hits[j].Score)
}

// compareTopics orders topics by the alphabet, in any case.
func compareTopics(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

// limitOr returns a limit, or the default for zero.
func limitOr(limit, otherwise int) int {
	if limit <= 0 {
		return otherwise
	}
	return limit
}
