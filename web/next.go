package web

import (
	"context"
	"net/http"

	"ltm/api"
	"ltm/memory"
)

// nextPage is the start page: what the next session will see, and why.
type nextPage struct {
	Context api.Context
	Style   string // what was asked for; empty: as the settings say
	Agent   string
	Shown   []nextRow
	Left    []nextRow // the first of those that are not named
	More    int       // those after them
}

// nextRow is a memory in the block, or one that was left out.
type nextRow struct {
	Place int
	api.Entry
	Form       string
	Tokens     int
	Characters int
}

const (
	// mostRanked is how many memories are looked at for the block. It has room for fewer.
	mostRanked = 400
	// mostLeft is how many of those that are left out are listed.
	mostLeft = 12
)

func nextView() view {
	return view{path: "/{$}", nav: "Next session", page: "next", load: loadNext}
}

func loadNext(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	p := nextPage{Style: q.Get("style"), Agent: q.Get("agent")}
	var err error
	ask := api.ContextQuery{Style: p.Style, Agent: p.Agent}
	if p.Context, err = s.options.Memories.NextContext(ctx, ask); err != nil {
		return "", nil, err
	}
	ranked, err := s.options.Memories.List(ctx, api.ListFilter{Agent: p.Agent, AnyAgent: p.Agent != "",
		Scope: s.everything(), Limit: mostRanked})
	if err != nil {
		return "", nil, err
	}
	p.place(ranked)
	return "Next session", p, nil
}

// place sorts memories into those that the block names and those that it leaves out.
func (p *nextPage) place(ranked api.Listing) {
	byID := map[memory.ID]api.Entry{}
	for _, m := range ranked.Memories {
		byID[m.ID] = m
	}
	named := map[memory.ID]bool{}
	for i, part := range p.Context.Memories {
		entry, known := byID[part.ID]
		if !known {
			entry = api.Entry{ID: part.ID, Topic: string(part.ID)}
		}
		named[part.ID] = true
		p.Shown = append(p.Shown, nextRow{Place: i + 1, Entry: entry, Form: part.Form, Tokens: part.Tokens,
			Characters: part.Characters})
	}
	for _, m := range ranked.Memories {
		if named[m.ID] {
			continue
		}
		if len(p.Left) == mostLeft {
			break
		}
		p.Left = append(p.Left, nextRow{Entry: m})
	}
	p.More = ranked.Total - len(p.Shown) - len(p.Left)
}
