package page

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

// nextPage is the start page: what the next session will see, and why.
type nextPage struct {
	api.Context
	Base    api.Context // by the settings as they are
	Tries   bool        // other values are tried
	Agent   string
	Bounds  bounds
	Meter   []meterPart // what each memory takes of the budget
	Shown   []nextRow
	Left    []nextRow // the first of those that are not named
	More    int       // those after them
	Added   []nextRow // what the tried values bring, and what they drop
	Dropped []nextRow
}

// nextRow is a memory in the block, or one that was left out.
type nextRow struct {
	api.Entry
	Part  api.ContextPart
	Place int
	Why   string

	Unresolved bool // its file has an unresolved merge
}

// meterPart is what a memory takes of the budget, in thousandths of the meter.
type meterPart struct {
	X, Width, Place int
	Class, Title    string
}

// bounds are those of the settings that can be tried.
type bounds struct{ LeastBudget, MostBudget, MostWhole int }

const (
	// mostRanked is how many memories are looked at for the block. It has room for fewer.
	mostRanked = 400
	// mostLeft is how many of those that are left out are listed.
	mostLeft = 12
)

// settingsBounds returns the limits of context_budget_tokens and, as far as a slider needs it, memories_to_load.
func settingsBounds() bounds { return bounds{LeastBudget: 200, MostBudget: 2700, MostWhole: 40} }

func nextView() view {
	return view{path: "/{$}", nav: "Next", page: "next", load: loadNext}
}

func loadNext(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	p := nextPage{Agent: q.Get("agent"), Bounds: settingsBounds()}
	var err error
	if p.Base, err = s.options.Memories.NextContext(ctx, api.ContextQuery{Agent: p.Agent}); err != nil {
		return "", nil, err
	}
	p.Context = p.Base
	try := triedIn(q, p.Base)
	if try != (api.ContextQuery{}) {
		p.Tries, try.Agent = true, p.Agent
		if p.Context, err = s.options.Memories.NextContext(ctx, try); err != nil {
			return "", nil, err
		}
	}
	ranked, err := s.options.Memories.List(ctx, api.ListFilter{Agent: p.Agent, AnyAgent: p.Agent != "",
		Scope: s.everything(), Limit: mostRanked})
	if err != nil {
		return "", nil, err
	}
	p.place(ranked, s.unresolved(ctx))
	return "Next session", p, nil
}

// triedIn returns the values in a query that are not those of the settings.
func triedIn(q url.Values, base api.Context) api.ContextQuery {
	var try api.ContextQuery
	if style := q.Get("style"); style != base.Style {
		try.Style = style
	}
	if profile := q.Get("profile"); profile != base.Profile {
		try.Profile = profile
	}
	if n, err := strconv.Atoi(q.Get("budget")); err == nil && n != base.Budget.Tokens {
		try.Budget = n
	}
	if n, err := strconv.Atoi(q.Get("whole")); err == nil && n != base.Whole {
		try.Whole = &n
	}
	return try
}

// place sorts memories into those that the block names and those that it leaves out.
func (p *nextPage) place(ranked api.Listing, unresolved map[memory.ID]bool) {
	byID := map[memory.ID]api.Entry{}
	for _, m := range ranked.Memories {
		byID[m.ID] = m
	}
	row := func(id memory.ID) nextRow {
		if entry, known := byID[id]; known {
			return nextRow{Entry: entry, Unresolved: unresolved[id]}
		}
		return nextRow{Entry: api.Entry{ID: id, Topic: string(id)}}
	}
	named, before := partsOf(p.Context), partsOf(p.Base)
	at := 0
	for i, part := range p.Context.Memories {
		r := row(part.ID)
		r.Part, r.Place = part, i+1
		if part.Priority == 0 {
			r.Part.Priority = r.Priority
		}
		r.Why = whyHere(r)
		p.Shown = append(p.Shown, r)
		if width := part.Tokens * barWidth / max(1, p.Budget.Tokens, p.Tokens); width > 0 {
			p.Meter = append(p.Meter, meterPart{X: at, Width: width, Place: r.Place, Class: r.class(),
				Title: short(r.Topic)})
			at += width
		}
		if !before[part.ID] {
			p.Added = append(p.Added, r)
		}
	}
	for _, part := range p.Base.Memories {
		if !named[part.ID] {
			p.Dropped = append(p.Dropped, row(part.ID))
		}
	}
	for _, m := range ranked.Memories {
		if !named[m.ID] && len(p.Left) < mostLeft {
			p.Left = append(p.Left, nextRow{Entry: m, Unresolved: unresolved[m.ID]})
		}
	}
	p.More = ranked.Total - len(p.Shown) - len(p.Left)
}

// class names the color of a memory in the meter.
func (r nextRow) class() string {
	switch {
	case r.Part.Scope == api.ScopeUser:
		return "own"
	case r.Importance == memory.Critical, r.Importance == memory.Important:
		return string(r.Importance)
	}
	return "normal"
}

// LimitAt returns where the budget ends in the meter; 0: at its end.
func (p nextPage) LimitAt() int {
	if p.Tokens <= p.Budget.Tokens {
		return 0
	}
	return p.Budget.Tokens * barWidth / p.Tokens
}

func partsOf(c api.Context) map[memory.ID]bool {
	ids := map[memory.ID]bool{}
	for _, part := range c.Memories {
		ids[part.ID] = true
	}
	return ids
}

// whyHere says why a memory has its place.
func whyHere(r nextRow) string {
	switch {
	case r.Part.Scope == api.ScopeUser:
		return "your own: behind the project's, in a quarter of the block"
	case r.Importance == memory.Critical:
		return "critical: before all others"
	}
	return fmt.Sprintf("priority %.2f", r.Part.Priority)
}

// settingsAction stores what was tried on the start page.
func settingsAction() action {
	return action{path: "/settings/next", do: func(ctx context.Context, s *Site, r *http.Request) (reply, error) {
		base, err := s.options.Memories.NextContext(ctx, api.ContextQuery{})
		if err != nil {
			return reply{}, err
		}
		try := triedIn(r.PostForm, base)
		values := [][3]string{{"context_style", "The style", try.Style},
			{"priority_profile", "The priority", try.Profile}}
		if try.Budget != 0 {
			values = append(values, [3]string{"context_budget_tokens", "The budget", strconv.Itoa(try.Budget)})
		}
		if try.Whole != nil {
			values = append(values, [3]string{"memories_to_load", "The number shown whole", strconv.Itoa(*try.Whole)})
		}
		// All are looked at before the first is stored.
		if _, err := s.options.Memories.NextContext(ctx, try); err != nil {
			return reply{}, err
		}
		done := ""
		for _, v := range values {
			if v[2] == "" {
				continue
			}
			if err := s.options.Memories.SetConfig(ctx, v[0], v[2]); err != nil {
				return reply{}, err
			}
			done += v[1] + " is now " + safe.ClipLine(v[2], 40) + ". "
		}
		return reply{next: s.after("", []doneBar{{Text: done}})}, nil
	}}
}
