package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/api"
	"ltm/memory"
	"ltm/store"
)

// Recall is [Engine.Recall] over the stores of the query's scope. If the person's memories cannot be
// searched, the answer is without them and says so.
func (s *Shelves) Recall(ctx context.Context, q api.Query) (api.Recall, error) {
	scope, err := api.ParseScope(string(q.Scope))
	switch {
	case err != nil:
		return api.Recall{}, err
	case scope == api.ScopeUser:
		e, err := s.own()
		if err != nil {
			return api.Recall{}, err
		}
		return e.Recall(ctx, q)
	case s.person == nil && scope == api.ScopeAll:
		r, err := s.project.Recall(ctx, q)
		r.Note = append(r.Note, without(s.none)...)
		return r, err
	case s.person == nil, scope == api.ScopeProject:
		return s.project.Recall(ctx, q)
	}
	return s.recallAll(ctx, q)
}

func (s *Shelves) recallAll(ctx context.Context, q api.Query) (api.Recall, error) {
	q, err := checkedQuery(q)
	if err != nil {
		return api.Recall{}, err
	}
	find := s.findLater
	if s.stuck.Load() == 0 && s.person.isAtHand() {
		find = s.findNow
	}
	r, err := find(ctx, q)
	s.project.trail.add(q, r, s.project.now())
	return r, err
}

// findNow searches the stores one after the other: waking another core takes longer than a search.
func (s *Shelves) findNow(ctx context.Context, q api.Query) (r api.Recall, err error) {
	asked := askFor(q)
	err = s.project.find(ctx, asked, func(found recalled) (err error) {
		failed := s.person.find(ctx, asked, func(own recalled) (failed error) {
			r, err = answer(q, found, own.noting(&failed))
			return failed
		})
		if failed != nil {
			r, err = answer(q, found)
			r.Note = append(r.Note, without(s.failed(failed))...)
		}
		return err
	})
	return r, err
}

// findLater searches the stores at the same time, and does not wait long for the person's.
func (s *Shelves) findLater(ctx context.Context, q api.Query) (r api.Recall, err error) {
	own := later(s, func() (recalled, error) { return s.person.findKept(ctx, q) })
	found, err := s.project.findKept(ctx, q)
	if err != nil {
		return api.Recall{}, err
	}
	all := []recalled{found}
	mine, failed := own()
	if mine.from != nil {
		all = append(all, mine)
	}
	r, err = answer(q, all...)
	r.Note = append(r.Note, without(failed)...)
	return r, err
}

// findKept is find with a result that can be used when the view is closed.
func (e *Engine) findKept(ctx context.Context, q api.Query) (found recalled, err error) {
	asked := askFor(q)
	err = e.find(ctx, asked, func(r recalled) error {
		found, err = r.keep(asked)
		return err
	})
	return found, err
}

// isAtHand reports whether a search would wait for neither a slow disk nor another search.
func (e *Engine) isAtHand() bool {
	return e.store.Keeps() && e.finder.IsIdle() || e.store.IsAbsent()
}

// List is [Engine.List] over the stores of the filter's scope.
func (s *Shelves) List(ctx context.Context, f api.ListFilter) (api.Listing, error) {
	scope, err := api.ParseScope(string(f.Scope))
	switch {
	case err != nil:
		return api.Listing{Memories: []api.Entry{}}, err
	case scope != api.ScopeAll:
		e, err := s.in(scope)
		if err != nil {
			return api.Listing{Memories: []api.Entry{}}, err
		}
		return e.List(ctx, f)
	}
	e, err := s.own()
	if err != nil {
		return api.Listing{Memories: []api.Entry{}}, err
	}
	page := f
	page.Offset, page.Limit = 0, min(unlimited, f.Offset+limitOr(f.Limit, DefaultList))
	list, err := s.project.List(ctx, page)
	if err != nil {
		return list, err
	}
	own, err := e.List(ctx, page)
	if err != nil {
		return own, s.failed(err)
	}
	return pageOf(list, own, f), nil
}

// pageOf returns the part of two listings that a filter asks for. Both have all entries up to its
// end, in its order.
func pageOf(a, b api.Listing, f api.ListFilter) api.Listing {
	all := slices.Concat(a.Memories, b.Memories)
	slices.SortStableFunc(all, func(x, y api.Entry) int {
		c := compareEntries(x, y, f.Order)
		if f.Reverse {
			return -c
		}
		return c
	})
	page := api.Listing{Memories: []api.Entry{}, Total: a.Total + b.Total, HeldBack: a.HeldBack + b.HeldBack,
		OfAgents: a.OfAgents + b.OfAgents}
	from := min(max(0, f.Offset), len(all))
	to := min(from+limitOr(f.Limit, DefaultList), len(all))
	page.Memories = append(page.Memories, all[from:to]...)
	page.HasMore = to < page.Total
	return page
}

// compareEntries orders entries as reorder does, and as rank otherwise.
func compareEntries(x, y api.Entry, by api.Order) int {
	used := func(e api.Entry) int64 {
		if e.AccessedAt == nil {
			return -1 << 63
		}
		return e.AccessedAt.UnixNano()
	}
	first := 0
	switch by {
	case api.ByAge:
		first = y.CreatedAt.Compare(x.CreatedAt.Time)
	case api.ByUse:
		first = cmp.Compare(used(y), used(x))
	case api.ByTopic:
		first = compareTopics(x.Topic, y.Topic)
	}
	return cmp.Or(first, cmp.Compare(y.Priority, x.Priority), y.CreatedAt.Compare(x.CreatedAt.Time),
		strings.Compare(string(x.ID), string(y.ID)))
}

