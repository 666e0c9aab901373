package page

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
)

// memoriesPage is a list of memories: those that a question finds, or all, by filters and in an order.
type memoriesPage struct {
	Filter memoriesFilter
	Rows   []memoryRow
	Total  int
	From   int // the number of the first row, from 1
	To     int
	Prev   string // the queries of the pages before and after; empty: no such page
	Next   string
	Note   memory.Note
	Found  bool // a question was asked
	Choice choices
	Sorts  []sortChoice
	Order  string // that the rows are in, in words
	Chips  []chip
}

// chip is a filter that is used, and the query of the list without it.
type chip struct{ Text, Query string }

// chipsOf returns the filters that a request uses.
func chipsOf(r *http.Request) (chips []chip) {
	for _, key := range []string{"shelf", "kind", "importance", "phase", "state", "tag", "agent", "include"} {
		if value := r.URL.Query().Get(key); value != "" {
			chips = append(chips, chip{key + ": " + value, with(r, key, "", "page", "")})
		}
	}
	return chips
}

// memoriesFilter is what the query of the address says.
type memoriesFilter struct {
	Text, Shelf, Kind, Tag, Importance, Phase, Agent, Include string
	State                                                     string // one of the states
	Sort                                                      string // empty: see bestMatch
	Explain                                                   bool
	Page                                                      int // from 1
}

// choices are what the filters offer.
type choices struct {
	Kinds       []memory.Category
	Importances []memory.Importance
	Phases      []memory.Phase
	States      []state
	Shelves     bool
}

func (s *Site) choices() choices {
	return choices{Kinds: memory.Categories(),
		Importances: []memory.Importance{memory.Critical, memory.Important, memory.Normal, memory.Low},
		Phases:      []memory.Phase{memory.Full, memory.Hint, memory.Abstract, memory.Removed}, States: states(),
		Shelves: s.options.Person()}
}

// selection reports whether a memory with these marks is wanted.
type selection func(api.Marks, memory.Phase) bool

// state is something that is so of some memories.
type state struct {
	Name string
	is   func(api.Marks) bool
}

// states lists what memories can be selected by beside their own properties.
func states() []state {
	return []state{
		{"unsure", func(m api.Marks) bool { return m.Confidence != nil }},
		{"disputed", func(m api.Marks) bool { return len(m.Disputes) > 0 }},
		{"superseded", func(m api.Marks) bool { return len(m.SupersededBy) > 0 }},
		{"from elsewhere", func(m api.Marks) bool { return m.Foreign }},
		{"for an agent", func(m api.Marks) bool { return m.Agent != "" }},
		{"stale", func(m api.Marks) bool { return len(m.Stale) > 0 }},
	}
}

// bestMatch is the name of the order that no address needs to name: the best answers to a question first, and without
// one the highest priority.
const bestMatch = "match"

// sortChoice is an order that is offered.
type sortChoice struct {
	Value, Name string
	Here        bool
}

// orderSays says which order rows are in.
func orderSays(order api.Order) string {
	switch order {
	case "":
		return "the best answer first"
	case api.ByPriority:
		return "the highest priority first"
	case api.ByAge:
		return "the newest first"
	case api.ByUse:
		return "the last used first"
	}
	return "by " + string(order)
}

// sorts returns what the field of the order offers: the same without a question, as the reader may type one.
func (f memoriesFilter) sorts() []sortChoice {
	all := []sortChoice{{Name: "best match", Here: f.Sort == ""}}
	for _, name := range api.Orders() {
		all = append(all, sortChoice{Value: name, Name: name, Here: name == f.Sort})
	}
	return all
}

