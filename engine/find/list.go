package find

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// DefaultList is how many memories a listing returns if no limit is given.
const DefaultList = 50

// Ranking is what one store has for a listing. Its entry works as long as the view is open.
type Ranking struct {
	api.Listing // without memories
	all         []rank.Ranked
	entry       func(rank.Ranked) api.Entry
	after       map[memory.ID]memory.ID // see behind
}

func (r Ranking) Topics() []string {
	topics := make([]string, len(r.all))
	for i := range r.all {
		topics[i] = r.all[i].Topic
	}
	return topics
}

// Overridden marks the person's memories that memories of the project override, by the keys of topics, and puts them
// behind those.
func (r Ranking) Overridden(by map[string]memory.ID) Ranking {
	over := map[memory.ID]memory.ID{}
	for i := range r.all {
		if m := &r.all[i]; by[rank.TopicKey(m.Topic)] != "" {
			over[m.ID] = by[rank.TopicKey(m.Topic)]
		}
	}
	after := maps.Clone(over)
	maps.Copy(after, r.after)
	entry := r.entry
	r.after, r.entry = after, func(m rank.Ranked) api.Entry {
		e := entry(m)
		e.OverriddenBy = over[m.ID]
		return e
	}
	return r
}

// List returns the memories that match a filter, by priority or in the order of the filter.
func (e *Engine) List(_ context.Context, f api.ListFilter) (api.Listing, error) {
	list := api.Listing{Memories: []api.Entry{}}
	err := e.Ranking(f, func(r Ranking) error {
		list = PageOf(f, r)
		return nil
	})
	return list, err
}

// PageOf returns the part of rankings that a filter asks for. Each id is in one of them.
func PageOf(f api.ListFilter, rankings ...Ranking) api.Listing {
	list := api.Listing{Memories: []api.Entry{}}
	var all []rank.Ranked
	of, after := map[memory.ID]Ranking{}, map[memory.ID]memory.ID{}
	for _, r := range rankings {
		all = append(all, r.all...)
		maps.Copy(after, r.after)
		for i := range r.all {
			of[r.all[i].ID] = r
		}
		list.Total += r.Total
		list.HeldBack += r.HeldBack
		list.OfAgents += r.OfAgents
	}
	rank.SortRanked(all, f.Order)
	if f.Order == "" || f.Order == api.ByPriority {
		all = rank.Behind(all, func(r rank.Ranked) memory.ID { return r.ID }, after)
	}
	if f.Reverse {
		slices.Reverse(all)
	}
	from := min(max(0, f.Offset), len(all))
	to := min(from+rank.LimitOr(f.Limit, DefaultList), len(all))
	list.HasMore = to < len(all)
	for _, r := range all[from:to] {
		list.Memories = append(list.Memories, of[r.ID].entry(r))
	}
	return list
}

// Ranking finds the memories that match a filter, and calls use with them while the view is open.
func (e *Engine) Ranking(f api.ListFilter, use func(Ranking) error) error {
	var err error
	if f.Category, err = memory.ParseCategory(string(f.Category)); err != nil {
		return err
	}
	if f.Phase != nil && *f.Phase == memory.Removed && f.Include != api.IncludeAll {
		f.Include = api.IncludeArchives
	}
	return e.Store.View(func(v *store.View) error {
		u, state, err := e.Usage(v)
		if err != nil {
			return err
		}
		listener, err := e.audience(state, f.Agent)
		if err != nil {
			return err
		}
		listener.any = f.AnyAgent
		all, err := rank.RanksIn(v, f.Include, u)
		if err != nil {
			return err
		}
		matches := slices.DeleteFunc(all, func(r rank.Ranked) bool { return !wanted(r, f) })
		g, err := e.ModelFilter(v)
		if err != nil {
			return err
		}
		matches = slices.DeleteFunc(matches, rank.ForeignIn(g))
		var r Ranking
		n := len(matches)
		matches = slices.DeleteFunc(matches, func(r rank.Ranked) bool { return !listener.sees(r.Memory) })
		if !listener.Only {
			r.OfAgents = n - len(matches)
		}
		if r.HeldBack, err = rank.HeldBack(g, f.Include); err != nil {
			return err
		}
		for i := range matches {
			matches[i].Used = u.Stats[matches[i].ID].AccessedAt
		}
		if f.Order == "" || f.Order == api.ByPriority {
			u.Staleness.LowerRanked(matches, max(0, f.Offset)+rank.LimitOr(f.Limit, DefaultList))
		}
		marks := e.Origins(v, u.Settings)
		r.all, r.Total, r.after = matches, len(matches), u.Standings.Get().Corrections()
		r.entry = func(m rank.Ranked) api.Entry {
			entry := entryOf(m, u)
			if a := m.Archive; a != nil {
				entry.Archived, entry.ArchivedReason, entry.ArchivedAt = true, a.Reason, timeOrNil(a.At)
			}
			entry.Scope, entry.Foreign = base.Scope(v), marks.Foreign(m.ID, m.Archive != nil && !m.Faded)
			return entry
		}
		return use(r)
	})
}

func entryOf(r rank.Ranked, u rank.Usage) api.Entry {
	return api.Entry{ID: r.ID, Topic: r.Topic, Phase: r.Phase, Priority: memory.Round2(r.Score), Tags: r.PlainTags(),
		Marks: u.MarksOf(r.Memory), Difficulty: &r.Difficulty, Work: r.Work,
		CreatedAt: api.Time{Time: r.CreatedAt}, AccessedAt: timeOrNil(r.Used),
		AccessCount: u.Stats[r.ID].AccessCount}
}

func wanted(r rank.Ranked, f api.ListFilter) bool {
	m := r.Memory
	if f.Phase != nil && r.State() != f.Phase.String() || f.Importance != "" && m.Importance() != f.Importance {
		return false
	}
	if f.Category != "" && m.Category != f.Category {
		return false
	}
	if !hasTags(m, []string{f.Tag}) || !hasTags(m, f.Tags) || m.CreatedAt.Before(f.Since) {
		return false
	}
	if f.Keyword == "" {
		return true
	}
	keyword := strings.ToLower(f.Keyword)
	return strings.Contains(strings.ToLower(m.Topic), keyword) ||
		slices.ContainsFunc(m.Tags, func(tag string) bool {
			return strings.Contains(tag, keyword) && !memory.IsImportanceTag(tag)
		})
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
