package page_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/server/page"
)

// fixture answers like an engine, with the memories that a test gives it. The engine's own answers are tested with the
// program.
type fixture struct {
	memories                      []api.Detail
	context                       api.Context
	past                          api.Past
	learned                       []string
	files                         map[string]string
	graph                         api.Graph
	commits                       []page.Commit
	graphErr, contextErr, fileErr error
	asked                         []api.ContextQuery
	orders                        []api.Order // that questions were asked with
	set                           []string    // settings
	prepared                      atomic.Int32
	faults                        int // of each sort that the store has; 0: one
	archived                      int
	foreign                       bool   // what is to be tidied is from elsewhere
	alike                         int    // pairs in each group to tidy; 0: 1
	approved                      string // the text of a file that was approved
	stamp                         atomic.Int64
	events                        func() []memory.Event // of the log; nil: many
	both                          bool                  // there are a project's store and a person's
	changed                       map[api.Scope]*changing
	unresolved                    []memory.ID
	nobodys                       bool           // no store has any memory
	now                           time.Time      // zero: the real one
	zone                          *time.Location // of the machine; nil: UTC
	days                          []api.DayCount
	proposed                      proposing
	doctor                        func(context.Context, api.Scope) ([]page.Finding, error) // nil: no doctor
}

func (f *fixture) clock() time.Time {
	if f.now.IsZero() {
		return time.Now()
	}
	return f.now
}

func someMemories() *fixture {
	return &fixture{memories: []api.Detail{{ID: "mem_00000001", Topic: "Pool size", Content: "Fifty connections.",
		Tags: []string{"db"}, Priority: 0.5}},
		context: api.Context{Text: "<ltm-memory>\nPool size\n</ltm-memory>", Style: "full", Tokens: 7, Whole: 10,
			Profile: "balanced", Budget: api.Budget{Tokens: 2000},
			Memories: []api.ContextPart{{ID: "mem_00000001", Form: "whole", Tokens: 5}}}}
}

func (f *fixture) Recall(_ context.Context, q api.Query) (api.Recall, error) {
	var r api.Recall
	f.orders = append(f.orders, q.Order)
	for _, m := range f.memories {
		if strings.Contains(m.Topic+m.Content, q.Text) {
			r.Memories = append(r.Memories,
				api.Hit{ID: m.ID, Topic: m.Topic, Summary: m.Content, Tags: m.Tags, Marks: m.Marks})
		}
	}
	r.Total = len(r.Memories)
	return r, nil
}

func (f *fixture) List(_ context.Context, filter api.ListFilter) (api.Listing, error) {
	l := api.Listing{Total: len(f.memories)}
	for i, m := range f.memories {
		if i >= filter.Offset && i < filter.Offset+filter.Limit {
			l.Memories = append(l.Memories,
				api.Entry{ID: m.ID, Topic: m.Topic, Tags: m.Tags, Marks: m.Marks, Priority: m.Priority,
					CreatedAt: m.CreatedAt, Archived: m.Archived, ArchivedAt: m.ArchivedAt})
		}
	}
	return l, nil
}

func (f *fixture) NextContext(_ context.Context, q api.ContextQuery) (api.Context, error) {
	f.asked = append(f.asked, q)
	if f.contextErr != nil {
		return api.Context{}, f.contextErr
	}
	if q.Budget > 2700 {
		return api.Context{}, memory.NewError(memory.CodeInvalid, memory.KindSettingValue, "", "that is too much")
	}
	c := f.context
	if q.Budget != 0 {
		c.Budget.Tokens, c.Memories = q.Budget, nil
	}
	return c, nil
}

func (f *fixture) Similar(_ context.Context, id string) ([]api.Similar, error) {
	var out []api.Similar
	for _, m := range f.memories {
		if string(m.ID) != id && len(out) < 3 {
			out = append(out, api.Similar{ID: m.ID, Topic: m.Topic, Similarity: 0.7})
		}
	}
	return out, nil
}

func (f *fixture) ReadFile(_ context.Context, path string) ([]byte, error) {
	if data, ok := f.files[path]; ok {
		return []byte(data), nil
	}
	return nil, memory.NewError(memory.CodeNotFound, "", path, "that file cannot be shown")
}

