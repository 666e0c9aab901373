package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ltm/api"
	"ltm/memory"
	"ltm/priority"
	"ltm/store"
)

// DefaultList is how many memories a listing returns if no limit is given.
const DefaultList = 50

// ranked is a memory's header and its priority as of now.
type ranked struct {
	memory.Memory
	score   float64
	archive *store.Archival // nil: in sight
	faded   bool            // out of sight in the view of this clone alone
}

// place is a memory with its priority and its phase in the view of this clone.
type place struct {
	store.Entry
	score    float64
	standing store.Standing
	phase    uint8 // a memory.Phase: sorting moves places
}

// Header implements [brief.Header]: the header has the phase of this clone's view.
func (p *place) Header() *memory.Memory {
	header := p.Memory()
	if phase := memory.Phase(p.phase); phase != header.Phase {
		m := *header
		m.Phase = phase
		header = &m
	}
	return header
}

// Signed implements [brief.Header].
func (p *place) Signed() bool { return p.IsSigned() }

// Critical implements [brief.Header].
func (p *place) Critical() bool { return p.Importance() == memory.Critical }

// places returns the memories in sight by priority, then by kind, then the newer first, then by
// id.
func places(s *store.Snapshot, u use) []place {
	all := make([]place, 0, len(s.Entries))
	for _, e := range s.Entries {
		id := e.ID()
		st := u.stats[id]
		if phase := u.phaseOf(id, e.Phase(), st); phase.Active() {
			st = u.known(st)
			score := priority.Of(priority.Use{Difficulty: e.Difficulty(), Importance: string(e.Importance()),
				Accesses: st.Use, SessionsSinceAccess: u.since(st)}, u.settings.PriorityProfile)
			all = append(all, place{e, score, e.Standing(), uint8(phase)})
		}
	}
	slices.SortFunc(all, comparePlaces)
	return all
}

// comparePlaces orders places as [compareRanks] orders memories, without their headers.
func comparePlaces(a, b place) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	if c := a.standing.Compare(b.standing); c != 0 {
		return c
	}
	return strings.Compare(string(a.ID()), string(b.ID()))
}

// rank returns the memories in sight as places orders them.
func rank(s *store.Snapshot, u use) []ranked {
	all := places(s, u)
	out := make([]ranked, len(all))
	for i, p := range all {
		out[i].Memory, out[i].score = *p.Memory(), p.score
		out[i].Phase = memory.Phase(p.phase)
	}
	return out
}

// compareRanks orders by priority, then by kind, then the newer first, then by id.
func compareRanks(x, y float64, a, b *memory.Memory) int {
	if c := cmp.Compare(y, x); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Category.Rank(), b.Category.Rank()); c != 0 {
		return c
	}
	if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
		return c
	}
	return strings.Compare(string(a.ID), string(b.ID))
}

// sortRanked sorts in the order of rank. It sorts pointers, because memories are large.
func sortRanked(all []ranked) {
	order := make([]*ranked, len(all))
	for i := range all {
		order[i] = &all[i]
	}
	slices.SortFunc(order, func(a, b *ranked) int { return compareRanks(a.score, b.score, &a.Memory, &b.Memory) })
	sorted := make([]ranked, len(all))
	for i, r := range order {
		sorted[i] = *r
	}
	copy(all, sorted)
}

// List returns the memories that match a filter, by priority or in the order of the filter.
func (e *Engine) List(_ context.Context, f api.ListFilter) (api.Listing, error) {
	list := api.Listing{Memories: []api.Entry{}}
	var err error
	if f.Category, err = memory.ParseCategory(string(f.Category)); err != nil {
		return list, err
	}
	err = e.store.View(func(v *store.View) error {
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
		matches := slices.DeleteFunc(all, func(r ranked) bool { return !wanted(r.Memory, f) })
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		matches = slices.DeleteFunc(matches, func(r ranked) bool { return g.lookRanked(v, r) })
		n := len(matches)
		matches = slices.DeleteFunc(matches, func(r ranked) bool { return !listener.sees(r.Memory) })
		if !listener.only {
			list.OfAgents = n - len(matches)
		}
		if list.HeldBack, err = g.heldBack(v, f.Include); err != nil {
			return err
		}
		list.Total = len(matches)
		from := min(max(0, f.Offset), len(matches))
		if f.Order == "" || f.Order == api.ByPriority {
			u.freshFirst(matches, from+limitOr(f.Limit, DefaultList))
		}
		reorder(matches, f, u)
		to := min(from+limitOr(f.Limit, DefaultList), len(matches))
		list.HasMore = to < len(matches)
		marks, err := e.ownGuard(v)
		for _, r := range matches[from:to] {
			entry := ofArchive(entryOf(r, u), r.archive)
			entry.Scope, entry.Foreign = scope(v), marks.lookRanked(v, r)
			list.Memories = append(list.Memories, entry)
		}
		return err
	})
	return list, err
}

func entryOf(r ranked, u use) api.Entry {
	return api.Entry{ID: r.ID, Topic: r.Topic, Phase: r.Phase, Priority: memory.Round2(r.score), Tags: tagsOf(r.Tags),
		Marks: u.marksOf(r.Memory), Difficulty: &r.Difficulty, Work: r.Work,
		CreatedAt: api.Time{Time: r.CreatedAt}, AccessedAt: timeOrNil(u.stats[r.ID].AccessedAt),
		AccessCount: u.stats[r.ID].AccessCount}
}

func wanted(m memory.Memory, f api.ListFilter) bool {
	if f.Phase != nil && m.Phase != *f.Phase || f.Importance != "" && m.Importance() != f.Importance {
		return false
	}
	if f.Category != "" && m.Category != f.Category {
		return false
	}
	if f.Tag != "" && !slices.Contains(m.Tags, strings.ToLower(strings.TrimSpace(f.Tag))) {
		return false
	}
	if !hasTags(m, f.Tags) || m.CreatedAt.Before(f.Since) {
		return false
	}
	if f.Keyword == "" {
		return true
	}
	keyword := strings.ToLower(f.Keyword)
	return strings.Contains(strings.ToLower(m.Topic), keyword) ||
		slices.ContainsFunc(m.Tags, func(tag string) bool { return strings.Contains(tag, keyword) })
}
