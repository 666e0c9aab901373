package search_test

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

// FuzzSearch searches for anything in anything: scores are between 0 and 1, an encoded and decoded
// index gives the same results, deleted documents are not found, and marks of replaced words are
// within bounds.
func FuzzSearch(f *testing.F) {
	f.Fuzz(func(t *testing.T, topic, content, tag, query string) {
		docs := []search.Doc{
			{ID: "mem_00000001", Topic: topic, Content: content, Tags: []string{tag}, Created: time.Unix(2, 0)},
			{ID: "mem_00000002", Topic: content, Content: topic, Created: time.Unix(1, 0)},
			{ID: "mem_00000003", Topic: "Cache pool", Content: "The pool of the cache was too small."},
		}
		x := index(docs...)
		y, err := search.Decode(x.Encode())
		require.NoError(t, err)
		q := search.Parse(query)
		require.True(t, utf8.ValidString(q.Text))
		hits, total := x.Search(q, search.Options{Explain: true})
		require.LessOrEqual(t, len(hits), total)
		for _, h := range hits {
			require.True(t, h.Score >= 0 && h.Score <= 1, "%v", h.Score)
			requireMarks(t, search.NewSnippets(q).Taking(h.Taken), content)
		}
		again, total2 := y.Search(q, search.Options{Explain: true})
		require.Equal(t, hits, again)
		require.Equal(t, total, total2)

		x.Delete("mem_00000001")
		hits, _ = x.Search(q, search.Options{})
		require.NotContains(t, ids(hits), "mem_00000001")
		require.Equal(t, index(docs[1:]...).Encode(), x.Encode(), "a part of the document is left")
	})
}

// FuzzMarks marks words: each mark is within the text, and marks are in order and do not overlap.
func FuzzMarks(f *testing.F) {
	f.Fuzz(func(t *testing.T, text, query string) {
		requireMarks(t, search.NewSnippets(search.Parse(query)), text)
	})
}

// requireMarks checks the marks of a text.
func requireMarks(t *testing.T, p search.Snippets, text string) {
	t.Helper()
	at := 0
	for _, span := range p.Marks(text) {
		require.GreaterOrEqual(t, span.Start, at)
		require.Greater(t, span.End, span.Start)
		require.LessOrEqual(t, span.End, len(text))
		if utf8.ValidString(text) {
			require.True(t, utf8.ValidString(text[:span.Start]) && utf8.ValidString(text[:span.End]),
				"%q is cut within a character", text)
		}
		at = span.End
	}
}

// FuzzLikeness compares two texts: likeness is symmetric, and 1 for a long enough text and itself.
func FuzzLikeness(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b string) {
		one, other := search.NewLikeness(a), search.NewLikeness(b)
		likeness := one.To(b)
		require.True(t, likeness >= 0 && likeness <= 1, "%v", likeness)
		require.Equal(t, likeness, other.To(a))
		own := one.To(a)
		require.True(t, own == 0 || own == 1, "%v", own)
		require.GreaterOrEqual(t, own, likeness)
	})
}