func (f *fixture) Aliases(context.Context, string) (api.Aliases, error) {
	return api.Aliases{Learned: f.learned}, nil
}

func (f *fixture) SetConfig(_ context.Context, key, value string) error {
	f.set = append(f.set, key+"="+value)
	return nil
}

func (f *fixture) Peek(_ context.Context, id string) (api.Detail, error) {
	for _, m := range f.memories {
		if string(m.ID) == id {
			return m, nil
		}
	}
	return api.Detail{}, memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, id, "there is no memory %s", id)
}

func (f *fixture) PeekArchive(_ context.Context, id string) (api.Detail, error) {
	return api.Detail{}, memory.NewError(memory.CodeNotFound, memory.KindArchiveMissing, id, "no archive %s", id)
}

func (f *fixture) Why(ctx context.Context, id string, _ api.Scope) (api.Why, error) {
	m, err := f.Peek(ctx, id)
	return api.Why{ID: m.ID, Topic: m.Topic, Priority: 0.5, Difficulty: 0.5,
		PriorityTerms: []api.Term{{Name: "recency", Value: 1, Weight: 0.5, Points: 0.5}},
		DifficultyTerms: []api.Term{{Name: "base", Value: 1, Weight: 0.25, Points: 0.25},
			{Name: "failures", Value: 0.61, Weight: 0.55, Rest: 0.75, Points: 0.25}}}, err
}

func (f *fixture) File(ctx context.Context, id string) ([]byte, error) {
	if f.fileErr != nil {
		return nil, f.fileErr
	}
	m, err := f.Peek(ctx, id)
	return []byte(m.Content), err
}

func (f *fixture) History(ctx context.Context, id string, _ int) (api.Past, error) {
	_, err := f.Peek(ctx, id)
	return f.past, err
}

func (f *fixture) Graph(_ context.Context, id string) (api.Graph, error) {
	g := f.graph
	if f.graphErr != nil {
		return g, f.graphErr
	}
	if id != "" && !slices.ContainsFunc(g.Nodes, func(n api.GraphNode) bool { return string(n.ID) == id }) {
		return g, memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, id, "there is no memory %s", id)
	}
	return g, nil
}

// newSite returns a site over a fixture, and whether it was asked to stop.
func newSite(t testing.TB, f *fixture, hosts ...string) (*page.Site, *bool) {
	t.Helper()
	stopped := new(bool)
	site, err := page.New(page.Options{
		Memories:   f,
		History:    f.History,
		Files:      f,
		Packets:    packetsOf{f},
		Candidates: &f.proposed,
		Authors: func(context.Context, api.Scope) map[memory.ID][]string {
			return map[memory.ID][]string{"mem_00000001": {"Ada", hostile}}
		},
		Commits: func(context.Context, api.Scope, time.Time) []page.Commit { return f.commits },
		Changer: func(scope api.Scope) (page.Changer, error) { return f.changer(scope), nil },
		ScopeOf: f.scopeOf,
		Keeper:  func(api.Scope) (page.Keeper, error) { return keeping{f}, nil },
		Person:  func() bool { return f.both },
		Doctor:  f.doctor,
		Prepare: func() { f.prepared.Add(1) },
		Stamp:   func() string { return fmt.Sprint(f.stamp.Load()) },

		Project: "harbor", Version: "1.2.3", Again: `"ltm ui"`,
		AllowHosts: hosts, Stop: func() { *stopped = true }, Now: f.clock, Zone: f.zone,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Marker: func(query string, _ map[string][]string) func(string) [][2]int {
			return func(text string) [][2]int {
				if i := strings.Index(text, query); i >= 0 {
					return [][2]int{{i, i + len(query)}}
				}
				return nil
			}
		}})
	require.NoError(t, err)
	return site, stopped
}

