package find

import (
	"context"
	"strings"
	"sync"

	"ltm/engine/brief"
	"ltm/engine/rank"
	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/search"
)

const (
	// recallTokens bounds a reply of DefaultRecall hits, in estimated tokens, which the model pays for.
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
func passages(hits []api.Hit, excerpts []hit) {
	budget := float64(recallTokens) * max(1, float64(len(hits))/rank.DefaultRecall)
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
		most := min(rank.SnippetChars, int(room/float64(len(excerpts)-i)*transcript.CharsPerToken))
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

// Consult returns the memories in sight that answer plain words, the best first, for who is outside of the client, see
// [Options.Outside]. Memories with an unresolved merge are left out: their text is not decided. It counts no
// access, and returns nothing if no memory is a clear match.
func (e *Engine) Consult(ctx context.Context, words string, limit int, least float64) (api.Recall, error) {
	if err := memory.CheckQuery(words); err != nil {
		return api.Recall{}, err
	}
	q := Question{Query: api.Query{Text: words, Limit: limit, MinScore: least, Include: api.IncludeActive},
		query: search.Words(words).Ready(), kind: func(m memory.Memory) bool { return !m.Conflicted }}
	q.pick = sync.OnceValue(func() search.Snippets { return search.NewSnippets(q.query) })
	found, err := e.Find(ctx, q)
	if err != nil {
		return api.Recall{}, err
	}
	r, _ := Answer(q.Query, found)
	r.Archived, r.Note = 0, heldNote(found.heldBack)
	if r.Nearest {
		r = api.Recall{Memories: []api.Hit{}, Note: r.Note}
	}
	return r, nil
}

// Marker returns a function that finds the words of a query in a text, in every form that recall
// matches. It returns byte ranges. taken maps unknown words to the words searched in their place,
// see [ltm/memory/api.Recall]; it may be nil.
func Marker(query string, taken map[string][]string) func(text string) [][2]int {
	words := search.NewSnippets(search.Parse(query)).Taking(taken)
	return func(text string) (parts [][2]int) {
		for _, s := range words.Marks(text) {
			parts = append(parts, [2]int{s.Start, s.End})
		}
		return parts
	}
}
