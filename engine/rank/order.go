package rank

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/priority"
	"ltm/store"
)

// order is where a memory stands among others of either store, made once.
type order struct {
	rank     float64 // the priority, less [staleMargin] for a memory that may be stale
	Score    float64 // the priority
	standing store.Standing
}

// compare orders by rank, then by priority, then by kind, then the newer first. Callers break ties by id.
func (o order) compare(other order) int {
	switch { // a sort of places spends its time here
	case o.rank > other.rank:
		return -1
	case o.rank < other.rank:
		return 1
	case o.Score != other.Score:
		return cmp.Compare(other.Score, o.Score)
	}
	return o.standing.Compare(other.standing)
}

func (u *Usage) OrderOf(m *memory.Memory) order {
	score := priority.Of(u.Scored(m), u.Settings.PriorityProfile)
	return order{score, score, store.StandingOf(m)}
}

// Listed is what entries and hits are sorted by.
type Listed struct {
	order
	Key     memory.ID
	topic   string
	created time.Time
	used    time.Time // zero: never
}

func (u *Usage) ListedOf(m *memory.Memory) Listed {
	return Listed{u.OrderOf(m), m.ID, m.Topic, m.CreatedAt, u.Stats[m.ID].AccessedAt}
}

// CompareBy sorts as asked, and not at all if nothing was.
func (l *Listed) CompareBy(other *Listed, by api.Order) int {
	switch by {
	case api.ByPriority:
		return cmp.Compare(other.Score, l.Score)
	case api.ByAge:
		return other.created.Compare(l.created)
	case api.ByUse:
		return other.used.Compare(l.used) // no time is earlier than any
	case api.ByTopic:
		return cmp.Or(strings.Compare(strings.ToLower(l.topic), strings.ToLower(other.topic)),
			strings.Compare(l.topic, other.topic))
	}
	return 0
}

// Behind moves each item that has to come after another one of the list right behind it. All else stays in order.
func Behind[T any](all []T, id func(T) memory.ID, after map[memory.ID]memory.ID) []T {
	isAfter := func(item T) bool { return after[id(item)] != "" }
	if len(after) == 0 || !slices.ContainsFunc(all, isAfter) {
		return all
	}
	coming := make(map[memory.ID]bool, len(all))
	for _, item := range all {
		coming[id(item)] = true
	}
	out := make([]T, 0, len(all))
	waiting := map[memory.ID][]T{}
	for todo := slices.Clone(all); len(todo) > 0; {
		item := todo[0]
		if before := after[id(item)]; before != "" && coming[before] {
			waiting[before] = append(waiting[before], item)
			todo = todo[1:]
			continue
		}
		out = append(out, item)
		coming[id(item)] = false
		todo = slices.Insert(todo[1:], 0, waiting[id(item)]...)
		delete(waiting, id(item))
	}
	for _, item := range all { // they wait for each other
		if coming[id(item)] {
			out = append(out, item)
		}
	}
	return out
}

func With(all map[memory.ID]memory.ID, id, before memory.ID) map[memory.ID]memory.ID {
	all = maps.Clone(all)
	if all == nil {
		all = map[memory.ID]memory.ID{}
	}
	all[id] = before
	return all
}

// MostHits returns how many hits a query needs: all, if it asks for another order than the best first.
func MostHits(q api.Query) int {
	if q.Order != "" {
		return Unlimited
	}
	return LimitOr(q.Limit, DefaultRecall)
}

func LimitOr(limit, otherwise int) int {
	if limit <= 0 {
		return otherwise
	}
	return limit
}

const (
	// DefaultRecall is how many hits a query returns if no limit is given.
	DefaultRecall = 10

	// SnippetChars bounds the passage that a hit shows.
	SnippetChars = 300

	// Unlimited is a limit above any number of memories.
	Unlimited = 1 << 30
)