func TestViews(t *testing.T) {
	site, _ := newSite(t, someMemories())
	v := enter(t, site)
	next := v.get("/").Body.String()
	require.Contains(t, next, "&lt;ltm-memory&gt;\nPool size\n&lt;/ltm-memory&gt;")
	require.Contains(t, next, `href="./memory/mem_00000001"`)
	require.Contains(t, next, `aria-current="page">Next<`)
	found := v.get("/memories?q=Fifty").Body.String()
	require.Contains(t, found, "<mark>Fifty</mark> connections.")
	one := v.get("/memory/mem_00000001").Body.String()
	require.Contains(t, one, "<p>Fifty connections.</p>")
	require.Contains(t, one, `href="../memories?tag=db"`)
	require.Contains(t, one, `width="500"`)
	require.Equal(t, "Fifty connections.", v.get("/memory/mem_00000001/file").Body.String())
	require.Equal(t, 404, v.get("/memory/mem_0000000f").Code)
	require.Equal(t, 404, v.get("/none/at/all").Code)
	require.Contains(t, v.get("/none/at/all").Body.String(), `href="../../assets/style.`)
}

// TestWhatLaterViewsNeedIsPrepared once, when the first view has been answered.
func TestWhatLaterViewsNeedIsPrepared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := someMemories()
		site, _ := newSite(t, f)
		v := enter(t, site)
		v.get("/assets/style.css")
		synctest.Wait()
		require.Zero(t, f.prepared.Load())
		v.get("/")
		v.get("/memories")
		synctest.Wait()
		require.EqualValues(t, 1, f.prepared.Load())
	})
}

// TestSettingsAreTriedAndKept moves the sliders of the start page.
func TestSettingsAreTriedAndKept(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	same := v.get("/?budget=2000&whole=10&style=full&profile=balanced&agent=")
	require.NotContains(t, same.Body.String(), "Keep these settings")
	tried := v.get("/?budget=700&whole=10&style=full&profile=balanced&agent=").Body.String()
	require.Contains(t, tried, "Nothing is saved")
	require.Contains(t, tried, "<p>Gone, 1:</p>")
	require.Contains(t, tried, `<li><a href="./memory/mem_00000001" dir="auto">Pool size</a> </li></ul>`)
	require.Equal(t, api.ContextQuery{Budget: 700}, f.asked[len(f.asked)-1])
	require.Empty(t, f.set)
	require.Equal(t, 422, v.get("/?budget=9999").Code)

	kept := v.send("/settings/next", "budget=700&whole=3&style=full&profile=classic")
	require.Equal(t, 303, kept.Code)
	require.Equal(t, []string{"priority_profile=classic", "context_budget_tokens=700", "memories_to_load=3"}, f.set)
	to := kept.Header().Get("Location")
	require.Contains(t, v.get("/"+strings.TrimPrefix(to, "../")).Body.String(), "The budget is now 700")
	f.set = nil
	require.Equal(t, 422, v.send("/settings/next", "budget=9999&whole=3").Code)
	require.Empty(t, f.set, "all or none")
}

func TestPagesOfTheList(t *testing.T) {
	f := &fixture{}
	for i := range 120 {
		f.memories = append(f.memories,
			api.Detail{ID: memory.ID(fmt.Sprintf("mem_%08x", i)), Topic: fmt.Sprintf("Topic %d", i)})
	}
	site, _ := newSite(t, f)
	v := enter(t, site)
	second := v.get("/memories?page=2&tag=x").Body.String()
	require.Contains(t, second, "51–100 of 120")
	require.Contains(t, second, `rel="prev" href="?page=1&amp;tag=x"`)
	require.Contains(t, second, `rel="next" href="?page=3&amp;tag=x"`)
	require.NotContains(t, second, ">Topic 49<")
	require.Contains(t, second, ">Topic 50<")
	for _, page := range []string{"-1", "x", "99999999999999999999"} {
		require.Equal(t, 200, v.get("/memories?page="+page).Code)
	}
}

