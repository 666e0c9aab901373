package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ltm/api"
	"ltm/engine/brief"
	"ltm/engine/finder"
	"ltm/memory"
	"ltm/search"
	"ltm/store"
	"ltm/transcript"
)

const (
	// DefaultRecall is how many hits a query returns if no limit is given.
	DefaultRecall = 10

	// snippetChars bounds the passage that a hit shows.
	snippetChars = 300

	// unlimited is a limit above any number of memories.
	unlimited = 1 << 30
)

// Recall returns the memories that match a query, the best first. If none in sight does, it
// counts the matches out of sight.
func (e *Engine) Recall(ctx context.Context, q api.Query) (api.Recall, error) {
	q, err := checkedQuery(q)
	if err != nil {
		return api.Recall{}, err
	}
	var r api.Recall
	err = e.find(ctx, askFor(q), func(found recalled) error {
		r, err = answer(q, found)
		return err
	})
	e.trail.add(q, r, e.now())
	return r, err
}

// checkedQuery returns a query with its words as they are defined.
func checkedQuery(q api.Query) (api.Query, error) {
	if err := memory.CheckQuery(q.Text); err != nil {
		return q, err
	}
	var err error
	if q.Include, err = api.ParseInclude(string(q.Include)); err != nil {
		return q, err
	}
	if q.Order != "" {
		if q.Order, err = api.ParseOrder(string(q.Order)); err != nil {
			return q, err
		}
	}
	q.Category, err = memory.ParseCategory(string(q.Category))
	return q, err
}

// asked is a query taken apart, once for all stores.
type asked struct {
	api.Query
	query search.Query
	kind  func(memory.Memory) bool // the memories of the kinds asked for; nil: all
	pick  func() search.Snippets   // of passages
}

func askFor(q api.Query) asked {
	a := asked{Query: q, query: search.Parse(q.Text)}
	a.query.Tags = append(a.query.Tags, q.Tags...)
	a.kind = ofKind(&a.query, q.Category)
	a.query = a.query.Ready()
	a.pick = sync.OnceValue(func() search.Snippets { return search.NewSnippets(a.query) })
	return a
}

// recalled is what one store has for a query. Its functions work as long as the view is open.
type recalled struct {
	from     *Engine
	hits     []finder.Hit
	total    int
	heldBack int
	taken    map[string][]string

	standings []hitStanding // of the hits, if the query asks for an order

	show       func(finder.Hit) (shown, error) // CodeNotFound: it is gone
	outOfSight func() (int, error)             // counts the matches out of sight
}

// shown is a hit without its passage, the text to pick that from, and what picks it.
type shown struct {
	api.Hit
	source finder.Source
	pick   search.Snippets
}

// find searches the store, and calls use with what it has.
func (e *Engine) find(ctx context.Context, q asked, use func(recalled) error) error {
	return e.store.View(func(v *store.View) error {
		result := recalled{from: e, outOfSight: func() (int, error) { return 0, nil }}
		if !v.Exists() {
			return use(result)
		}
		a, err := e.asking(v, q)
		if err != nil {
			return err
		}
		defer a.finding.Close()
		limit := mostHits(q.Query)
		o := options(q.Query)
		if a.g.asks() {
			o.Limit = 0
		}
		found, total, err := a.finding.Find(ctx, q.Include, q.query, o, a.sight)
		if err != nil {
			return err
		}
		found, n := a.g.release(v, found, limit)
		result.total, result.taken = total-n, finder.TakenBy(found)
		if result.hits, result.standings, err = a.inOrder(found); err != nil {
			return err
		}
		if result.heldBack, err = a.g.heldBack(v, q.Include); err != nil {
			return err
		}
		result.show = a.show(result.taken)
		result.outOfSight = func() (int, error) { return a.outOfSight(ctx) }
		return use(result)
	})
}

