package person

import (
	"context"

	"ltm/engine/tell"
	"ltm/memory/api"
)

// Statistics counts the memories of a scope by what they are; without a scope, those of both
// stores. It reads headers, and of files only what the context of the next session has, and what
// the setting trust makes it compare.
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
		if err := s.Engine.CountIn(c, api.ScopeProject); err != nil {
			return api.Statistics{}, err
		}
		if days, err = s.Engine.Days(ctx); err != nil {
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
