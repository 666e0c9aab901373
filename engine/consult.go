package engine

import (
	"context"
	"sync"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/search"
)

// Consult returns the memories in sight that answer plain words, the best first, for who is outside of the client, see
// [Options.Outside]. Memories with an unresolved merge are left out: their text is not decided. It counts no
// access, and returns nothing if no memory is a clear match.
func (e *Engine) Consult(ctx context.Context, words string, limit int, least float64) (api.Recall, error) {
	if err := memory.CheckQuery(words); err != nil {
		return api.Recall{}, err
	}
	q := asked{Query: api.Query{Text: words, Limit: limit, MinScore: least, Include: api.IncludeActive},
		query: search.Words(words).Ready(), kind: func(m memory.Memory) bool { return !m.Conflicted }}
	q.pick = sync.OnceValue(func() search.Snippets { return search.NewSnippets(q.query) })
	found, err := e.find(ctx, q)
	if err != nil {
		return api.Recall{}, err
	}
	r, _ := answer(q.Query, found)
	r.Archived, r.Note = 0, heldNote(found.heldBack)
	if r.Nearest {
		r = api.Recall{Memories: []api.Hit{}, Note: r.Note}
	}
	return r, nil
}
