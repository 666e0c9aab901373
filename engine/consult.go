package engine

import (
	"context"
	"sync"

	"ltm/api"
	"ltm/memory"
	"ltm/search"
)

// Consult returns the memories in sight that answer plain words, the best first, for who is outside of the client, see
// [Options.Outside]. Memories with an unresolved merge are left out: nobody has decided what they say. It counts no
// access.
func (e *Engine) Consult(ctx context.Context, words string, limit int, least float64) (api.Recall, error) {
	if err := memory.CheckQuery(words); err != nil {
		return api.Recall{}, err
	}
	q := asked{Query: api.Query{Text: words, Limit: limit, MinScore: least, Include: api.IncludeActive},
		query: search.Words(words).Ready(), kind: func(m memory.Memory) bool { return !m.Conflicted }}
	q.pick = sync.OnceValue(func() search.Snippets { return search.NewSnippets(q.query) })
	r := api.Recall{Memories: []api.Hit{}}
	err := e.find(ctx, q, func(found recalled) error {
		best, _, err := merge(q.Query, []recalled{found})
		if err != nil {
			return err
		}
		for _, h := range best {
			r.Memories = append(r.Memories, h.Hit)
		}
		passages(r.Memories, best)
		r.Total, r.Note = found.total, heldNote(found.heldBack)
		return nil
	})
	return r, err
}
