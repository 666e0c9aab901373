package person

import (
	"context"
	"fmt"
	"slices"

	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/tell"
	"ltm/memory/api"
)

// Recall is [tell.Engine.Recall] over the stores of the query's scope. If the person's memories cannot be
// searched, the answer is without them and says so.
func (s *Shelves) Recall(ctx context.Context, q api.Query) (api.Recall, error) {
	scope, err := api.ParseScope(string(q.Scope))
	switch {
	case err != nil:
		return api.Recall{}, err
	case scope == api.ScopeUser, scope == api.ScopeProject:
		e, err := s.In(scope)
		if err != nil {
			return api.Recall{}, err
		}
		return e.Recall(ctx, q)
	case s.person == nil:
		r, err := s.project.Recall(ctx, q)
		if scope == api.ScopeAll {
			r.Note = append(r.Note, without(s.none)...)
		}
		return r, err
	}
	return s.recallAll(ctx, q)
}

// recallAll searches both stores at the same time, and does not wait long for the person's.
func (s *Shelves) recallAll(ctx context.Context, q api.Query) (api.Recall, error) {
	q, err := find.CheckQuery(q)
	if err != nil {
		return api.Recall{}, err
	}
	asked := find.ParseQuestion(q)
	own := later(s, func() (find.Found, error) { return s.person.Find(ctx, asked) })
	project, err := s.project.Find(ctx, asked)
	if err != nil {
		return api.Recall{}, err
	}
	mine, failed := own()
	var topics []string
	for _, h := range mine.Hits {
		topics = append(topics, h.Topic)
	}
	over := s.project.WithTopics(topics)
	for i, h := range mine.Hits {
		if by := over[rank.TopicKey(h.Topic)]; by != "" {
			mine.Hits[i].OverriddenBy = by
			mine.After = rank.With(mine.After, h.ID, by)
		}
	}
	r, first := find.Answer(q, project, mine)
	r.Note = append(r.Note, without(failed)...)
	if i := slices.IndexFunc(r.Memories, func(h api.Hit) bool { return h.ID == first }); q.Asked && i >= 0 {
		if r.Memories[i].Scope == api.ScopeUser {
			s.person.Accesses.Add(first)
		} else {
			s.project.Accesses.Add(first)
		}
	}
	s.project.Questions.Add(q, r, s.project.Now())
	return r, nil
}

// List is [tell.Engine.List] over the stores of the filter's scope.
func (s *Shelves) List(ctx context.Context, f api.ListFilter) (api.Listing, error) {
	none := api.Listing{Memories: []api.Entry{}}
	scope, err := api.ParseScope(string(f.Scope))
	if err != nil {
		return none, err
	}
	if scope != api.ScopeAll {
		e, err := s.In(scope)
		if err != nil {
			return none, err
		}
		return e.List(ctx, f)
	}
	if _, err := s.own(); err != nil {
		return none, err
	}
	list := none
	err = s.project.Ranking(f, func(project find.Ranking) error {
		return s.failed(s.person.Ranking(f, func(own find.Ranking) error {
			over := s.project.WithTopics(own.Topics())
			list = find.PageOf(f, project, own.Overridden(over))
			return nil
		}))
	})
	return list, err
}

// Status is [tell.Engine.Status] of the project, with the state of the person's store.
func (s *Shelves) Status(ctx context.Context) (api.Status, error) {
	status, err := s.project.Status(ctx)
	if err != nil || !s.HasPerson() {
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

// Why explains the priority and the difficulty of a memory, term by term: in the store of a scope, or in the one that
// has the memory. It says of a memory of the person whether the project hides it. It does not count as an access.
func (s *Shelves) Why(ctx context.Context, id string, scope api.Scope) (api.Why, error) {
	own, _ := s.section()
	explain := func(e *tell.Engine) (api.Why, error) { return e.Why(id, own) }
	var why api.Why
	var err error
	if scope == "" {
		why, err = route(ctx, s, id, explain)
	} else if e, inErr := s.In(scope); inErr == nil {
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
	if by := s.project.Hides(why.Topic); by != "" {
		return fmt.Sprintf("sessions in this project do not start with it: %s, of the project, has the same topic", by)
	}
	own, _ := s.section()
	c, err := s.project.NextContext(ctx, api.ContextQuery{}, own)
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

func (s *Shelves) Peek(ctx context.Context, id string) (api.Detail, error) {
	d, err := route(ctx, s, id, func(e *tell.Engine) (api.Detail, error) { return e.Peek(ctx, id) })
	return s.MarkOverridden(d), err
}

// Graph returns how memories are linked: all of both shelves or, with an id, the memory and what it is connected with
// in its own shelf.
func (s *Shelves) Graph(ctx context.Context, id string) (api.Graph, error) {
	if id != "" || !s.HasPerson() {
		return route(ctx, s, id, func(e *tell.Engine) (api.Graph, error) { return e.Graph(ctx, id) })
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

func (s *Shelves) Similar(ctx context.Context, id string) ([]api.Similar, error) {
	return route(ctx, s, id, func(e *tell.Engine) ([]api.Similar, error) { return e.Similar(ctx, id) })
}

// Statistics counts the memories of a scope by what they are; without a scope, those of both stores. It reads headers,
// and of files only what the context of the next session has, and what the setting trust makes it compare.
func (s *Shelves) Statistics(ctx context.Context, scope api.Scope) (api.Statistics, error) {
	scope, err := api.ParseScope(string(scope))
	if err != nil {
		return api.Statistics{}, err
	}
	block, err := s.NextContext(ctx, api.ContextQuery{})
	if err != nil {
		return api.Statistics{}, err
	}
	c := tell.NewCensus(block)
	var days []api.DayCount
	if scope != api.ScopeUser {
		if err := s.project.CountIn(c, api.ScopeProject); err != nil {
			return api.Statistics{}, err
		}
		if days, err = s.project.Days(ctx); err != nil {
			return api.Statistics{}, err
		}
	}
	if scope != api.ScopeProject && s.HasPerson() {
		// A store that does not answer in time may still be counting.
		_, err = later(s, func() (none struct{}, err error) { return none, s.person.CountIn(c, api.ScopeUser) })()
		if err != nil {
			return api.Statistics{}, err
		}
	}
	st := c.Statistics(block)
	st.Days = days
	return st, nil
}
