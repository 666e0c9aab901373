package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	found, err := e.find(ctx, q, countOutOfSight)
	if err != nil {
		return api.Recall{}, err
	}
	return answer(ctx, q, found)
}

// counting is what a search that finds nothing in sight does next.
type counting int

const (
	countOutOfSight counting = iota // counts the matches out of sight, in the same view
	countLater                      // nothing: another store may have what is asked for
)

// checkedQuery returns a query with its words as they are defined.
func checkedQuery(q api.Query) (api.Query, error) {
	if err := memory.CheckQuery(q.Text); err != nil {
		return q, err
	}
	var err error
	if q.Include, err = api.ParseInclude(string(q.Include)); err != nil {
		return q, err
	}
	q.Category, err = memory.ParseCategory(string(q.Category))
	return q, err
}

// recalled is what one store has for a query.
type recalled struct {
	from     *Engine
	hits     []api.Hit // without their passages
	excerpts []excerpt // of which the passages are made
	total    int
	heldBack int
	taken    map[string][]string

	counted    bool // outOfSight is known
	outOfSight int
}

// excerpt is a text to pick a passage from, and what picks it.
type excerpt struct {
	finder.Source
	pick search.Snippets
}

// find searches the store.
func (e *Engine) find(ctx context.Context, q api.Query, count counting) (recalled, error) {
	result := recalled{from: e}
	err := e.store.View(func(v *store.View) error {
		if !v.Exists() {
			return nil
		}
		a, err := e.asking(v, q)
		if err != nil {
			return err
		}
		defer a.finding.Close()
		finding, u, g := a.finding, a.u, a.g
		limit := limitOr(q.Limit, DefaultRecall)
		if g.asks() {
			q.Limit = unlimited
		}
		found, total, err := finding.Find(ctx, q.Include, a.query, options(q), a.sight)
		if err != nil {
			return err
		}
		found, n := g.release(v, found, limit)
		result.total = total - n
		result.taken = finder.TakenBy(found)
		pick := search.NewSnippets(a.query).Taking(result.taken)
		marks := e.marker(v, u.settings)
		for _, h := range found {
			m, err := finding.Memory(h)
			if isMissing(err) {
				continue
			}
			if err != nil {
				return err
			}
			hit := hitOf(m, u, h.Hit)
			hit.Archived = h.Archived || h.Faded
			hit.Scope, hit.Foreign = scope(v), marks.hit(h)
			result.hits = append(result.hits, hit)
			result.excerpts = append(result.excerpts, excerpt{finding.Source(m, h), pick})
		}
		if result.heldBack, err = g.heldBack(v, q.Include); err != nil {
			return err
		}
		if count == countOutOfSight && result.total == 0 && q.Include == api.IncludeActive {
			result.counted = true
			result.outOfSight, err = a.outOfSight(ctx, q)
		}
		return err
	})
	return result, err
}

// queryOf parses the text of a query.
func queryOf(q api.Query) search.Query {
	query := search.Parse(q.Text)
	query.Tags = append(query.Tags, q.Tags...)
	return query
}

// answer makes one answer of what stores have for a query.
func answer(ctx context.Context, q api.Query, found ...recalled) (api.Recall, error) {
	best := merge(found, limitOr(q.Limit, DefaultRecall))
	result := api.Recall{Memories: []api.Hit{}, Taken: best.taken, Total: best.total}
	result.Memories = append(result.Memories, best.hits...)
	passages(result.Memories, best.excerpts)
	if q.Asked && len(result.Memories) > 0 && !result.Memories[0].Archived {
		best.from.accesses.add(result.Memories[0].ID)
	}
	if result.Total == 0 && q.Include == api.IncludeActive {
		for _, f := range found {
			if !f.counted {
				var err error
				if f.outOfSight, err = f.from.outOfSight(ctx, q); err != nil {
					return result, err
				}
			}
			result.Archived += f.outOfSight
		}
	}
	result.Note = append(heldNote(best.heldBack), recallNote(result)...)
	return result, nil
}

// merge returns what stores found as one list, the higher score first. Scores are comparable
// across stores; of two that are equal, that of the first store comes first. The store that the
// best hit is from becomes that of the result.
func merge(found []recalled, limit int) recalled {
	if len(found) == 1 {
		return found[0]
	}
	all, taken := recalled{from: found[0].from}, map[string][]string{}
	at := make([]int, len(found))
	for _, f := range found {
		all.total += f.total
		all.heldBack += f.heldBack
		for word, by := range f.taken {
			taken[word] = slices.Concat(taken[word], by)
		}
	}
	for len(all.hits) < limit {
		best := -1
		for i, f := range found {
			if at[i] < len(f.hits) && (best < 0 || f.hits[at[i]].Score > found[best].hits[at[best]].Score) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		if len(all.hits) == 0 {
			all.from = found[best].from
		}
		all.hits = append(all.hits, found[best].hits[at[best]])
		all.excerpts = append(all.excerpts, found[best].excerpts[at[best]])
		at[best]++
	}
	if len(taken) > 0 {
		all.taken = taken
	}
	return all
}

// options returns the search options of a query.
func options(q api.Query) search.Options {
	return search.Options{Limit: limitOr(q.Limit, DefaultRecall) % unlimited, MinScore: q.MinScore, Tag: q.Tag,
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
func passages(hits []api.Hit, excerpts []excerpt) {
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
		hits[i].Summary = x.Passage(x.pick, max(most, leastSnippet/2))
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

// limitOr returns a limit, or the default for zero.
func limitOr(limit, otherwise int) int {
	if limit <= 0 {
		return otherwise
	}
	return limit
}

// outOfSight counts the matches out of sight for a question that none in sight answers.
func (e *Engine) outOfSight(ctx context.Context, q api.Query) (n int, err error) {
	err = e.store.View(func(v *store.View) error {
		a, err := e.asking(v, q)
		if err != nil {
			return err
		}
		defer a.finding.Close()
		n, err = a.outOfSight(ctx, q)
		return err
	})
	return n, err
}

// asking is a question to a store whose view is open.
type asking struct {
	engine  *Engine
	view    *store.View
	state   *store.State
	finding *finder.Search
	query   search.Query
	sight   finder.Sight
	u       use
	g       guard
}

// asking prepares a question. The caller closes its finding.
func (e *Engine) asking(v *store.View, q api.Query) (asking, error) {
	u, state, err := e.usage(v)
	if err != nil {
		return asking{}, err
	}
	if _, err := v.Memories(); err != nil { // a full look first also serves as the quick ones that follow
		return asking{}, err
	}
	a := asking{engine: e, view: v, state: state, u: u, query: queryOf(q), sight: u.sight()}
	if a.sight.Wanted, err = e.heard(v, state, q, ofKind(&a.query, q.Category)); err != nil {
		return asking{}, err
	}
	if a.g, err = e.toModel(v); err != nil {
		return asking{}, err
	}
	a.finding = e.finder.Over(v)
	return a, nil
}

// outOfSight counts the matches out of sight, without those that are held back.
func (a asking) outOfSight(ctx context.Context, q api.Query) (n int, err error) {
	q.Include = api.IncludeArchives
	query := queryOf(q)
	if a.sight.Wanted, err = a.engine.heard(a.view, a.state, q, ofKind(&query, q.Category)); err != nil {
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
