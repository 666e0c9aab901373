package find

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/finder"
	"ltm/engine/rank"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/search"
)

// Recall returns the memories that match a query, the best first. If none is a clear match, it returns the nearest and
// says so. If none in sight matches, it counts the matches out of sight.
func (e *Engine) Recall(ctx context.Context, q api.Query) (api.Recall, error) {
	q, err := CheckQuery(q)
	if err != nil {
		return api.Recall{}, err
	}
	found, err := e.Find(ctx, ParseQuestion(q))
	if err != nil {
		return api.Recall{}, err
	}
	r, first := Answer(q, found)
	if q.Asked && first != "" { // being the first hit counts as half an access
		e.Accesses.Add(first)
	}
	e.Questions.Add(q, r, e.Now())
	return r, nil
}

// CheckQuery returns a query with its words as they are defined.
func CheckQuery(q api.Query) (api.Query, error) {
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

// Question is a query taken apart, once for all stores.
type Question struct {
	api.Query
	query search.Query
	kind  func(memory.Memory) bool // the memories of the kinds asked for; nil: all
	pick  func() search.Snippets   // of passages
}

func ParseQuestion(q api.Query) Question {
	a := Question{Query: q, query: search.Parse(q.Text)}
	a.query.Tags = append(a.query.Tags, q.Tags...)
	a.kind = ofKind(&a.query, q.Category)
	a.query = a.query.Ready()
	a.pick = sync.OnceValue(func() search.Snippets { return search.NewSnippets(a.query) })
	return a
}

// Found is what one store has for a query.
type Found struct {
	Hits       []hit // the best first, or in the order of the query; no more than it asks for
	total      int
	heldBack   int
	outOfSight int // matches out of sight, if none is in sight
	taken      map[string][]string
	After      map[memory.ID]memory.ID // see behind
}

// hit is a hit without its passage, the text to pick that from, and what picks it.
type hit struct {
	api.Hit
	rank.Listed
	clear  bool
	source finder.Source
	pick   search.Snippets
}

// A question has an answer if one of its hits is clear. The others share a common word or two with it. The values were
// chosen on testdata/search/memories.json, in stores of 6, 25, 75 and 152 memories: of questions without an answer 89,
// 79, 59 and 82 % have no clear hit, of those with one 16, 15, 11 and 9 %, and mostly the first hit of these is wrong.
// Those are paraphrases that share one word with their answer. In four public sets of questions it is less than 1 %.
const (
	clearScore    = 0.35 // about a third of the question
	clearByWord   = 0.55 // for a hit that has only one word of it
	clearEvidence = 1.6  // in words that only this memory has: a question may name a thing in several ways

	// mostNearest bounds the hits of an answer without a clear one.
	mostNearest = 3
)

func isClear(h search.Hit) bool {
	return h.Score >= clearByWord || h.Score >= clearScore && h.Words > 1 || h.Evidence >= clearEvidence
}

func (e *Engine) Find(ctx context.Context, q Question) (out Found, err error) {
	err = e.Store.View(func(v *store.View) error {
		if !v.Exists() {
			return nil
		}
		a, err := e.lookup(v, q)
		if err != nil {
			return err
		}
		defer a.finding.Close()
		o := options(q.Query)
		if out.After = a.u.Standings.Get().Corrections(); a.g.HoldsBack() || len(out.After) > 0 {
			o.Limit = 0
		}
		all, total, err := a.finding.Find(ctx, q.Include, q.query, o, a.sight)
		if err != nil {
			return err
		}
		all, n := release(a.g, all)
		out.total, out.taken = total-n, finder.TakenBy(all)
		if out.Hits, err = a.hits(all, out); err != nil {
			return err
		}
		if out.heldBack, err = rank.HeldBack(a.g, q.Include); err != nil {
			return err
		}
		if out.total == 0 && q.Include == api.IncludeActive {
			out.outOfSight, err = a.outOfSight(ctx)
		}
		return err
	})
	return out, err
}

// hits makes an answer's hits of the first that were found, in the order that the query asks for. found has the best
// first.
func (a lookup) hits(all []finder.Hit, out Found) ([]hit, error) {
	pick := sync.OnceValue(func() search.Snippets { return a.pick().Taking(out.taken) })
	marks := a.engine.Origins(a.view, a.u.Settings)
	order, err := a.inOrder(all, out.After)
	if err != nil {
		return nil, err
	}
	hits := make([]hit, 0, len(order))
	for _, l := range order[:min(len(order), rank.LimitOr(a.Limit, rank.DefaultRecall))] {
		h := all[l.at]
		m, err := a.finding.Memory(h)
		switch {
		case base.IsMissing(err):
			continue
		case err != nil:
			return nil, err
		}
		got := hit{hitOf(m, a.u, h.Hit), l.Listed, isClear(h.Hit), a.finding.Source(m, h), pick()}
		if got.Archived = h.Archived || h.Faded; got.Archived {
			got.Reason = a.whyArchived(h)
		}
		a.nameMatching(&got.Hit, m, h.Archived, pick)
		got.Scope, got.Foreign = base.Scope(a.view), marks.Foreign(m.ID, h.Archived)
		hits = append(hits, got)
	}
	return hits, nil
}

// ordered is what a hit is sorted by, and its place among those that were found.
type ordered struct {
	rank.Listed
	at int
}

// inOrder returns the hits that were found in the order that the query asks for.
func (a lookup) inOrder(all []finder.Hit, after map[memory.ID]memory.ID) ([]ordered, error) {
	order := make([]ordered, len(all))
	for i, h := range all {
		order[i] = ordered{rank.Listed{Key: memory.ID(h.ID)}, i}
	}
	if a.Order == "" {
		return rank.Behind(order, func(o ordered) memory.ID { return o.Key }, after), nil
	}
	active, err := a.view.Memories()
	if err != nil {
		return nil, err
	}
	archives, err := a.view.ArchivedTexts()
	if err != nil {
		return nil, err
	}
	for i, h := range all {
		directory := active
		if h.Archived {
			directory = archives
		}
		if m := directory.Header(memory.ID(h.ID)); m != nil {
			order[i].Listed = a.u.ListedOf(m)
		}
	}
	slices.SortStableFunc(order, func(x, y ordered) int { return x.CompareBy(&y.Listed, a.Order) })
	return order, nil
}

// Answer makes one answer of what stores have for a query. first is the memory that answers it, if one does.
func Answer(q api.Query, stores ...Found) (result api.Recall, first memory.ID) {
	result = api.Recall{Memories: []api.Hit{}}
	heldBack, outOfSight := 0, 0
	for _, f := range stores {
		result.Total += f.total
		heldBack += f.heldBack
		outOfSight += f.outOfSight
		for word, by := range f.taken {
			if result.Taken == nil {
				result.Taken = map[string][]string{}
			}
			result.Taken[word] = slices.Concat(result.Taken[word], by)
		}
	}
	best := merge(q, stores)
	isClear := func(h hit) bool { return h.clear }
	if len(best) > 0 && q.Order == "" && q.MinScore == 0 && !slices.ContainsFunc(best, isClear) {
		best, result.Nearest = best[:min(mostNearest, len(best))], true
	}
	for _, h := range best {
		result.Memories = append(result.Memories, h.Hit)
	}
	passages(result.Memories, best)
	if result.Total == 0 {
		result.Archived = outOfSight
	}
	if q.Order == "" && len(best) > 0 && !best[0].Archived && !result.Nearest {
		first = best[0].ID
	}
	if result.Nearest {
		result.Note = memory.Say("nothing clear; nearest:")
	}
	result.Note = slices.Concat(result.Note, heldNote(heldBack), recallNote(result))
	return result, first
}

// merge returns the first hits of all stores, in the order of the query. Scores are comparable across stores; of two
// that are equal, that of the first store comes first.
func merge(q api.Query, stores []Found) []hit {
	var all []hit
	after, at := map[memory.ID]memory.ID{}, make([]int, len(stores))
	for {
		best := -1
		for i, f := range stores {
			if at[i] < len(f.Hits) && (best < 0 || f.Hits[at[i]].isBefore(&stores[best].Hits[at[best]], q.Order)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		all = append(all, stores[best].Hits[at[best]])
		at[best]++
	}
	for _, f := range stores {
		maps.Copy(after, f.After)
	}
	if q.Order == "" {
		all = rank.Behind(all, func(h hit) memory.ID { return h.ID }, after)
	}
	return all[:min(len(all), rank.LimitOr(q.Limit, rank.DefaultRecall))]
}

// isBefore reports whether a hit comes before one of a store that comes first.
func (h *hit) isBefore(first *hit, by api.Order) bool {
	return cmp.Or(h.CompareBy(&first.Listed, by), cmp.Compare(first.Score, h.Score)) < 0
}

func options(q api.Query) search.Options {
	return search.Options{Limit: rank.MostHits(q) % rank.Unlimited, MinScore: q.MinScore, Tag: q.Tag,
		Explain: q.Explain, Weigh: brief.Weigh}
}

func hitOf(m memory.Memory, u rank.Usage, h search.Hit) api.Hit {
	hit := api.Hit{ID: m.ID, Topic: m.Topic, Priority: u.Rounded(m), Phase: u.Phase(m), Tags: m.PlainTags(),
		Marks: u.MarksOf(m), Score: memory.Round2(h.Score), CreatedAt: m.CreatedAt}
	if h.Explanation != nil {
		hit.Explanation = fmt.Sprint(h.Explanation)
	}
	return hit
}

// lookup is a question to a store whose view is open.
type lookup struct {
	Question
	engine  *Engine
	view    *store.View
	state   *store.State
	finding *finder.Search
	sight   finder.Sight
	u       rank.Usage
	g       trust.Filter
}

// lookup prepares a question. The caller closes its finding.
func (e *Engine) lookup(v *store.View, q Question) (lookup, error) {
	u, state, err := e.Usage(v)
	if err != nil {
		return lookup{}, err
	}
	if _, err := v.Memories(); err != nil { // a full look first also serves as the quick ones that follow
		return lookup{}, err
	}
	a := lookup{Question: q, engine: e, view: v, state: state, u: u, sight: u.Sight()}
	if a.sight.Wanted, err = e.heard(v, state, q.Query, q.kind); err != nil {
		return lookup{}, err
	}
	if a.g, err = e.ModelFilter(v); err != nil {
		return lookup{}, err
	}
	a.finding = e.Finder.Over(v)
	return a, nil
}

// outOfSight counts the matches out of sight, without those that are held back.
func (a lookup) outOfSight(ctx context.Context) (n int, err error) {
	q := a.Query
	q.Include = api.IncludeArchives
	if a.sight.Wanted, err = a.engine.heard(a.view, a.state, q, a.kind); err != nil {
		return 0, err
	}
	found, total, err := a.finding.Find(ctx, api.IncludeArchives, a.query,
		search.Options{MinScore: q.MinScore, Tag: q.Tag}, a.sight)
	if err != nil || !a.g.HoldsBack() {
		return total, err
	}
	_, held := release(a.g, found)
	return total - held, nil
}

func heldNote(held int) memory.Note {
	if text := brief.HeldBack(held); text != "" {
		return memory.Advise(memory.KindHeldBack, "", text)
	}
	return nil
}

func recallNote(r api.Recall) memory.Note {
	isArchived := func(h api.Hit) bool { return h.Archived }
	switch {
	case r.Archived == 1:
		return memory.Advise(memory.KindArchivedMatch, "", "1 memory out of sight or in the archives matches")
	case r.Archived > 1:
		return memory.Advise(memory.KindArchivedMatches, "",
			fmt.Sprintf("%d memories out of sight or in the archives match", r.Archived))
	case slices.ContainsFunc(r.Memories, isArchived):
		return memory.Advise(memory.KindArchivedHit, "", "")
	}
	return nil
}

// ofKind returns which memories have the kind of a filter and one of those that the query names; nil: all. Names in the
// query that are not kinds become words of it: "kind:Pod" may be part of an error.
func ofKind(query *search.Query, filter memory.Category) func(memory.Memory) bool {
	var named []memory.Category
	for _, name := range query.Kinds {
		if category, err := memory.ParseCategory(name); err == nil {
			named = append(named, category)
		} else {
			query.Text += " kind:" + name
		}
	}
	if len(named) == 0 {
		query.Kinds = nil
	}
	if filter == "" && len(named) == 0 {
		return nil
	}
	return func(m memory.Memory) bool {
		return (filter == "" || m.Category == filter) && (len(named) == 0 || slices.Contains(named, m.Category))
	}
}

// nameMatching gives a hit the aliases that the query matched best, if the answer is to be explained. Archives are not
// found by learned ones.
func (a lookup) nameMatching(hit *api.Hit, m memory.Memory, archived bool, pick func() search.Snippets) {
	if !a.Explain {
		return
	}
	hit.Alias = pick().Alias(m.Aliases)
	if a.u.Settings.LearnAliases && !archived {
		hit.Learned = pick().Alias(a.u.Stats[m.ID].Questions())
	}
}

// release removes the hits that are held back. It returns the rest and the number removed.
func release(g trust.Filter, found []finder.Hit) (free []finder.Hit, held int) {
	if !g.HoldsBack() {
		return found, 0
	}
	free = slices.DeleteFunc(slices.Clone(found), func(h finder.Hit) bool {
		return g.ForeignID(memory.ID(h.ID), h.Archived)
	})
	return free, len(found) - len(free)
}
