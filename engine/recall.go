package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"ltm/engine/brief"
	"ltm/engine/finder"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/search"
)

const (
	// DefaultRecall is how many hits a query returns if no limit is given.
	DefaultRecall = 10

	// snippetChars bounds the passage that a hit shows.
	snippetChars = 300

	// unlimited is a limit above any number of memories.
	unlimited = 1 << 30
)

// Recall returns the memories that match a query, the best first. If none is a clear match, it returns the nearest and
// says so. If none in sight matches, it counts the matches out of sight.
func (e *Engine) Recall(ctx context.Context, q api.Query) (api.Recall, error) {
	q, err := checkedQuery(q)
	if err != nil {
		return api.Recall{}, err
	}
	found, err := e.find(ctx, askFor(q))
	if err != nil {
		return api.Recall{}, err
	}
	r, first := answer(q, found)
	e.noteQuestion(q, r, first)
	return r, nil
}

// noteQuestion notes a question that was answered. Being the first hit counts as half an access.
func (e *Engine) noteQuestion(q api.Query, r api.Recall, first memory.ID) {
	if q.Asked && first != "" {
		e.accesses.add(first)
	}
	e.trail.add(q, r, e.now())
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

// found is what one store has for a query.
type found struct {
	hits       []hit // the best first, or in the order of the query; no more than it asks for
	total      int
	heldBack   int
	outOfSight int // matches out of sight, if none is in sight
	taken      map[string][]string
	after      map[memory.ID]memory.ID // see behind
}

// hit is a hit without its passage, the text to pick that from, and what picks it.
type hit struct {
	api.Hit
	listed
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

// find searches the store.
func (e *Engine) find(ctx context.Context, q asked) (out found, err error) {
	err = e.store.View(func(v *store.View) error {
		if !v.Exists() {
			return nil
		}
		a, err := e.asking(v, q)
		if err != nil {
			return err
		}
		defer a.finding.Close()
		o := options(q.Query)
		if out.after = a.u.said.get().corrections(); a.g.asks() || len(out.after) > 0 {
			o.Limit = 0
		}
		all, total, err := a.finding.Find(ctx, q.Include, q.query, o, a.sight)
		if err != nil {
			return err
		}
		all, n := a.g.release(all)
		out.total, out.taken = total-n, finder.TakenBy(all)
		if out.hits, err = a.hits(all, out); err != nil {
			return err
		}
		if out.heldBack, err = a.g.heldBack(q.Include); err != nil {
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
func (a asking) hits(all []finder.Hit, out found) ([]hit, error) {
	pick := sync.OnceValue(func() search.Snippets { return a.pick().Taking(out.taken) })
	marks := a.engine.marker(a.view, a.u.settings)
	order, err := a.inOrder(all, out.after)
	if err != nil {
		return nil, err
	}
	hits := make([]hit, 0, len(order))
	for _, l := range order[:min(len(order), limitOr(a.Limit, DefaultRecall))] {
		h := all[l.at]
		m, err := a.finding.Memory(h)
		switch {
		case isMissing(err):
			continue
		case err != nil:
			return nil, err
		}
		got := hit{hitOf(m, a.u, h.Hit), l.listed, isClear(h.Hit), a.finding.Source(m, h), pick()}
		if got.Archived = h.Archived || h.Faded; got.Archived {
			got.Reason = a.whyArchived(h)
		}
		a.nameMatching(&got.Hit, m, h.Archived, pick)
		got.Scope, got.Foreign = scope(a.view), marks.look(m.ID, h.Archived)
		hits = append(hits, got)
	}
	return hits, nil
}

// ordered is what a hit is sorted by, and its place among those that were found.
type ordered struct {
	listed
	at int
}

// inOrder returns the hits that were found in the order that the query asks for.
func (a asking) inOrder(all []finder.Hit, after map[memory.ID]memory.ID) ([]ordered, error) {
	order := make([]ordered, len(all))
	for i, h := range all {
		order[i] = ordered{listed{id: memory.ID(h.ID)}, i}
	}
	if a.Order == "" {
		return behind(order, func(o ordered) memory.ID { return o.id }, after), nil
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
			order[i].listed = listed{a.u.orderOf(m), m.ID, m.Topic, m.CreatedAt, a.u.stats[m.ID].AccessedAt}
		}
	}
	slices.SortStableFunc(order, func(x, y ordered) int { return x.compareBy(&y.listed, a.Order) })
	return order, nil
}

// answer makes one answer of what stores have for a query. first is the memory that answers it, if one does.
func answer(q api.Query, stores ...found) (result api.Recall, first memory.ID) {
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
	if isWeak(q, best) {
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
	result.Note = slices.Concat(nearestNote(result), heldNote(heldBack), recallNote(result))
	return result, first
}

// isWeak reports whether no hit of an answer is clear.
func isWeak(q api.Query, best []hit) bool {
	return len(best) > 0 && q.Order == "" && q.MinScore == 0 &&
		!slices.ContainsFunc(best, func(h hit) bool { return h.clear })
}

// merge returns the first hits of all stores, in the order of the query. Scores are comparable across stores; of two
// that are equal, that of the first store comes first.
func merge(q api.Query, stores []found) []hit {
	var all []hit
	after, at := map[memory.ID]memory.ID{}, make([]int, len(stores))
	for {
		best := -1
		for i, f := range stores {
			if at[i] < len(f.hits) && (best < 0 || f.hits[at[i]].isBefore(&stores[best].hits[at[best]], q.Order)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		all = append(all, stores[best].hits[at[best]])
		at[best]++
	}
	for _, f := range stores {
		maps.Copy(after, f.after)
	}
	if q.Order == "" {
		all = behind(all, func(h hit) memory.ID { return h.ID }, after)
	}
	return all[:min(len(all), limitOr(q.Limit, DefaultRecall))]
}

// isBefore reports whether a hit comes before one of a store that comes first.
func (h *hit) isBefore(first *hit, by api.Order) bool {
	if c := h.compareBy(&first.listed, by); c != 0 {
		return c < 0
	}
	return h.Score > first.Score
}

// options returns the search options of a query.
func options(q api.Query) search.Options {
	return search.Options{Limit: mostHits(q) % unlimited, MinScore: q.MinScore, Tag: q.Tag,
		Explain: q.Explain, Weigh: brief.Weigh}
}

// hitOf returns a hit without its passage.
func hitOf(m memory.Memory, u use, h search.Hit) api.Hit {
	hit := api.Hit{ID: m.ID, Topic: m.Topic, Priority: u.rounded(m), Phase: u.phase(m), Tags: m.PlainTags(),
		Marks: u.marksOf(m), Score: memory.Round2(h.Score), CreatedAt: m.CreatedAt}
	if h.Explanation != nil {
		hit.Explanation = fmt.Sprint(h.Explanation)
	}
	return hit
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
	_, held := a.g.release(found)
	return total - held, nil
}

// nearestNote says that no hit is clear.
func nearestNote(r api.Recall) memory.Note {
	if !r.Nearest {
		return nil
	}
	return memory.Say("nothing clear; nearest:")
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
		return memory.Advise(memory.KindArchivedMatch, "", "1 memory out of sight or in the archives matches")
	case r.Archived > 1:
		return memory.Advise(memory.KindArchivedMatches, "",
			fmt.Sprintf("%d memories out of sight or in the archives match", r.Archived))
	case slices.ContainsFunc(r.Memories, isArchived):
		return memory.Advise(memory.KindArchivedHit, "", "")
	}
	return nil
}
