package search_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

// Documents that follow one another are ranked as texts would be that hold them twice and their neighbors once.
func TestNeighborsRankAsTheirTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var texts []string
	for range 60 {
		var words []string
		for range 1 + rng.IntN(8) {
			words = append(words, spell(uint64(rng.IntN(40))))
		}
		texts = append(texts, strings.Join(words, " "))
	}
	linked, literal := search.New(), search.New()
	for i, text := range texts {
		d := search.Doc{ID: fmt.Sprintf("d%02d", i), Content: text}
		around := ""
		if i > 0 {
			d.After = fmt.Sprintf("d%02d", i-1)
			around = texts[i-1]
		}
		linked.Put(d)
		if i+1 < len(texts) {
			around += " " + texts[i+1]
		}
		d.Content, d.After = text+" "+text+" "+around, ""
		literal.Put(d)
	}
	for n := range uint64(40) {
		q := search.Words(spell(n))
		a, all := linked.Search(q, search.Options{})
		b, same := literal.Search(q, search.Options{})
		require.Equal(t, same, all)
		for i := range a {
			require.Equal(t, b[i].ID, a[i].ID, "%s at %d", spell(n), i)
		}
	}
}

// An index answers alike however it became what it is.
func TestNeighborsAfterDeletions(t *testing.T) {
	docs := corpus(900)
	for _, compact := range []bool{false, true} {
		x := search.New()
		last := ""
		for i, d := range docs {
			d.After, last = last, d.ID
			x.Put(d)
			if compact && i%200 == 0 {
				x.Compact()
			}
		}
		fresh := search.New()
		last = ""
		for i, d := range docs {
			if i%3 != 1 && (i < 100 || i > 400) {
				d.After, last = last, d.ID
				fresh.Put(d)
				continue
			}
			x.Delete(d.ID)
		}
		for _, q := range questions(docs) {
			a, n := x.Search(search.Parse(q.text), search.Options{Limit: 50, Explain: true})
			b, m := fresh.Search(search.Parse(q.text), search.Options{Limit: 50, Explain: true})
			require.Equal(t, m, n, q.name)
			require.Equal(t, b, a, q.name)
		}
	}
}

func TestNeighborsBetween(t *testing.T) {
	x := search.New()
	x.Put(search.Doc{ID: "a", Content: "apple"})
	x.Put(search.Doc{ID: "c", Content: "cherry", After: "a"})
	x.Put(search.Doc{ID: "b", Content: "banana", After: "a"}) // between the two
	x.Put(search.Doc{ID: "z", Content: "zebra", After: "no such document"})
	ids := func(q string) (out []string) {
		hits, _ := x.Search(search.Words(q), search.Options{})
		for _, h := range hits {
			out = append(out, h.ID)
		}
		return out
	}
	require.ElementsMatch(t, []string{"a", "b"}, ids("apple"))
	require.ElementsMatch(t, []string{"a", "b", "c"}, ids("banana"))
	require.Equal(t, "b", ids("banana")[0])
	require.Equal(t, []string{"z"}, ids("zebra"))
	x.Delete("b")
	require.ElementsMatch(t, []string{"a", "c"}, ids("cherry"))
	x.Put(search.Doc{ID: "a", Content: "apricot"}) // a replaced document is at no place until it says so
	require.Equal(t, []string{"c"}, ids("cherry"))
}

// A long neighbor must not hide a short document.
func TestNeighborsOfLongDocuments(t *testing.T) {
	x := search.New()
	x.Put(search.Doc{ID: "ask", Content: "my sister plays the cello"})
	x.Put(search.Doc{ID: "answer", Content: strings.Repeat("practice slowly with a teacher ", 400), After: "ask"})
	for i := range 20 {
		x.Put(search.Doc{ID: fmt.Sprint(i), Content: strings.Repeat("other things of a day ", 3)})
	}
	hits, _ := x.Search(search.Words("sister cello"), search.Options{})
	require.Equal(t, "ask", hits[0].ID)
	require.Greater(t, hits[0].Score, 0.6)
}