// TestFilters selects memories by what is so of them, with and without a question, and by several at once.
func TestFilters(t *testing.T) {
	f := &fixture{}
	doubt := 0.4
	for i, marks := range []api.Marks{{}, {Importance: memory.Critical}, {Confidence: &doubt},
		{Said: api.Said{Disputes: []memory.ID{"mem_00000000"}}}, {Whose: api.Whose{Foreign: true}},
		{Agent: "reviewer", Importance: memory.Critical}, {Said: api.Said{SupersededBy: []memory.ID{"mem_00000000"}}},
		{Stale: []string{"x changed"}}} {
		f.memories = append(f.memories, api.Detail{ID: memory.ID(fmt.Sprintf("mem_%08x", i)),
			Topic: fmt.Sprintf("Topic %d.", i), Marks: marks})
	}
	site, _ := newSite(t, f)
	v := enter(t, site)
	for query, want := range map[string]string{
		"state=unsure": "2", "state=disputed": "3", "state=from+elsewhere": "4", "state=for+an+agent": "5",
		"state=superseded": "6", "state=stale": "7", "q=Topic&state=unsure": "2", "q=Topic&state=stale": "7",
		"q=Topic&importance=critical": "15", "q=Topic&importance=critical&state=for+an+agent": "5",
		"q=Topic&importance=normal": "023467", "q=Topic&phase=hint": "", "q=Topic&phase=0": "01234567",
		"q=opIC": "01234567", "q=opIC&state=stale": "7", "q=opIC&state=stale&page=2": "",
	} {
		page := v.get("/memories?" + query).Body.String()
		found := ""
		for i := range f.memories {
			if strings.Contains(page, fmt.Sprintf("/memory/mem_%08x", i)) {
				found += fmt.Sprint(i)
			}
		}
		require.Equal(t, want, found, query)
		if want != "" {
			require.Contains(t, page, fmt.Sprintf("1–%d of %d", len(want), len(want)))
		}
	}
	require.NotContains(t, v.get("/stale").Body.String(), "Without the filter", "it is the view, and stays")
	for _, query := range []string{"state=x", "phase=x", "importance=x", "kind=x", "sort=x", "include=x", "shelf=x"} {
		for _, question := range []string{"", "&q=Topic"} {
			answer := v.get("/memories?" + query + question)
			if query == "shelf=x" {
				continue // without a second shelf, it is not asked
			}
			require.Equal(t, 422, answer.Code, query+question)
		}
	}
}

// TestOrders of what a question finds and of lists. An address that names none has the best first.
func TestOrders(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	chosen := regexp.MustCompile(`<option[^>]* selected>([^<]*)</option>`)
	for query, want := range map[string]struct {
		order        api.Order
		chosen, says string
	}{
		"":                  {"", "best match", "the best answer first"},
		"&sort=":            {"", "best match", "the best answer first"},
		"&sort=match":       {"", "best match", "the best answer first"},
		"&sort=age":         {api.ByAge, "age", "the newest first"},
		"&sort=%20Topic%20": {api.ByTopic, "topic", "by topic"},
		"&sort=priority":    {api.ByPriority, "priority", "the highest priority first"},
	} {
		f.orders = nil
		page := v.get("/memories?q=Fifty" + query).Body.String()
		require.Equal(t, []api.Order{want.order}, f.orders, query)
		orders := between(t, page, `name="sort"`, "</select>")
		require.Equal(t, want.chosen, chosen.FindStringSubmatch(orders)[1], query)
		require.Contains(t, between(t, page, `<p class="count">`, "</p>"), want.says, query)
		says := want.says
		if want.order == "" {
			says = "the highest priority first"
		}
		list := v.get("/memories?" + strings.TrimPrefix(query, "&")).Body.String()
		require.Equal(t, orders, between(t, list, `name="sort"`, "</select>"), "typing a question keeps the order")
		require.Contains(t, between(t, list, `<p class="count">`, "</p>"), says)
	}
	require.Contains(t, v.get("/memories").Body.String(), `<option value="" selected>best match</option>`,
		"what the field says if nothing is chosen is in no address")
}

func TestIdle(t *testing.T) {
	site, _ := newSite(t, someMemories())
	time.Sleep(2 * time.Millisecond)
	require.GreaterOrEqual(t, site.Idle(), 2*time.Millisecond)
	visitor{t: t, site: site}.get("/")
	require.GreaterOrEqual(t, site.Idle(), 2*time.Millisecond, "who is not let in is no visitor")
}