// Status is [Engine.Status] of the project, with the state of the person's store.
func (s *Shelves) Status(ctx context.Context) (api.Status, error) {
	status, err := s.project.Status(ctx)
	if err != nil || !s.hasPerson() {
		return status, err
	}
	status.User = s.Shelf(ctx)
	return status, nil
}

// Shelf returns the state of the person's store, or nil if there is no place for it.
func (s *Shelves) Shelf(ctx context.Context) *api.Shelf {
	if s.person == nil {
		return nil
	}
	shelf := &api.Shelf{StorePath: s.person.StoreDir()}
	own, err := s.person.Status(ctx)
	if err != nil {
		shelf.Health, shelf.Unreadable = without(s.failed(err)), true
		return shelf
	}
	shelf.TotalMemories, shelf.TotalArchived = own.TotalMemories, own.TotalArchived
	shelf.FromElsewhere, shelf.Health = own.FromElsewhere, own.Health
	shelf.Trust, _ = own.Config["trust"].(string)
	return shelf
}

// Why is [Engine.Why] in the store of a scope, or in the one that has the memory. It says of a
// memory of the person whether the project hides it.
func (s *Shelves) Why(ctx context.Context, id string, scope api.Scope) (api.Why, error) {
	own, _ := s.section()
	explain := func(e *Engine) (api.Why, error) { return e.why(id, own) }
	var why api.Why
	var err error
	if scope == "" {
		why, err = route(ctx, s, id, explain)
	} else if e, inErr := s.in(scope); inErr == nil {
		why, err = explain(e)
	} else {
		err = inErr
	}
	if err != nil || why.Scope != api.ScopeUser {
		return why, err
	}
	why.Notes = append(why.Notes, s.placeOf(ctx, &why))
	return why, nil
}

// placeOf says what a memory of the person gets of the next session's context in this project.
func (s *Shelves) placeOf(ctx context.Context, why *api.Why) string {
	if by := s.project.hides(why.Topic); by != "" {
		return fmt.Sprintf("sessions in this project do not start with it: %s, of the project, has the same topic", by)
	}
	own, _ := s.section()
	c, err := s.project.nextContext(ctx, api.ContextQuery{}, own)
	if err != nil {
		return "the next session's context cannot be written: " + err.Error()
	}
	why.Context = api.WhyContext{Total: c.Tokens, Style: c.Style, Limit: c.Limit}
	for _, p := range c.Memories {
		if p.ID == why.ID && p.Scope == api.ScopeUser {
			why.Context.Form, why.Context.Tokens = p.Form, p.Tokens
			return fmt.Sprintf("in the next session's context it is behind the project's memories, with %d of %d "+
				"tokens", p.Tokens, c.Tokens)
		}
	}
	return "the next session's context does not have it: the person's memories get a quarter of it at most, and " +
		"those that are held back or out of sight are left out"
}

// hides returns the memory in sight that has a topic, or "".
func (e *Engine) hides(topic string) memory.ID {
	var id memory.ID
	_ = e.store.View(func(v *store.View) error { // it is a note
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		u, _, err := e.startUsage(v)
		if err != nil {
			return err
		}
		g, err := e.guardOf(v, u.settings)
		id = topicsOf(places(snapshot, u), g)[topicKey(topic)]
		return err
	})
	return id
}

// topicsOf returns the memories by their topics, without those that are held back.
func topicsOf(all []place, g guard) map[string]memory.ID {
	topics := make(map[string]memory.ID, len(all))
	for _, p := range all {
		key := topicKey(p.Topic())
		if _, known := topics[key]; !known && !g.hidesEntry(p.Entry) {
			topics[key] = p.ID()
		}
	}
	return topics
}

// topicKey returns what topics that sameTopic compares as equal have in common.
func topicKey(topic string) string {
	if hasLooseSpace(topic) {
		topic = flat(topic)
	}
	return strings.ToLower(topic)
}

// Peek is [Engine.Peek].
func (s *Shelves) Peek(ctx context.Context, id string) (api.Detail, error) {
	return route(ctx, s, id, func(e *Engine) (api.Detail, error) { return e.Peek(ctx, id) })
}

// Graph returns how memories are linked: all of both shelves or, with an id, the memory and what it is connected with
// in its own shelf.
func (s *Shelves) Graph(ctx context.Context, id string) (api.Graph, error) {
	if id != "" || !s.hasPerson() {
		return route(ctx, s, id, func(e *Engine) (api.Graph, error) { return e.Graph(ctx, id) })
	}
	g, err := s.project.Graph(ctx, "")
	if err != nil {
		return g, err
	}
	own, err := s.person.Graph(ctx, "")
	if err != nil {
		return g, s.failed(err)
	}
	g.Nodes, g.Links = append(g.Nodes, own.Nodes...), append(g.Links, own.Links...)
	g.Cycles, g.Unlinked = append(g.Cycles, own.Cycles...), g.Unlinked+own.Unlinked
	return g, nil
}

// Similar is [Engine.Similar] in the store that has the memory.
func (s *Shelves) Similar(ctx context.Context, id string) ([]api.Similar, error) {
	return route(ctx, s, id, func(e *Engine) ([]api.Similar, error) { return e.Similar(ctx, id) })
}