// show returns what makes an answer's hit of one that was found.
func (a asking) show(taken map[string][]string) func(finder.Hit) (shown, error) {
	pick := sync.OnceValue(func() search.Snippets { return a.pick().Taking(taken) })
	marks := a.engine.marker(a.view, a.u.settings)
	return func(h finder.Hit) (shown, error) {
		m, err := a.finding.Memory(h)
		if err != nil {
			return shown{}, err
		}
		hit := hitOf(m, a.u, h.Hit)
		hit.Archived = h.Archived || h.Faded
		a.nameMatching(&hit, m, h.Archived, pick)
		hit.Scope, hit.Foreign = scope(a.view), marks.hit(h)
		return shown{hit, a.finding.Source(m, h), pick()}, nil
	}
}

// keep returns r with all that it can be asked for, to be used when the view is closed.
func (r recalled) keep(q asked) (recalled, error) {
	all, errs := make(map[string]shown, len(r.hits)), map[string]error{}
	for _, h := range r.hits {
		got, err := r.show(h)
		if err != nil && !isMissing(err) {
			return recalled{}, err
		}
		all[h.ID], errs[h.ID] = got, err
	}
	r.show = func(h finder.Hit) (shown, error) { return all[h.ID], errs[h.ID] }
	n := 0
	if r.total == 0 && q.Include == api.IncludeActive {
		var err error
		if n, err = r.outOfSight(); err != nil {
			return recalled{}, err
		}
	}
	r.outOfSight = func() (int, error) { return n, nil }
	return r, nil
}

// noting returns r such that failed gets what it cannot do.
func (r recalled) noting(failed *error) recalled {
	show, outOfSight := r.show, r.outOfSight
	r.show = func(h finder.Hit) (shown, error) {
		got, err := show(h)
		if err != nil && !isMissing(err) {
			*failed = err
		}
		return got, err
	}
	r.outOfSight = func() (int, error) {
		n, err := outOfSight()
		*failed = err
		return n, err
	}
	return r
}

// answer makes one answer of what stores have for a query.
func answer(q api.Query, found ...recalled) (api.Recall, error) {
	result := api.Recall{Memories: []api.Hit{}}
	heldBack := 0
	for _, f := range found {
		result.Total += f.total
		heldBack += f.heldBack
		for word, by := range f.taken {
			if result.Taken == nil {
				result.Taken = map[string][]string{}
			}
			result.Taken[word] = slices.Concat(result.Taken[word], by)
		}
	}
	best, from, err := merge(q, found)
	if err != nil {
		return api.Recall{}, err
	}
	for _, h := range best {
		result.Memories = append(result.Memories, h.Hit)
	}
	passages(result.Memories, best)
	if result.Total == 0 && q.Include == api.IncludeActive {
		for _, f := range found {
			n, err := f.outOfSight()
			if err != nil {
				return api.Recall{}, err
			}
			result.Archived += n
		}
	}
	if q.Asked && q.Order == "" && len(best) > 0 && !best[0].Archived {
		from.accesses.add(best[0].ID)
	}
	result.Note = append(heldNote(heldBack), recallNote(result)...)
	return result, nil
}

// options returns the search options of a query.
func options(q api.Query) search.Options {
	return search.Options{Limit: mostHits(q) % unlimited, MinScore: q.MinScore, Tag: q.Tag,
		Explain: q.Explain}
}

// hitOf returns a hit without its passage.
func hitOf(m memory.Memory, u use, h search.Hit) api.Hit {
	hit := api.Hit{ID: m.ID, Topic: m.Topic, Priority: u.rounded(m), Phase: u.phase(m), Tags: tagsOf(m.Tags),
		Marks: u.marksOf(m), Score: memory.Round2(h.Score), CreatedAt: m.CreatedAt}
	if h.Explanation != nil {
		hit.Explanation = fmt.Sprint(h.Explanation)
	}
	return hit
}

const (
	// recallTokens bounds a reply of DefaultRecall hits, in estimated tokens, which the model
	// pays for.
	recallTokens = 1500

	// hitTokens is the cost of the field names and numbers of a hit.
	hitTokens = 45

	// levelTokens is the cost of its importance, its kind or its confidence, if it has one.
	levelTokens = 9

	// leastSnippet is how short passages get, in characters, before topics and tags are cut.
	leastSnippet = 100
	// cutTopic and cutTags bound topics, in characters, and the number of tags when they are cut.
	cutTopic, cutTags = 100, 3
)

