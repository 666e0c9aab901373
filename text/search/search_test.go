package search_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

func doc(id, topic, content string, tags ...string) search.Doc {
	return search.Doc{ID: id, Topic: topic, Content: content, Tags: tags}
}

func index(docs ...search.Doc) *search.Index {
	x := search.New()
	for _, d := range docs {
		x.Put(d)
	}
	return x
}

func ids(hits []search.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func find(x *search.Index, q string) []string {
	hits, _ := x.Search(search.Parse(q), search.Options{})
	return ids(hits)
}

// TestMatch asks for one document among others that must not be confused with it.
func TestMatch(t *testing.T) {
	noise := []search.Doc{
		doc("n1", "Release checklist", "Tag the commit and push it, then wait for the pipeline."),
		doc("n2", "Coffee machine", "Descale it every month."),
	}
	tests := []struct {
		name, content, query string
		want                 bool
	}{
		{"word", "The pool was exhausted", "exhausted", true},
		{"another inflection", "The workers were caching responses", "why is the response cached", true},
		{"irregular inflection", "The build broke on arm64", "what breaks", true},
		{"any word is enough", "Postgres needs vacuum", "how do I make sqlite vacuum", true},
		{"upper case", "set GOMAXPROCS", "gomaxprocs", true},
		{"camel case by part", "call SetMaxOpenConns first", "max conns", true},
		{"camel case by snake case", "call setMaxOpenConns first", "set_max_open_conns", true},
		{"snake case joined", "max_open_conns = 5", "maxopenconns", true},
		{"kebab case", "the x-request-id header", "XRequestId", true},
		{"dotted", "spring.jpa.open-in-view", "open in view", true},
		{"path", "see internal/store/lock.go", "lock.go", true},
		{"acronym and word", "an HTTPServer leaks", "server", true},
		{"plural of an acronym", "list of URLs", "url", true},
		{"version", "broken since 1.12.3", "1.12.3", true},
		{"error code", "fails with E0382", "e0382", true},
		{"possessive", "the user's home", "user", true},
		{"contraction", "it doesn’t retry", "retry", true},
		{"accents", "Überprüfung der naïve approach", "naive uberprufung", true},
		{"combining accents", "nai\u0308ve", "naive", true},
		{"Cyrillic", "Ошибка подключения", "ошибка", true},
		{"Chinese", "数据库连接超时的原因", "连接超时", true},
		{"one Chinese character", "数据库", "库", true},
		{"Japanese", "データベース接続", "接続エラー", true},
		{"Korean", "데이터베이스 연결", "데이터베이스", true},
		{"ISO date by month", "broken since 2026-01-15, fixed later", "what broke in January", true},
		{"May as a month", "broken since 2026-05-15, fixed later", "in May", true},
		{"may as a verb", "you may not", "what may I", false},
		{"C++", "compile with C++ 20", "c++", true},
		{"C# is not C", "written in C#", "c", false},
		{"typo in the query", "the scheduler deadlocks", "schedular", true},
		{"swapped letters", "the scheduler deadlocks", "shceduler", true},
		{"two typos in a long word", "authentication fails", "autentikation", true},
		{"the beginning of a word", "migrate the database first", "data", true},
		{"the beginning of a word, short for it", "performance of the parser", "perf", true},
		{"a beginning of three letters", "read from the environment", "env", true},
		{"two letters begin too much", "the database", "da", false},
		{"the plural of a beginning", "one repository per team", "repos", true},
		{"the beginning of a word with a number", "log in by OAuth2Client", "oauth", true},
		{"the beginning of an identifier", "call timeoutPerHost", "timeoutp", true},
		{"the beginning of a tag", "see there", "sche", true},
		{"the beginning of a Cyrillic word", "ошибка подключения", "подкл", true},
		{"the beginning of a stop word", "it should be so", "sho", false},
		{"the end of a word", "the database", "base", false},
		{"the beginning of a code", "fails with E0382", "E03", false},
		{"another code is not a typo", "fails with E0382", "E0383", false},
		{"another short word is not a typo", "the cat runs", "cap", false},
		{"stop words only", "how is it with the", "how is it with the", false},
		{"unknown word", "nothing of the sort", "xyzzyplugh", false},
		{"empty", "anything", "", false},
		{"white space", "anything", " \t\n", false},
		{"punctuation", "a - b, c!", "?!… --- ''", false},
		{"one letter", "plan B works", "b", true},
		{"invalid UTF-8 in the query", "the pool", "\xff\xfepool\xff", true},
		{"invalid UTF-8 in the text", "the \xffpool\xfe", "pool", true},
		{"NUL in the query", "the pool", "\x00pool\x00", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := index(append(noise, doc("d", "Note", tt.content, "scheduling"))...)
			want := []string{}
			if tt.want {
				want = append(want, "d")
			}
			require.Equal(t, want, find(x, tt.query))
		})
	}
}

