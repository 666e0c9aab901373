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
	if err := memory.CheckQuery(q.Text); err != nil {
		return api.Recall{}, err
	}
	include, err := api.ParseInclude(string(q.Include))
	if err != nil {
		return api.Recall{}, err
	}
	q.Include = include
	if q.Category, err = memory.ParseCategory(string(q.Category)); err != nil {
		return api.Recall{}, err
	}
	result := api.Recall{Memories: []api.Hit{}}
	err = e.store.View(func(v *store.View) error {
		u, state, err := e.usage(v)
		if err != nil {
			return err
		}
		finding := e.finder.Over(v)
		defer finding.Close()
		query := search.Parse(q.Text)
		query.Tags = append(query.Tags, q.Tags...)
		sight := u.sight()
		if sight.Wanted, err = e.heard(v, state, q, ofKind(&query, q.Category)); err != nil {
			return err
		}
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		limit := limitOr(q.Limit, DefaultRecall)
		if g.asks() {
			q.Limit = unlimited
		}
		found, total, err := finding.Find(ctx, include, query, options(q), sight)
		if err != nil {
			return err
		}
		found, n := g.release(v, found, limit)
		result.Total = total - n
		sources := make([]finder.Source, 0, len(found))
		for _, h := range found {
			m, err := finding.Memory(h)
			if isMissing(err) {
				continue
			}
			if err != nil {
				return err
			}
			sources = append(sources, finding.Source(m, h))
			hit := hitOf(m, u, h.Hit)
			hit.Archived = h.Archived || h.Faded
			result.Memories = append(result.Memories, hit)
		}
		result.Taken = finder.TakenBy(found)
		passages(result.Memories, sources, search.NewSnippets(query).Taking(result.Taken))
		if q.Asked && len(result.Memories) > 0 && !result.Memories[0].Archived {
			e.accesses.add(result.Memories[0].ID)
		}
		if result.Total == 0 && include == api.IncludeActive {
			q.Include = api.IncludeArchives
			if sight.Wanted, err = e.heard(v, state, q, sight.Wanted); err != nil {
				return err
			}
			if result.Archived, err = countOutOfSight(ctx, v, finding, query, q, sight, g); err != nil {
				return err
			}
		}
		held, err := g.heldBack(v, include)
		result.Note = append(heldNote(held), recallNote(result)...)
		return err
	})
	return result, err
}

// options returns the search options of a query.
func options(q api.Query) search.Options {
	return search.Options{Limit: limitOr(q.Limit, DefaultRecall) % unlimited, MinScore: q.MinScore, Tag: q.Tag,
		Explain: q.Explain}
}

// hitOf returns a hit without its passage.
func hitOf(m memory.Memory, u use, h search.Hit) api.Hit {
	hit := api.Hit{ID: m.ID, Topic: m.Topic, Priority: u.rounded(m), Phase: u.phase(m), Tags: tagsOf(m.Tags),
		Importance: marked(m), Category: m.Category, Agent: m.Agent, Confidence: m.Confidence,
		Said: u.saidOf(m), Score: memory.Round2(h.Score), CreatedAt: m.CreatedAt}
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
func passages(hits []api.Hit, sources []finder.Source, pick search.Snippets) {
	budget := float64(recallTokens) * max(1, float64(len(hits))/DefaultRecall)
	room := budget
	for _, h := range hits {
		room -= hitTokens + tokensOf(h)
	}
	if room < float64(len(hits))*leastSnippet/transcript.CharsPerToken {
		room = budget
		for i := range hits {
			hits[i].Topic = pick.Of(hits[i].Topic, cutTopic)
			hits[i].Tags = hits[i].Tags[:min(len(hits[i].Tags), cutTags)]
			room -= hitTokens + tokensOf(hits[i])
		}
	}
	for i, s := range sources {
		// A passage leaves what it does not use to the next ones.
		most := min(snippetChars, int(room/float64(len(sources)-i)*transcript.CharsPerToken))
		hits[i].Summary = s.Passage(pick, max(most, leastSnippet/2))
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

// countOutOfSight returns how many memories out of sight match a question that
// none in sight answers, without those that are held back.
func countOutOfSight(ctx context.Context, v *store.View, finding *finder.Search, query search.Query, q api.Query,
	sight finder.Sight, g guard) (int, error) {
	found, total, err := finding.Find(ctx, api.IncludeArchives, query, search.Options{MinScore: q.MinScore, Tag: q.Tag},
		sight)
	if err != nil || !g.asks() {
		return total, err
	}
	_, held := g.release(v, found, unlimited)
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
