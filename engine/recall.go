package engine

import (
	"context"
	"fmt"
	"strings"

	"ltm/eviction"
	"ltm/memory"
	"ltm/search"
	"ltm/store"
)

const (
	// DefaultRecall is how many hits a query returns unless it says otherwise.
	DefaultRecall = 10

	// snippetChars bounds the passage that a hit shows.
	snippetChars = 300
)

// Recall returns the memories that answer a question, best first. No match is
// an empty list.
func (e *Engine) Recall(ctx context.Context, q memory.Query) (memory.Recall, error) {
	if err := memory.CheckQuery(q.Text); err != nil {
		return memory.Recall{}, err
	}
	result := memory.Recall{Memories: []memory.Hit{}}
	err := e.store.View(func(v *store.View) error {
		snapshot, err := v.Memories()
		if err != nil {
			return err
		}
		u, _, err := usage(v)
		if err != nil {
			return err
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		if _, err := e.active.refresh(ctx, v, snapshot, v.Read, -1); err != nil {
			return err
		}
		query := search.Parse(q.Text)
		prior := func(id string) float64 {
			record, _ := snapshot.Find(memory.ID(id))
			return u.rounded(record.Memory)
		}
		hits, total := e.active.index.Search(query, search.Options{
			Limit: limitOr(q.Limit, DefaultRecall), MinScore: q.MinScore, Tag: q.Tag, Prior: prior, Explain: q.Explain,
		})
		result.Total = total
		found := make([]memory.Memory, 0, len(hits))
		for _, h := range hits {
			m, err := e.active.text(memory.ID(h.ID), v.Read)
			if isMissing(err) {
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, m)
			result.Memories = append(result.Memories, hitOf(m, u, h))
		}
		passages(result.Memories, found, search.NewSnippets(query))
		return nil
	})
	return result, err
}

// hitOf is a hit without its passage.
func hitOf(m memory.Memory, u use, h search.Hit) memory.Hit {
	hit := memory.Hit{ID: m.ID, Topic: m.Topic, Priority: u.rounded(m), Phase: m.Phase, Tags: tagsOf(m.Tags), Score: memory.Round2(h.Score), CreatedAt: m.CreatedAt}
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

	// leastSnippet is how short passages get before topics and tags are cut.
	leastSnippet = 100

	// What is left of topics and tags that are out of the ordinary.
	cutTopic, cutTags = 100, 3
)

// passages fills in the summaries, as long as the reply's budget allows.
func passages(hits []memory.Hit, found []memory.Memory, pick search.Snippets) {
	budget := float64(recallTokens) * max(1, float64(len(hits))/DefaultRecall)
	room := budget
	for _, h := range hits {
		room -= hitTokens + tokensOf(h)
	}
	if room < float64(len(hits))*leastSnippet/charsPerToken {
		room = budget
		for i := range hits {
			hits[i].Topic = pick.Of(hits[i].Topic, cutTopic)
			hits[i].Tags = hits[i].Tags[:min(len(hits[i].Tags), cutTags)]
			room -= hitTokens + tokensOf(hits[i])
		}
	}
	for i, m := range found {
		// What one passage does not need is left to the next ones.
		most := min(snippetChars, int(room/float64(len(found)-i)*charsPerToken))
		hits[i].Summary = passage(m, pick, max(most, leastSnippet/2))
		_, used := measure(hits[i].Summary)
		room -= used
	}
}

// tokensOf estimates the tokens of a hit's topic and tags.
func tokensOf(h memory.Hit) float64 {
	_, tokens := measure(h.Topic + strings.Join(h.Tags, `","`))
	return tokens
}

// passage returns the part of a memory that answers the query.
func passage(m memory.Memory, pick search.Snippets, most int) string {
	if m.Phase == memory.Abstract {
		return eviction.FirstSentence(m.Summary)
	}
	text := m.Summary
	if m.Content != "" && !strings.Contains(m.Content, m.Summary) {
		text += "\n\n" + m.Content
	} else if m.Content != "" {
		text = m.Content
	}
	return pick.Of(text, most)
}

// limitOr returns a limit, or the default for zero.
func limitOr(limit, otherwise int) int {
	if limit <= 0 {
		return otherwise
	}
	return limit
}