func TestSyntax(t *testing.T) {
	x := index(
		doc("a", "Cache in redis", "The session cache lives in redis. Connection pool of ten.", "cache", "redis"),
		doc("b", "Cache in memory", "The session cache is a map. A pool of connection objects.", "cache", "Go"),
		doc("c", "Flags of grep", "grep -p is no flag; use grep --perl-regexp or pcregrep -perl."),
	)
	tests := []struct {
		name, query string
		want        []string
	}{
		{"words", "session cache", []string{"a", "b"}},
		{"exclusion", "session cache -redis", []string{"b"}},
		{"exclusion in another inflection", "session -connections", []string{}},
		{"exclusion alone", "-redis", []string{"b", "c"}},
		{"exclusion of an absent word", "session -mongo", []string{"a", "b"}},
		{"a flag is a word", "grep -p", []string{"c"}},
		{"a long flag is words", "grep --perl-regexp", []string{"c"}},
		{"phrase", `"connection pool"`, []string{"a"}},
		{"phrase and word", `"connection pool" session`, []string{"a"}},
		{"phrase in curly quotes", "“connection pool”", []string{"a"}},
		{"phrase of stop words", `"is a"`, []string{"b"}},
		{"phrase that is nowhere counts as words", `"session redis"`, []string{"a", "b"}},
		{"unclosed quote", `"grep flag`, []string{"c"}},
		{"tag", "tag:cache session", []string{"a", "b"}},
		{"tag alone", "tag:redis", []string{"a"}},
		{"tag in another case", "tag:go", []string{"b"}},
		{"two tags", "tag:cache tag:redis", []string{"a"}},
		{"unknown tag", "tag:none session", []string{}},
		{"tag without a value is a word", "tag: redis", []string{"a"}},
		{"id alone", "id:c", []string{"c"}},
		{"two ids", "id:c id:a", []string{"a", "c"}},
		{"a flag that a document names is a word", "flags -perl", []string{"c"}},
		{"id and a word that is not in it", "id:c redis", []string{}},
		{"unknown id", "id:zzz", []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, find(x, tt.query)) })
	}
}

func TestWordsHasNoSyntax(t *testing.T) {
	x := index(doc("a", "Redis", "cache"), doc("b", "Map", "cache"))
	hits, total := x.Search(search.Words(`cache -redis tag:none "id:x"`), search.Options{})
	require.Equal(t, []string{"a", "b"}, ids(hits))
	require.Equal(t, 2, total)
}

// TestScore spells out the arithmetic for documents of equal length, where BM25's frequency factor
// of a word that occurs once is 1.
func TestScore(t *testing.T) {
	idf := func(n, df float64) float64 { return math.Log(1 + (n-df+.5)/(df+.5)) }
	scale := func(raw float64) float64 { return 1 - math.Exp(-1.5*raw) }
	x := index(
		doc("a", "one", "alpha bravo"),
		doc("b", "two", "alpha delta"),
		doc("c", "six", "falcon delta"),
		doc("d", "ten", "fox the"),
	)
	rare, common := idf(4, 1), idf(4, 2)
	tests := []struct {
		name, query, id string
		want            float64
	}{
		{"the only word", "bravo", "a", scale(1)},
		{"a word of two documents", "alpha", "a", scale(1)},
		{"one of two words", "alpha bravo", "b", scale(common / (common + rare))},
		{"both words, next to each other", "alpha bravo", "a", scale(1 + 0.3*common/(common+rare))},
		{"an unknown word counts as missing", "bravo mnopqr", "a", scale(rare / (rare + idf(4, 0)))},
		{"an unknown stop word does not", "bravo of", "a", scale(1)},
		{"a stop word counts a fifth", "fox the", "d", scale(1)},
		{"a stop word that is missing", "bravo the", "a", scale(rare / (rare + 0.2*rare))},
		{"the beginning counts nine tenths of its word", "falc alpha", "c", scale(0.9 * rare / (0.9*rare + common))},
		{"another spelling counts nine tenths of its word", "falcom alpha", "c",
			scale(0.9 * rare / (0.9*rare + common))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits, _ := x.Search(search.Parse(tt.query), search.Options{})
			for _, h := range hits {
				if h.ID == tt.id {
					require.InDelta(t, tt.want, h.Score, 1e-6)
					return
				}
			}
			t.Fatalf("%s is not among %v", tt.id, hits)
		})
	}
}

