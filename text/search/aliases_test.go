package search_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

// frequencyOf returns the factor of the only word of a query in a document.
func frequencyOf(t *testing.T, x *search.Index, query, id string) float64 {
	t.Helper()
	hits, _ := x.Search(search.Parse(query), search.Options{Explain: true})
	for _, h := range hits {
		if h.ID == id {
			require.Len(t, h.Explanation.Terms, 1)
			return h.Explanation.Terms[0].Frequency
		}
	}
	return 0
}

// TestAliasArithmetic has documents of the same length, of five words and one tag, so that the length of a text
// divides by out: an occurrence counts 1, in the topic 1.5, in an alias of mean length 1.5, in a learned one 0.25.
func TestAliasArithmetic(t *testing.T) {
	word := func(i int) search.Doc {
		n := fmt.Sprint("x", i)
		return search.Doc{ID: n, Topic: n, Content: strings.Repeat(n+" ", 5)}
	}
	plain, titled, aliased, learned, both := word(0), word(1), word(2), word(3), word(4)
	plain.Content = strings.Replace(plain.Content, "x0", "pool", 1)
	titled.Topic, titled.Content = "pool", strings.Repeat("x1 ", 5)
	aliased.Aliases = []string{"a pool", "two words"}
	learned.Learned = []string{"pool pool", "pool of"}
	both.Aliases, both.Learned = []string{"pool one"}, []string{"pool two"}
	x := index(plain, titled, aliased, learned, both)
	tf := func(n float64) float64 { return 2 * n / (n + 1) }
	for id, n := range map[string]float64{"x0": 1, "x1": 1.5, "x2": 1.5, "x3": 0.25, "x4": 1.75} {
		require.InDelta(t, tf(n), frequencyOf(t, x, "pool", id), 0.01, id)
	}
}

// TestAliasLengthIsThatOfOne has documents whose aliases differ in number and length. The mean length is 3 words.
func TestAliasLengthIsThatOfOne(t *testing.T) {
	d := func(id string, aliases ...string) search.Doc {
		return search.Doc{ID: id, Topic: "topic", Content: "content", Aliases: aliases}
	}
	x := index(d("one", "pool is dry"), d("four", "pool is dry", "a b c", "d e f", "g h i"), d("short", "pool"),
		d("long", "pool q r s t"))
	tf := func(n float64) float64 { return 2 * n / (n + 1) }
	for id, n := range map[string]float64{"one": 1.5, "four": 1.5, "short": 1.5 / 0.7, "long": 1.5 / (0.2 + 0.8*5/3)} {
		require.InDelta(t, tf(n), frequencyOf(t, x, "pool", id), 0.02, id)
	}
}

func TestAliasesFindLikeText(t *testing.T) {
	x := index(doc("a", "Bouncer settings", "Sessions get 20 slots.", "db"), doc("b", "Nginx", "Buffers and pools."))
	require.Empty(t, ids(first(x.Search(search.Parse("exhausted connections"), search.Options{}))))
	aliased := doc("a", "Bouncer settings", "Sessions get 20 slots.", "db")
	aliased.Aliases = []string{"why are connections exhausted", "pool size"}
	x.Put(aliased)
	for _, query := range []string{"exhausted connections", "exhausting", "exhuasted", `"connections exhausted"`,
		"tag:db pool", "pool -nginx"} {
		require.Equal(t, "a", ids(first(x.Search(search.Parse(query), search.Options{})))[0], query)
	}
	require.Empty(t, ids(first(x.Search(search.Parse("tag:pool"), search.Options{}))), "an alias is not a tag")
	require.NotContains(t, ids(first(x.Search(search.Parse("nginx -exhausted sessions"), search.Options{}))), "a")
	near := func(query string) float64 {
		hits, _ := x.Search(search.Parse(query), search.Options{Explain: true})
		return hits[0].Explanation.Proximity
	}
	require.Positive(t, near("connections exhausted buffers"))
	require.Zero(t, near("exhausted pool buffers"), "the end of one alias and the beginning of another")
	x.Put(doc("a", "Bouncer settings", "Sessions get 20 slots."))
	require.Empty(t, ids(first(x.Search(search.Parse("exhausted connections"), search.Options{}))))
}

// TestLearnedAliasesAreNoText learns a question verbatim: its words count, but neither as a phrase nor as neighbors.
func TestLearnedAliasesAreNoText(t *testing.T) {
	d := doc("a", "Bouncer settings", "Sessions get 20 slots.")
	d.Learned = []string{"why are connections exhausted"}
	x := index(d, doc("b", "Nginx", "Exhausted buffers."))
	hits, _ := x.Search(search.Parse("connections exhausted"), search.Options{Explain: true})
	require.Equal(t, []string{"a", "b"}, ids(hits))
	require.Zero(t, hits[0].Explanation.Proximity)
	require.Less(t, hits[0].Score, 0.7)
	hits, _ = x.Search(search.Parse(`"connections exhausted"`), search.Options{})
	require.Equal(t, []string{"a", "b"}, ids(hits), "no document has the phrase, so its words count")
}

// TestLearnedAliasesAreBounded learns a question for the wrong memory, up to eight times. It does not get ahead of the
// one that says itself what was asked.
func TestLearnedAliasesAreBounded(t *testing.T) {
	for _, n := range []int{1, 4, 8} {
		x := index(doc("right", "Connection pool exhausted", "Raise the pool size when connections run dry."),
			doc("other", "Nginx buffers", "They are small."))
		bad := doc("bad", "Nothing", "Nothing of it.")
		for range n {
			bad.Learned = append(bad.Learned, "connection pool exhausted")
		}
		x.Put(bad)
		hits, _ := x.Search(search.Parse("connection pool exhausted"), search.Options{Explain: true})
		require.Equal(t, []string{"right", "bad"}, ids(hits))
		for _, term := range hits[1].Explanation.Terms {
			require.Less(t, term.Frequency, 0.53, "however many repeat it")
		}
	}
}

func TestAliasesAreKeptInTheCode(t *testing.T) {
	d := doc("a", "Bouncer", "Slots.")
	d.Aliases, d.Learned = []string{"pool size", "why dry"}, []string{"how many"}
	x := index(d, doc("b", "Pool", "Other."))
	y, err := search.Decode(x.Encode())
	require.NoError(t, err)
	for _, query := range []string{"pool", "how many", "why dry", `"pool size"`} {
		want, _ := x.Search(search.Parse(query), search.Options{Explain: true})
		got, _ := y.Search(search.Parse(query), search.Options{Explain: true})
		require.Equal(t, want, got)
		require.False(t, math.IsNaN(got[0].Score))
	}
}

func TestAliasThatMatches(t *testing.T) {
	p := search.NewSnippets(search.Parse("why were the connections exhausted"))
	for want, aliases := range map[string][]string{
		"":                            nil,
		"exhausting a connection":     {"a pool", "connection", "exhausting a connection", "connections exhausted"},
		"exhuasted":                   {"why were the", "exhuasted"},
		"connections are all in use?": {"why is the", "connections are all in use?"},
	} {
		require.Equal(t, want, p.Alias(aliases))
	}
	require.Empty(t, p.Alias([]string{"why were the", ""}), "stop words alone")
}

func first(hits []search.Hit, _ int) []search.Hit { return hits }
