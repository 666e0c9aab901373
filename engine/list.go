package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// DefaultList is how many memories a listing returns if no limit is given.
const DefaultList = 50

// ranked is a memory's header and where it stands as of now.
type ranked struct {
	memory.Memory
	order
	archive *store.Archival // nil: in sight
	faded   bool            // out of sight in the view of this clone alone
	used    time.Time       // zero: never
}

// sortKey returns what a memory is sorted by.
func (r *ranked) sortKey() listed {
	return listed{order: r.order, id: r.ID, topic: r.Topic, created: r.CreatedAt, used: r.used}
}

// place is a memory's header, with the phase in the view of this clone, and its priority.
type place struct {
	*memory.Memory
	order
}

// places returns the memories in sight in order, the highest priority first. One that was superseded and restored comes
// behind its correction.
func places(s *store.Snapshot, u use) []place {
	all := make([]place, 0, len(s.Records))
	for _, r := range s.Records {
		m := r.Memory
		phase := u.phaseOf(m.ID, m.Phase, u.stats[m.ID])
		if !phase.Active() {
			continue
		}
		if phase != m.Phase {
			header := *m
			header.Phase = phase
			m = &header
		}
		all = append(all, place{m, u.orderOf(m)})
	}
	return u.inOrder(all)
}

// inOrder sorts places.
func (u use) inOrder(all []place) []place {
	slices.SortFunc(all, func(a, b place) int {
		if c := a.order.compare(b.order); c != 0 {
			return c
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return behind(all, func(p place) memory.ID { return p.ID }, u.said.get().corrections())
}

// rank returns the memories in sight as places orders them.
func rank(s *store.Snapshot, u use) []ranked {
	all := places(s, u)
	out := make([]ranked, len(all))
	for i, p := range all {
		out[i].Memory, out[i].order = *p.Memory, p.order
	}
	return out
}

// sortRanked sorts as a listing asks, and what is equal then in the order of rank.
func sortRanked(all []ranked, by api.Order) {
	type keyed struct {
		listed
		at int
	}
	keys := make([]keyed, len(all)) // memories are large
	for i := range all {
		keys[i] = keyed{all[i].sortKey(), i}
	}
	if by == api.ByPriority {
		by = ""
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		return cmp.Or(a.compareBy(&b.listed, by), a.order.compare(b.order), strings.Compare(string(a.id), string(b.id)))
	})
	sorted := make([]ranked, len(all))
	for i, k := range keys {
		sorted[i] = all[k.at]
	}
	copy(all, sorted)
}

// ranking is what one store has for a listing. Its entry works as long as the view is open.
type ranking struct {
	api.Listing // without memories
	all         []ranked
	entry       func(ranked) api.Entry
	after       map[memory.ID]memory.ID // see behind
}

// topics returns the topics of all memories.
func (r ranking) topics() []string {
	topics := make([]string, len(r.all))
	for i := range r.all {
		topics[i] = r.all[i].Topic
	}
	return topics
}

// overridden marks the person's memories that memories of the project override, by the keys of topics, and puts them
// behind those.
func (r ranking) overridden(by map[string]memory.ID) ranking {
	over := map[memory.ID]memory.ID{}
	for i := range r.all {
		if m := &r.all[i]; by[topicKey(m.Topic)] != "" {
			over[m.ID] = by[topicKey(m.Topic)]
		}
	}
	after := maps.Clone(over)
	maps.Copy(after, r.after)
	entry := r.entry
	r.after, r.entry = after, func(m ranked) api.Entry {
		e := entry(m)
		e.OverriddenBy = over[m.ID]
		return e
	}
	return r
}

// List returns the memories that match a filter, by priority or in the order of the filter.
func (e *Engine) List(_ context.Context, f api.ListFilter) (api.Listing, error) {
	list := api.Listing{Memories: []api.Entry{}}
	err := e.ranking(f, func(r ranking) error {
		list = pageOf(f, r)
		return nil
	})
	return list, err
}

// pageOf returns the part of rankings that a filter asks for. Each id is in one of them.
func pageOf(f api.ListFilter, rankings ...ranking) api.Listing {
	list := api.Listing{Memories: []api.Entry{}}
	var all []ranked
	of, after := map[memory.ID]ranking{}, map[memory.ID]memory.ID{}
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
	sortRanked(all, f.Order)
	if f.Order == "" || f.Order == api.ByPriority {
		all = behind(all, func(r ranked) memory.ID { return r.ID }, after)
	}
	if f.Reverse {
		slices.Reverse(all)
	}
	from := min(max(0, f.Offset), len(all))
	to := min(from+limitOr(f.Limit, DefaultList), len(all))
	list.HasMore = to < len(all)
	for _, r := range all[from:to] {
		list.Memories = append(list.Memories, of[r.ID].entry(r))
	}
	return list
}

// ranking finds the memories that match a filter, and calls use with them while the view is open.
func (e *Engine) ranking(f api.ListFilter, use func(ranking) error) error {
	var err error
	if f.Category, err = memory.ParseCategory(string(f.Category)); err != nil {
		return err
	}
	if f.Phase != nil && *f.Phase == memory.Removed && f.Include != api.IncludeAll {
		f.Include = api.IncludeArchives
	}
	return e.store.View(func(v *store.View) error {
		u, state, err := e.usage(v)
		if err != nil {
			return err
		}
		listener, err := e.audience(state, f.Agent)
		if err != nil {
			return err
		}
		listener.any = f.AnyAgent
		all, err := ranksIn(v, f.Include, u)
		if err != nil {
			return err
		}
		matches := slices.DeleteFunc(all, func(r ranked) bool { return !wanted(r, f) })
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		matches = slices.DeleteFunc(matches, g.lookRanked)
		var r ranking
		n := len(matches)
		matches = slices.DeleteFunc(matches, func(r ranked) bool { return !listener.sees(r.Memory) })
		if !listener.only {
			r.OfAgents = n - len(matches)
		}
		if r.HeldBack, err = g.heldBack(f.Include); err != nil {
			return err
		}
		for i := range matches {
			matches[i].used = u.stats[matches[i].ID].AccessedAt
		}
		if f.Order == "" || f.Order == api.ByPriority {
			u.truth.lowerRanked(matches, max(0, f.Offset)+limitOr(f.Limit, DefaultList))
		}
		marks := e.marker(v, u.settings)
		r.all, r.Total, r.after = matches, len(matches), u.said.get().corrections()
		r.entry = func(m ranked) api.Entry {
			entry := ofArchive(entryOf(m, u), m.archive)
			entry.Scope, entry.Foreign = scope(v), marks.look(m.ID, m.archive != nil && !m.faded)
			return entry
		}
		return use(r)
	})
}

func entryOf(r ranked, u use) api.Entry {
	return api.Entry{ID: r.ID, Topic: r.Topic, Phase: r.Phase, Priority: memory.Round2(r.score), Tags: r.PlainTags(),
		Marks: u.marksOf(r.Memory), Difficulty: &r.Difficulty, Work: r.Work,
		CreatedAt: api.Time{Time: r.CreatedAt}, AccessedAt: timeOrNil(r.used),
		AccessCount: u.stats[r.ID].AccessCount}
}

// state returns the word for the memory's state.
func (r *ranked) state() string {
	if r.archive == nil {
		return r.Phase.String()
	}
	return memory.State(r.Phase, true, r.archive.Reason)
}

func wanted(r ranked, f api.ListFilter) bool {
	m := r.Memory
	if f.Phase != nil && r.state() != f.Phase.String() || f.Importance != "" && m.Importance() != f.Importance {
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