func TestScoreParts(t *testing.T) {
	tests := []struct {
		name         string
		first, later search.Doc
		query        string
	}{
		{"topic before content", doc("b", "cache", "lost warm"), doc("a", "lost", "cache warm"), "cache"},
		{"short before long", doc("b", "x", "cache"), doc("a", "y", "cache and a lot more that is not about it"),
			"cache"},
		{"more often", doc("b", "x", "cache or cache"), doc("a", "y", "cache or store"), "cache"},
		{"the form that was asked", doc("b", "x", "caching it"), doc("a", "y", "caches it"), "caching"},
		{"more words of the query", doc("b", "x", "cache warm"), doc("a", "y", "cache cache"), "warm cache"},
		{"words that are close", doc("b", "x", "warm cache one two"), doc("a", "y", "warm one two cache"),
			"warm cache"},
		{"the identifier over its parts", doc("b", "x", "maxConns two"), doc("a", "y", "max two conns"), "max_conns"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := index(tt.later, tt.first, doc("n", "other", "something else"))
			require.Equal(t, []string{tt.first.ID, tt.later.ID}, find(x, tt.query))
		})
	}
}

func TestOrderOfEquals(t *testing.T) {
	day := func(id string, d int) search.Doc {
		out := doc(id, "same", "the very same words")
		if d > 0 {
			out.Created = time.Date(2026, 5, d, 0, 0, 0, 0, time.UTC)
		}
		return out
	}
	x := index(day("c", 2), day("e", 0), day("b", 3), day("a", 2), day("d", 0))
	require.Equal(t, []string{"d", "e", "b", "a", "c"}, find(x, "words"),
		"undated ones are shorter, then newest, then by ID")

	x = index(doc("a", "same", "words"), doc("b", "same", "words"), doc("c", "same", "words words words"))
	hits, _ := x.Search(search.Parse("words"), search.Options{Prior: func(id string) float64 {
		return map[string]float64{"a": 0, "b": 1, "c": -5}[id]
	}})
	require.Equal(t, []string{"c", "b", "a"}, ids(hits), "a prior orders equals and lifts nothing over a better answer")
	require.Equal(t, hits[1].Score, hits[2].Score, "the prior does not change the score")
}