// memoryRow is a memory in the list.
type memoryRow struct {
	api.Entry
	Marked      []span // its topic
	Passage     []span // what answers the question
	Score       float64
	Explanation string
	Unresolved  bool // its file has an unresolved merge
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

// memoriesName is that of the list in the navigation.
const memoriesName = "Memories"

func memoriesView() view {
	return view{path: "/memories", nav: memoriesName, page: "memories", load: loadMemories}
}

func loadMemories(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	return filterOf(r.URL.Query()).load(ctx, s, r)
}

// load returns the page with what the filter leaves, and with links that change the query of a request.
func (f memoriesFilter) load(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	p := memoriesPage{Filter: f, Choice: s.choices()}
	if !p.Choice.Shelves {
		p.Filter.Shelf = string(api.ScopeProject)
	}
	var err error
	if p.Filter.Text != "" {
		err = p.search(ctx, s)
	} else {
		err = p.list(ctx, s, nil)
	}
	if err != nil {
		return "", nil, err
	}
	unresolved := s.unresolved(ctx)
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.Unresolved = unresolved[row.ID]; row.Passage == nil && !row.Archived && !row.Unresolved {
			if file, err := s.options.Memories.File(ctx, string(row.ID)); err == nil {
				row.Passage = []span{{Text: plain(beginning(string(file)), mostBeginning)}}
			}
		}
	}
	p.From, p.To = (p.Filter.Page-1)*perPage+1, (p.Filter.Page-1)*perPage+len(p.Rows)
	if p.Filter.Page > 1 {
		p.Prev = with(r, "page", strconv.Itoa(p.Filter.Page-1))
	}
	if p.To < p.Total {
		p.Next = with(r, "page", strconv.Itoa(p.Filter.Page+1))
	}
	p.Sorts, p.Chips = p.Filter.sorts(), chipsOf(r)
	return "Memories", p, nil
}

// mostBeginning is how much of a memory's text a row of the list shows, in characters.
const mostBeginning = 100

// beginning returns the first line of the text in a memory's file.
func beginning(file string) string {
	for line := range strings.SplitSeq(bodyOf(file), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return ""
}

func filterOf(q url.Values) memoriesFilter {
	f := memoriesFilter{Text: strings.TrimSpace(q.Get("q")), Shelf: q.Get("shelf"), Kind: q.Get("kind"),
		Tag: q.Get("tag"), Importance: q.Get("importance"), Phase: q.Get("phase"), Agent: q.Get("agent"),
		Include: q.Get("include"), State: q.Get("state"), Explain: q.Get("explain") != ""}
	f.Page, _ = strconv.Atoi(q.Get("page")) // anything else is the first
	f.Page = min(max(1, f.Page), 1<<20)
	if f.Sort = strings.ToLower(strings.TrimSpace(q.Get("sort"))); f.Sort == bestMatch {
		f.Sort = ""
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
	if found.Total == 0 {
		if err := p.list(ctx, s, literally(f.Text)); err != nil || p.Total > 0 {
			return err
		}
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

// literally selects what recall has no words for: a memory by its id, or those with a part of a word, or a sign such as
// an emoji, in their topics.
func literally(text string) func(api.Entry) bool {
	low := strings.ToLower(text)
	return func(m api.Entry) bool {
		return len(low) > len("mem_") && strings.HasPrefix(string(m.ID), low) ||
			strings.Contains(strings.ToLower(m.Topic), low) || slices.Contains(m.Tags, text)
	}
}

// list fills the page with the memories that the filters leave, of those that are wanted wherever they are; nil: all.
func (p *memoriesPage) list(ctx context.Context, s *Site, wanted func(api.Entry) bool) error {
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
	if selects != nil || wanted != nil {
		filter.Limit, filter.Offset = mostSelected, 0
	}
	if wanted != nil && f.Include == "" {
		filter.Include = api.IncludeAll
	}
	list, err := s.options.Memories.List(ctx, filter)
	if err != nil {
		return err
	}
	if filter.Limit == mostSelected {
		list.Memories = slices.DeleteFunc(list.Memories, func(m api.Entry) bool {
			return selects != nil && !selects(m.Marks, m.Phase) || wanted != nil && !wanted(m)
		})
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
