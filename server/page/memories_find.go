package page

import (
	"cmp"
	"context"
	"slices"

	"ltm/memory"
	"ltm/memory/api"
)

// mostSelected is how many memories are looked at for filters that the engine does not have.
const mostSelected = 100_000

// chosen are the values of a filter that the engine knows.
type chosen struct {
	scope      api.Scope
	include    api.Include
	category   memory.Category
	order      api.Order // empty: the best match first
	importance memory.Importance
	phase      *memory.Phase
}

func (f memoriesFilter) chosen() (c chosen, err error) {
	if c.scope, err = f.scope(); err != nil {
		return c, err
	}
	if c.include, err = api.ParseInclude(f.Include); err != nil {
		return c, err
	}
	if c.category, err = memory.ParseCategory(f.Kind); err != nil {
		return c, err
	}
	if f.Sort != "" {
		if c.order, err = api.ParseOrder(f.Sort); err != nil {
			return c, err
		}
	}
	if f.Importance != "" {
		if c.importance, err = memory.ParseImportance(f.Importance); err != nil {
			return c, err
		}
	}
	if f.Phase != "" {
		phase, err := memory.ParsePhase(f.Phase)
		if err != nil {
			return c, err
		}
		c.phase = &phase
	}
	return c, nil
}

// selects returns what the filter selects beside what the engine does, or nil: everything.
func (f memoriesFilter) selects() (selection, error) {
	if f.State == "" {
		return nil, nil
	}
	i := slices.IndexFunc(states(), func(s state) bool { return s.Name == f.State })
	if i < 0 {
		return nil, &refusal{status: 422, text: "there is no such state: " + memory.Quote(f.State, 40)}
	}
	is := states()[i].is
	return func(m api.Marks, _ memory.Phase) bool { return is(m) }, nil
}

// selectsHits is selects for what recall finds, which it does not select by importance and phase.
func (f memoriesFilter) selectsHits(c chosen) (selection, error) {
	more, err := f.selects()
	if err != nil || c.importance == "" && c.phase == nil {
		return more, err
	}
	return func(m api.Marks, phase memory.Phase) bool {
		importance := m.Importance
		if importance == "" {
			importance = memory.Normal
		}
		return (c.importance == "" || importance == c.importance) && (c.phase == nil || phase == *c.phase) &&
			(more == nil || more(m, phase))
	}, nil
}

// search fills the page with what answers the question.
func (p *memoriesPage) search(ctx context.Context, s *Site) error {
	f := p.Filter
	c, err := f.chosen()
	if err != nil {
		return err
	}
	selects, err := f.selectsHits(c)
	if err != nil {
		return err
	}
	limit := min(f.Page*perPage, mostSelected)
	if selects != nil {
		limit = mostSelected
	}
	found, err := s.options.Memories.Recall(ctx, api.Query{Text: f.Text, Limit: limit, Tag: f.Tag, Category: c.category,
		Agent: f.Agent, Include: c.include, Explain: f.Explain, Scope: c.scope,
		Order: c.order})
	if err != nil {
		return err
	}
	p.Found, p.Order, p.Total, p.Note = true, orderSays(c.order), found.Total, found.Note
	if selects != nil {
		found.Memories = slices.DeleteFunc(found.Memories,
			func(h api.Hit) bool { return !selects(h.Marks, h.Phase) })
		p.Total = len(found.Memories)
	}
	marks := s.options.Marker(f.Text, found.Taken)
	for _, h := range onPage(found.Memories, f.Page) {
		p.Rows = append(p.Rows, memoryRow{
			Entry: api.Entry{ID: h.ID, Topic: h.Topic, Phase: h.Phase, Priority: h.Priority, Tags: h.Tags,
				Marks: h.Marks, CreatedAt: api.Time{Time: h.CreatedAt}, Archived: h.Archived, ArchivedReason: h.Reason},
			Marked: spansOf(short(h.Topic), marks), Passage: spansOf(short(h.Summary), marks), Score: h.Score,
			Explanation: h.Explanation})
	}
	return nil
}

// list fills the page with the memories that the filters leave.
func (p *memoriesPage) list(ctx context.Context, s *Site) error {
	f := p.Filter
	c, err := f.chosen()
	if err != nil {
		return err
	}
	selects, err := f.selects()
	if err != nil {
		return err
	}
	filter := api.ListFilter{Tag: f.Tag, Agent: f.Agent, AnyAgent: f.Agent == "", Scope: c.scope, Include: c.include,
		Order: c.order, Category: c.category, Importance: c.importance, Phase: c.phase, Limit: perPage,
		Offset: (f.Page - 1) * perPage}
	if selects != nil {
		filter.Limit, filter.Offset = mostSelected, 0
	}
	list, err := s.options.Memories.List(ctx, filter)
	if err != nil {
		return err
	}
	if selects != nil {
		list.Memories = slices.DeleteFunc(list.Memories, func(m api.Entry) bool { return !selects(m.Marks, m.Phase) })
		list.Total = len(list.Memories)
		list.Memories = onPage(list.Memories, f.Page)
	}
	p.Order, p.Total = orderSays(cmp.Or(c.order, api.ByPriority)), list.Total
	for _, m := range list.Memories {
		p.Rows = append(p.Rows, memoryRow{Entry: m, Marked: []span{{Text: short(m.Topic)}}})
	}
	return nil
}

// onPage returns the part of all that is on a page, which is counted from 1.
func onPage[T any](all []T, page int) []T {
	from := min((page-1)*perPage, len(all))
	return all[from:min(from+perPage, len(all))]
}