func TestDates(t *testing.T) {
	at := func(id string, y int, m time.Month, d int) search.Doc {
		out := doc(id, "Standup notes", "We talked about the roadmap")
		out.Created = time.Date(y, m, d, 9, 0, 0, 0, time.UTC)
		return out
	}
	x := index(at("a", 2023, time.May, 8), at("b", 2024, time.June, 9), at("c", 2025, time.March, 9))
	tests := []struct{ name, query, first string }{
		{"month", "what did we talk about in June", "b"},
		{"month that is a modal verb too", "roadmap in May", "a"},
		{"year", "roadmap 2025", "c"},
		{"spelled out", "8 May 2023", "a"},
		{"ISO", "roadmap of 2023-05-08", "a"},
		{"year and month", "roadmap 2024-06", "b"},
		{"day and month in numbers", "2025-03-09", "c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.first, find(x, tt.query)[0]) })
	}
}

func TestOptions(t *testing.T) {
	x := index(
		doc("a", "cache", "warm cache", "one"),
		doc("b", "cache", "cold", "two"),
		doc("c", "other", "cache among many words that say something else", "two"),
	)
	q := search.Parse("warm cache")
	all, total := x.Search(q, search.Options{})
	require.Equal(t, 3, total)
	require.Equal(t, []string{"a", "b", "c"}, ids(all))
	require.Equal(t, []int{2, 1, 1}, []int{all[0].Words, all[1].Words, all[2].Words})
	for _, h := range all {
		require.Nil(t, h.Explanation)
	}
	some, total := x.Search(q, search.Options{Limit: 1})
	require.Equal(t, all[:1], some)
	require.Equal(t, 3, total)
	some, total = x.Search(q, search.Options{MinScore: all[1].Score})
	require.Equal(t, all[:2], some)
	require.Equal(t, 2, total)
	some, total = x.Search(q, search.Options{Tag: "TWO"})
	require.Equal(t, all[1:], some)
	require.Equal(t, 2, total)
	some, _ = x.Search(q, search.Options{Tag: "two", Limit: -1, MinScore: 2})
	require.Empty(t, some)
}

// TestExplanation recomputes the score from its explanation.
func TestExplanation(t *testing.T) {
	x := index(
		doc("a", "Connection pool", "The pools ran dry under load", "db"),
		doc("b", "Load test", "How to put load on the connections"),
		doc("c", "Unrelated", "pools"),
	)
	half := func(string) float64 { return 0.5 }
	hits, _ := x.Search(search.Parse("why do the pools of conections vanish"),
		search.Options{Explain: true, Prior: half})
	require.NotEmpty(t, hits)
	for _, h := range hits {
		e := h.Explanation
		require.NotNil(t, e)
		sum := 0.0
		for _, term := range e.Terms {
			require.InDelta(t, term.Score, term.Weight*term.IDF*term.Frequency+term.Exact, 1e-12)
			sum += term.Score
		}
		require.InDelta(t, e.Raw, sum/e.Ceiling+e.Proximity, 1e-12)
		require.InDelta(t, h.Score, 1-math.Exp(-1.5*e.Raw), 1e-12)
		require.Equal(t, 0.5, e.Prior)
		require.Contains(t, e.Missing, "vanish")
		require.Contains(t, e.String(), "not in it")
	}
	text := hits[0].Explanation.String()
	require.Contains(t, text, "as connections, connection")
	require.Contains(t, text, "exact")
}

func TestFloor(t *testing.T) {
	long := strings.Repeat("filler of a text that goes on and on ", 200)
	x := index(doc("a", "Long", long+"needle"), doc("b", "Other", "short"), doc("c", "Third", "words"))
	query := "needle qqqqa qqqqb qqqqc qqqqd qqqqe qqqqf qqqqg qqqqh"
	require.Equal(t, []string{"a"}, find(x, query), "a word as it was asked is a find, however weak")
	query = strings.Replace(query, "needle", "neetle", 1)
	require.Empty(t, find(x, query), "another spelling has to be worth something")
}

// TestMany has many equal documents: their order must not depend on how the best of them were
// selected.
func TestMany(t *testing.T) {
	x := search.New()
	for i := range 1000 {
		x.Put(doc(fmt.Sprintf("d%03d", (i*7919)%1000), "same topic", "the same content, again and again"))
	}
	hits, total := x.Search(search.Parse("same content"), search.Options{Limit: 5})
	require.Equal(t, 1000, total)
	require.Equal(t, []string{"d000", "d001", "d002", "d003", "d004"}, ids(hits))
	hits, _ = x.Search(search.Parse("same content"), search.Options{Limit: 300})
	require.Len(t, hits, 300)
	require.Equal(t, "d299", hits[299].ID)
}

func TestLongTexts(t *testing.T) {
	huge := strings.Repeat("lorem ipsum dolor sit amet ", 40_000)
	x := index(doc("huge", "Huge", huge+"needle"), doc("small", "Small", "needle"),
		doc("log", "Log", "connection refused by upstream"))
	require.Equal(t, []string{"small", "huge"}, find(x, "needle"))
	prompt := strings.Repeat("some words that stand nowhere xkcd ", 300) + "upstream refused the connection"
	require.Equal(t, "log", find(x, prompt)[0])
	require.Empty(t, find(x, strings.Repeat("a", 100_000)))
}

// TestTheSubjectOfALongText has more rare words than are looked up. What the text repeats is its subject, though more
// documents have it.
func TestTheSubjectOfALongText(t *testing.T) {
	text, docs := "", []search.Doc{doc("subject", "x", "attribution")}
	for i := range 40 {
		rare := fmt.Sprintf("rare%cword%c", 'a'+i%26, 'a'+i/26)
		text += "attribution " + rare + " "
		docs = append(docs, doc(fmt.Sprint(i), "x", rare))
	}
	docs = append(docs, doc("another", "x", "attribution"))
	require.Contains(t, find(index(docs...), text), "subject")
}

// TestConcurrentSearch is for the race detector, and checks that searches do not affect each other.
func TestConcurrentSearch(t *testing.T) {
	x := build(corpus(300))
	want := make([][]search.Hit, len(queries))
	text := func(i int) search.Query { return search.Parse(queries[i] + " " + spell(uint64(10*i))) }
	for i := range queries {
		want[i], _ = x.Search(text(i), search.Options{Limit: 10})
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for n := range 200 {
				i := n % len(queries)
				got, _ := x.Search(text(i), search.Options{Limit: 10})
				assert.Equal(t, want[i], got)
			}
		})
	}
	group.Wait()
}

func TestInputsAreNotChanged(t *testing.T) {
	tags := []string{"B", "a"}
	q := search.Parse(`tag:a "the pool" -x1 word`)
	q.Tags = append(make([]string, 0, 8), q.Tags...)
	x := index(doc("a", "T", "the pool", tags...))
	x.Search(q, search.Options{Tag: "b"})
	require.Equal(t, []string{"B", "a"}, tags)
	require.Equal(t, []string{"a"}, q.Tags)
	require.Equal(t, []string{"the pool"}, q.Phrases)
	require.Empty(t, q.Tags[:2][1], "not even beyond its end")
}

func TestZeroValues(t *testing.T) {
	var x search.Index
	require.Zero(t, x.Len())
	require.Empty(t, find(&x, "word"))
	require.Empty(t, find(&x, "id:a"))
	x.Delete("a")
	x.Put(search.Doc{})
	require.Equal(t, 1, x.Len())
	hits, total := x.Search(search.Query{}, search.Options{})
	require.Empty(t, hits)
	require.Zero(t, total)
}
