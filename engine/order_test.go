package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/person"
	"ltm/memory"
	"ltm/memory/api"
)

// TestWhatIsFoundIsInOrder has answers in each order, all or some of them, of one store and of both.
func TestWhatIsFoundIsInOrder(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	// The more of it is about the pool, the better it answers.
	alpha := f.remember("alpha", "Some words and other words, and then more of them. The pool is among them.", 0.9)
	f.now = f.now.Add(time.Minute)
	f.remember("Charlie", "The pool. The connection pool.", 0.1)
	_, err := p.mine.Remember(f.ctx, api.Draft{Topic: "bravo", Content: "The connection pool."}) // an hour before
	require.NoError(t, err)
	f.now = f.now.Add(time.Hour)
	_, err = f.Get(f.ctx, string(alpha))
	require.NoError(t, err)
	one, both := f.Engine, person.NewShelves(f.Engine, p.mine, nil)
	topics := func(r api.Recall, err error) (all []string) {
		require.NoError(t, err)
		for _, h := range r.Memories {
			require.NotEmpty(t, h.Summary)
			all = append(all, h.Topic)
		}
		return all
	}
	for order, want := range map[api.Order][]string{"": {"Charlie", "bravo", "alpha"},
		api.ByTopic: {"alpha", "bravo", "Charlie"}, api.ByAge: {"Charlie", "alpha", "bravo"},
		api.ByUse: {"alpha", "Charlie", "bravo"}, " Age ": {"Charlie", "alpha", "bravo"}} {
		require.Equal(t, want, topics(both.Recall(f.ctx, api.Query{Text: "connection pool", Order: order})), order)
		r, err := both.Recall(f.ctx, api.Query{Text: "connection pool", Order: order, Limit: 2})
		require.Equal(t, want[:2], topics(r, err), "the first two of %q", order)
		require.Equal(t, 3, r.Total)
	}
	require.Equal(t, []string{"alpha", "Charlie"}, topics(one.Recall(f.ctx,
		api.Query{Text: "connection pool", Order: api.ByPriority})))
	require.Equal(t, []string{"alpha"}, topics(one.Recall(f.ctx,
		api.Query{Text: "connection pool", Order: api.ByTopic, Limit: 1})), "which answers worse")
	_, err = one.Recall(f.ctx, api.Query{Text: "connection pool", Order: "newest"})
	require.Equal(t, memory.KindOrderUnknown, memory.KindOf(err))
}

// TestNothingIsOpenedByAnOrder has a question that a session asks: the best answer is what it looked for, and not the
// first of an alphabet.
func TestNothingIsOpenedByAnOrder(t *testing.T) {
	f := newEngine(t)
	other := f.remember("alpha", "Some words and other words, and then more of them. The pool is among them.", 0.5)
	best := f.remember("Charlie", "The pool. The connection pool.", 0.5)
	before := f.use(other).Use
	for _, q := range []api.Query{{Order: api.ByTopic}, {}} {
		q.Text, q.Asked = "connection pool", true
		_, err := f.Recall(f.ctx, q)
		require.NoError(t, err)
	}
	f.remember("Deploys", "Go out on Tuesdays.", 0.5) // a change writes what was counted
	require.Equal(t, before, f.use(other).Use)
	require.Greater(t, f.use(best).Use, before)
}