// passages fills in the summaries of hits, each as long as the reply's budget allows.
func passages(hits []api.Hit, excerpts []shown) {
	budget := float64(recallTokens) * max(1, float64(len(hits))/DefaultRecall)
	room := budget
	for _, h := range hits {
		room -= hitTokens + tokensOf(h)
	}
	if room < float64(len(hits))*leastSnippet/transcript.CharsPerToken {
		room = budget
		for i := range hits {
			hits[i].Topic = excerpts[i].pick.Of(hits[i].Topic, cutTopic)
			hits[i].Tags = hits[i].Tags[:min(len(hits[i].Tags), cutTags)]
			room -= hitTokens + tokensOf(hits[i])
		}
	}
	for i, x := range excerpts {
		// A passage leaves what it does not use to the next ones.
		most := min(snippetChars, int(room/float64(len(excerpts)-i)*transcript.CharsPerToken))
		hits[i].Summary = x.source.Passage(x.pick, max(most, leastSnippet/2))
		_, used := brief.Measure(hits[i].Summary)
		room -= used
	}
}

// tokensOf estimates the tokens of a hit's topic and tags.
func tokensOf(h api.Hit) float64 {
	_, tokens := brief.Measure(h.Topic + strings.Join(h.Tags, `","`))
	for _, there := range []bool{h.Importance != "", h.Category != "", h.Confidence != nil, len(h.SupersededBy) > 0,
		len(h.Disputes) > 0} {
		if there {
			tokens += levelTokens
		}
	}
	return tokens
}

// asking is a question to a store whose view is open.
type asking struct {
	asked
	engine  *Engine
	view    *store.View
	state   *store.State
	finding *finder.Search
	sight   finder.Sight
	u       use
	g       guard
}

// asking prepares a question. The caller closes its finding.
func (e *Engine) asking(v *store.View, q asked) (asking, error) {
	u, state, err := e.usage(v)
	if err != nil {
		return asking{}, err
	}
	if _, err := v.Memories(); err != nil { // a full look first also serves as the quick ones that follow
		return asking{}, err
	}
	a := asking{asked: q, engine: e, view: v, state: state, u: u, sight: u.sight()}
	if a.sight.Wanted, err = e.heard(v, state, q.Query, q.kind); err != nil {
		return asking{}, err
	}
	if a.g, err = e.toModel(v); err != nil {
		return asking{}, err
	}
	a.finding = e.finder.Over(v)
	return a, nil
}

// outOfSight counts the matches out of sight, without those that are held back.
func (a asking) outOfSight(ctx context.Context) (n int, err error) {
	q := a.Query
	q.Include = api.IncludeArchives
	if a.sight.Wanted, err = a.engine.heard(a.view, a.state, q, a.kind); err != nil {
		return 0, err
	}
	found, total, err := a.finding.Find(ctx, api.IncludeArchives, a.query,
		search.Options{MinScore: q.MinScore, Tag: q.Tag}, a.sight)
	if err != nil || !a.g.asks() {
		return total, err
	}
	_, held := a.g.release(a.view, found, unlimited)
	return total - held, nil
}

// heldNote says how many memories are held back.
func heldNote(held int) memory.Note {
	if text := brief.HeldBack(held); text != "" {
		return memory.Advise(memory.KindHeldBack, "", text)
	}
	return nil
}

// recallNote advises on archives that match.
func recallNote(r api.Recall) memory.Note {
	isArchived := func(h api.Hit) bool { return h.Archived }
	switch {
	case r.Archived == 1:
		return memory.Advise(memory.KindArchivedMatch, "", "1 archived memory matches")
	case r.Archived > 1:
		return memory.Advise(memory.KindArchivedMatches, "", fmt.Sprintf("%d archived memories match", r.Archived))
	case slices.ContainsFunc(r.Memories, isArchived):
		return memory.Advise(memory.KindArchivedHit, "", "")
	}
	return nil
}
