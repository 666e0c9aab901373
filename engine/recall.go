package engine

import (
	"context"
	"fmt"
	"strings"

	"ltm/abridge"
	"ltm/api"
	"ltm/engine/brief"
	"ltm/memory"
	"ltm/search"
	"ltm/store"
	"ltm/transcript"
)

const (
	// DefaultRecall is how many hits a query returns unless it says otherwise.
	DefaultRecall = 10

	// snippetChars bounds the passage that a hit shows.
	snippetChars = 300

	// unlimited is more hits than there are.
	unlimited = 1 << 30
)

// Recall returns the memories that answer a question, best first. No match is
// an empty list, and the number of archives that match.
func (e *Engine) Recall(ctx context.Context, q api.Query) (api.Recall, error) {
	if err := memory.CheckQuery(q.Text); err != nil {
		return api.Recall{}, err
	}
	include, err := api.ParseInclude(string(q.Include))
	if err != nil {
		return api.Recall{}, err
	}
	result := api.Recall{Memories: []api.Hit{}}
	err = e.store.View(func(v *store.View) error {
		u, _, err := usage(v)
		if err != nil {
			return err
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		query := search.Parse(q.Text)
		query.Tags = append(query.Tags, q.Tags...)
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		limit := limitOr(q.Limit, DefaultRecall)
		if g.asks() {
			q.Limit = unlimited
		}
		found, total, err := e.findIn(ctx, v, include, query, q, u)
		if err != nil {
			return err
		}
		found, withheld := g.release(v, found, limit)
		result.Total = total - withheld
		sources := make([]source, 0, len(found))
		for _, h := range found {
			m, err := e.textOf(v, h)
			if isMissing(err) {
				continue
			}
			if err != nil {
				return err
			}
			sources = append(sources, e.sourceOf(m, h))
			hit := hitOf(m, u, h.Hit)
			hit.Archived = h.archived || h.faded
			result.Memories = append(result.Memories, hit)
		}
		result.Taken = takenBy(found)
		passages(result.Memories, sources, search.NewSnippets(query).Taking(result.Taken))
		if q.Asked && len(result.Memories) > 0 && !result.Memories[0].Archived {
			e.accesses.add(result.Memories[0].ID)
		}
		if result.Total == 0 && include == api.IncludeActive {
			if result.Archived, err = e.countOutOfSight(ctx, v, query, q, u, g); err != nil {
				return err
			}
		}
		held, err := g.heldBack(v, include)
		result.Note = join(brief.HeldBack(held, "approves them "+memory.DoTrust), recallNote(result))
		return err
	})
	return result, err
}

// hitOf is a hit without its passage.
func hitOf(m memory.Memory, u use, h search.Hit) api.Hit {
	hit := api.Hit{ID: m.ID, Topic: m.Topic, Priority: u.rounded(m), Phase: u.phase(m), Tags: tagsOf(m.Tags), Importance: marked(m), Score: memory.Round2(h.Score), CreatedAt: m.CreatedAt}
	if h.Explanation != nil {
		hit.Explanation = fmt.Sprint(h.Explanation)
	}
	return hit
}

const (
	// recallTokens bounds a reply of DefaultRecall hits: the model pays for it.
	recallTokens = 1500

	// hitTokens is what the names and numbers of a hit take.
	hitTokens = 45

	// levelTokens is what its importance takes, when it has one.
	levelTokens = 9

	// leastSnippet is how short passages get before topics and tags are cut.
	leastSnippet = 100

	// What is left of topics and tags that are out of the ordinary.
	cutTopic, cutTags = 100, 3
)

// passages fills in the summaries, as long as the reply's budget allows.
func passages(hits []api.Hit, sources []source, pick search.Snippets) {
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
		// What one passage does not need is left to the next ones.
		most := min(snippetChars, int(room/float64(len(sources)-i)*transcript.CharsPerToken))
		hits[i].Summary = s.passage(pick, max(most, leastSnippet/2))
		_, used := brief.Measure(hits[i].Summary)
		room -= used
	}
}

// tokensOf estimates the tokens of a hit's topic and tags.
func tokensOf(h api.Hit) float64 {
	_, tokens := brief.Measure(h.Topic + strings.Join(h.Tags, `","`))
	if h.Importance != "" {
		tokens += levelTokens
	}
	return tokens
}

// source is what the passage of a hit is picked from.
type source struct {
	whole string       // what is shown whatever was asked, "": a passage of the text
	text  *search.Text // ready to be searched
}

// sourceOf returns the source of a hit whose text is m; e.mu is held.
func (e *Engine) sourceOf(m memory.Memory, h includedHit) source {
	switch {
	case m.Phase == memory.Abstract:
		return source{whole: abridge.FirstSentence(m.Summary)}
	case h.archived:
		return source{text: e.archived.passageText(m)}
	}
	return source{text: e.active.passageText(m)}
}

func (s source) passage(pick search.Snippets, most int) string {
	if s.text == nil {
		return s.whole
	}
	return pick.In(s.text, most)
}

// passage returns the part of a memory that answers the query.
func passage(m memory.Memory, pick search.Snippets, most int) string {
	if m.Phase == memory.Abstract {
		return abridge.FirstSentence(m.Summary)
	}
	return pick.Of(shownText(m), most)
}

// shownText returns the text of a memory that is no abstract, with its summary unless
// that is part of it.
func shownText(m memory.Memory) string {
	switch {
	case m.Content == "":
		return m.Summary
	case strings.Contains(m.Content, m.Summary):
		return m.Content
	}
	return m.Summary + "\n\n" + m.Content
}

// limitOr returns a limit, or the default for zero.
func limitOr(limit, otherwise int) int {
	if limit <= 0 {
		return otherwise
	}
	return limit
}
