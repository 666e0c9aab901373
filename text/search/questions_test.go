package search_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

// TestRepeatedQuestionsGetTheSameAnswers asks an index the same questions while it changes. Each answer
// is that of an index that was just read.
func TestRepeatedQuestionsGetTheSameAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("pool pools pooling timeout timeouts lock locked cache caches the a of")
	doc := func(i int) search.Doc {
		var text strings.Builder
		for range 5 + r.IntN(40) {
			text.WriteString(words[r.IntN(len(words))] + " ")
		}
		return search.Doc{ID: fmt.Sprintf("d%03d", i), Topic: "The " + words[r.IntN(len(words))],
			Content: text.String(), Created: time.Unix(int64(i), 0)}
	}
	questions := []string{"pools", "cache timeout", "the lock of the pool", `"pool timeout" cache`, "caches -locked", "cachs"}
	ask := func(x *search.Index, text string) []search.Hit {
		hits, total := x.Search(search.Parse(text), search.Options{Limit: 20, Explain: true,
			Prior: func(id string) float64 { return float64(id[3]-'0') / 10 }})
		require.GreaterOrEqual(t, total, len(hits))
		return hits
	}
	x := search.New()
	for i := range 400 {
		x.Put(doc(i))
	}
	for round := range 60 {
		for _, text := range questions {
			again, err := search.Decode(x.Encode())
			require.NoError(t, err)
			want := ask(again, text)
			require.True(t, len(want) > 0 || text == "caches -locked", text)
			require.Equal(t, want, ask(x, text), "round %d: %s", round, text)
			require.Equal(t, want, ask(x, text), "round %d: %s", round, text)
			if round == 30 { // asked again, of the frozen part
				ask(again, text)
				require.Equal(t, want, ask(again, text))
				again.Put(doc(500))
				again.Delete("d001")
				fresh, err := search.Decode(again.Encode())
				require.NoError(t, err)
				require.Equal(t, ask(fresh, text), ask(again, text))
			}
		}
		x.Delete(fmt.Sprintf("d%03d", r.IntN(400)))
		if round%2 == 0 {
			for range 40 { // enough for dead slots to be removed
				x.Put(doc(r.IntN(420)))
			}
		}
	}
}

// TestRenumberedDocumentsAreCountedAgain replaces all documents by others, until the dead ones are
// removed. The index then has as many documents, words and bytes as before, for other documents.
func TestRenumberedDocumentsAreCountedAgain(t *testing.T) {
	const n = 400
	doc := func(i int, often bool) search.Doc {
		d := search.Doc{ID: fmt.Sprintf("d%03d", i), Topic: "lock", Content: "pool"}
		if often {
			d.Content = "pool pool pool pool"
		}
		return d
	}
	x := search.New()
	for i := range n {
		x.Put(doc(i, i < n/2))
	}
	x, err := search.Decode(x.Encode())
	require.NoError(t, err)
	best := func() string {
		hits, total := x.Search(search.Parse("pool"), search.Options{Limit: 1})
		require.Equal(t, n, total)
		return hits[0].ID
	}
	for range 3 {
		require.Equal(t, "d000", best())
	}
	x.Put(doc(n, false))
	for i := range n {
		x.Put(doc(i, i >= n/2))
	}
	x.Delete(doc(n, false).ID) // which makes the dead more than the living
	for range 3 {
		require.Equal(t, "d200", best())
	}
	again, err := search.Decode(x.Encode())
	require.NoError(t, err)
	want, _ := again.Search(search.Parse("lock pool"), search.Options{})
	got, _ := x.Search(search.Parse("lock pool"), search.Options{})
	require.Equal(t, want, got)
}

// TestQuestionsAtTheSameTime asks an index from several goroutines.
func TestQuestionsAtTheSameTime(t *testing.T) {
	x := search.New()
	for i := range 400 {
		x.Put(search.Doc{ID: fmt.Sprint(i), Topic: fmt.Sprint("The pool ", i),
			Content: strings.Repeat("lock timeout ", 9)})
	}
	want, _ := x.Search(search.Parse("pool timeout"), search.Options{Limit: 5})
	ready := search.Parse("pool timeout").Ready()
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for range 20 {
				hits, _ := x.Search(ready, search.Options{Limit: 5})
				if fmt.Sprint(hits) != fmt.Sprint(want) {
					t.Error("another answer")
				}
				search.NewSnippets(ready).Of("The timeout of the pool.", 50)
			}
		})
	}
	asking.Wait()
}

// TestReadyIsOnlyFaster changes the text of a query that was made ready.
func TestReadyIsOnlyFaster(t *testing.T) {
	x := search.New()
	x.Put(search.Doc{ID: "1", Topic: "The pool", Content: "A lock."})
	x.Put(search.Doc{ID: "2", Topic: "The cache", Content: "A timeout."})
	q := search.Parse("pool").Ready()
	hits, _ := x.Search(q, search.Options{})
	require.Equal(t, "1", hits[0].ID)
	require.Equal(t, "Pool and lock.", search.NewSnippets(q).Of("A cache. Pool and lock.", 15))
	q.Text = "cache"
	hits, _ = x.Search(q, search.Options{})
	require.Equal(t, "2", hits[0].ID)
	require.Equal(t, "A cache.", search.NewSnippets(q).Of("A cache. Pool and lock.", 15))
}
