package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"ltm/api"
	"ltm/memory"
)

// memoriesPage is a list of memories: those that a question finds, or all, by filters and in an order.
type memoriesPage struct {
	Filter memoriesFilter
	Rows   []memoryRow
	Total  int
	From   int // the number of the first row, from 1
	To     int
	Prev   string // the queries of the pages before and after; empty: there is none
	Next   string
	Note   memory.Note
	Found  bool // a question was asked
	Choice choices
	Sorts  []sortLink
}

// memoriesFilter is what the query of the address says.
type memoriesFilter struct {
	Text, Shelf, Kind, Tag, Importance, Phase, Agent, Include string
	Sort                                                      string
	Explain                                                   bool
	Page                                                      int // from 1
}

// choices are what the filters offer.
type choices struct {
	Kinds       []memory.Category
	Importances []memory.Importance
	Shelves     bool
}

type sortLink struct {
	Name, Query string
	Here        bool
}

// memoryRow is a memory in the list.
type memoryRow struct {
	api.Entry
	Marked      []span // its topic
	Passage     []span // what answers the question
	Score       float64
	Explanation string
}

// Labels are the first tags of a memory.
func (m memoryRow) Labels() []string { return m.Tags[:min(len(m.Tags), mostTags)] }

// span is a part of a text, which a question found or not.
type span struct {
	Text string
	Hit  bool
}

// mostTags is how many tags of a memory a list shows.
const mostTags = 8

// perPage is how many memories are on a page of the list.
const perPage = 50

func memoriesView() view {
	return view{path: "/memories", nav: "Memories", page: "memories", load: loadMemories}
}

func loadMemories(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	p := memoriesPage{Filter: filterOf(r.URL.Query())}
	p.Choice = choices{Kinds: memory.Categories(),
		Importances: []memory.Importance{memory.Critical, memory.Important, memory.Normal, memory.Low},
		Shelves:     s.options.Person()}
	if !p.Choice.Shelves {
		p.Filter.Shelf = string(api.ScopeProject)
	}
	var err error
	if p.Filter.Text != "" {
		err = p.search(ctx, s)
	} else {
		err = p.list(ctx, s)
	}
	if err != nil {
		return "", nil, err
	}
	p.From, p.To = (p.Filter.Page-1)*perPage+1, (p.Filter.Page-1)*perPage+len(p.Rows)
	if p.Filter.Page > 1 {
		p.Prev = with(r, "page", strconv.Itoa(p.Filter.Page-1))
	}
	if p.To < p.Total {
		p.Next = with(r, "page", strconv.Itoa(p.Filter.Page+1))
	}
	for _, name := range api.Orders() {
		p.Sorts = append(p.Sorts, sortLink{Name: name, Query: with(r, "sort", name, "page", ""),
			Here: name == p.Filter.Sort})
	}
	return "Memories", p, nil
}

func filterOf(q url.Values) memoriesFilter {
	f := memoriesFilter{Text: strings.TrimSpace(q.Get("q")), Shelf: q.Get("shelf"), Kind: q.Get("kind"),
		Tag: q.Get("tag"), Importance: q.Get("importance"), Phase: q.Get("phase"), Agent: q.Get("agent"),
		Include: q.Get("include"), Sort: q.Get("sort"), Explain: q.Get("explain") != ""}
	f.Page, _ = strconv.Atoi(q.Get("page")) // anything else is the first
	f.Page = min(max(1, f.Page), 1<<20)
	if f.Sort == "" {
		f.Sort = string(api.ByPriority)
	}
	return f
}

// scope returns the shelves that the filter is about.
func (f memoriesFilter) scope() (api.Scope, error) {
	if f.Shelf == "" {
		return api.ScopeAll, nil
	}
	return api.ParseScope(f.Shelf)
}

// search fills the page with what answers the question.
func (p *memoriesPage) search(ctx context.Context, s *Site) error {
	f := p.Filter
	scope, err := f.scope()
	if err != nil {
		return err
	}
	include, err := api.ParseInclude(f.Include)
	if err != nil {
		return err
	}
	category, err := memory.ParseCategory(f.Kind)
	if err != nil {
		return err
	}
	found, err := s.options.Memories.Recall(ctx, api.Query{Text: f.Text, Limit: f.Page * perPage, Tag: f.Tag,
		Category: category, Agent: f.Agent, Include: include, Explain: f.Explain, Scope: scope})
	if err != nil {
		return err
	}
	p.Found, p.Total, p.Note = true, found.Total, found.Note
	marks := s.options.Marker(f.Text, found.Taken)
	for i := (f.Page - 1) * perPage; i < len(found.Memories); i++ {
		h := found.Memories[i]
		p.Rows = append(p.Rows, memoryRow{
			Entry: api.Entry{ID: h.ID, Topic: h.Topic, Phase: h.Phase, Priority: h.Priority, Tags: h.Tags,
				Marks: h.Marks, CreatedAt: api.Time{Time: h.CreatedAt}, Archived: h.Archived},
			Marked: spansOf(short(h.Topic), marks), Passage: spansOf(short(h.Summary), marks), Score: h.Score,
			Explanation: h.Explanation})
	}
	return nil
}

// list fills the page with the memories that the filters leave.
func (p *memoriesPage) list(ctx context.Context, s *Site) (err error) {
	f := p.Filter
	filter := api.ListFilter{Tag: f.Tag, Agent: f.Agent, AnyAgent: f.Agent == "", Limit: perPage,
		Offset: (f.Page - 1) * perPage}
	if filter.Scope, err = f.scope(); err != nil {
		return err
	}
	if filter.Include, err = api.ParseInclude(f.Include); err != nil {
		return err
	}
	if filter.Order, err = api.ParseOrder(f.Sort); err != nil {
		return err
	}
	if filter.Category, err = memory.ParseCategory(f.Kind); err != nil {
		return err
	}
	if f.Importance != "" {
		if filter.Importance, err = memory.ParseImportance(f.Importance); err != nil {
			return err
		}
	}
	if f.Phase != "" {
		phase, err := memory.ParsePhase(f.Phase)
		if err != nil {
			return err
		}
		filter.Phase = &phase
	}
	list, err := s.options.Memories.List(ctx, filter)
	if err != nil {
		return err
	}
	p.Total = list.Total
	for _, m := range list.Memories {
		p.Rows = append(p.Rows, memoryRow{Entry: m, Marked: []span{{Text: short(m.Topic)}}})
	}
	return nil
}
