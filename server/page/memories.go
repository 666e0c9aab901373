package page

import (
	"context"
	"net/http"
	"net/url"
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
	p.Choice = s.choices()
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
	p.Sorts = p.Filter.sorts()
	return "Memories", p, nil
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
