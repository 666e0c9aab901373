package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

// TestMarksOfGuesses marks the replacements of a word that no document contains: only those that
// the search used.
func TestMarksOfGuesses(t *testing.T) {
	x := index(
		doc("a", "Storage", "The Database, and its database_url: a datum."),
		doc("b", "Import", "pool"),
	)
	for _, c := range []struct{ name, query, text, want string }{
		{"a beginning", "data", "the database", "the [database]"},
		{"in parts of identifiers", "data", "my_database_url and dataCenter", "my_[database]_url and [dataCenter]"},
		{"in another case", "data", "DATABASE", "[DATABASE]"},
		{"a longer word that no document contains", "data", "a dataset", "a dataset"},
		{"a spelling that no document contains", "data", "a date", "a date"},
		{"next to a known word", "data pools", "the database pool", "the [database] [pool]"},
		{"in a text with the word itself", "data", "data", "[data]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			hits, _ := x.Search(search.Parse(c.query), search.Options{})
			require.NotEmpty(t, hits)
			require.Equal(t, c.want, marked(t, search.NewSnippets(search.Parse(c.query)).Taking(hits[0].Taken), c.text))
		})
	}
}

func TestTakingLeavesTheOriginal(t *testing.T) {
	plain := search.NewSnippets(search.Parse("data"))
	plain.Taking(map[string][]string{"data": {"database"}})
	require.Equal(t, "the database", marked(t, plain, "the database"))
	require.Equal(t, "no [date]", marked(t, plain.Taking(nil), "no date"))
}

// marked encloses the marks of a text in brackets.
func marked(t *testing.T, p search.Snippets, text string) string {
	t.Helper()
	var b strings.Builder
	at := 0
	for _, m := range p.Marks(text) {
		require.GreaterOrEqual(t, m.Start, at)
		require.Less(t, m.Start, m.End)
		b.WriteString(text[at:m.Start] + "[" + text[m.Start:m.End] + "]")
		at = m.End
	}
	return b.String() + text[at:]
}

func TestMarks(t *testing.T) {
	for _, c := range []struct{ name, query, text, want string }{
		{"nothing", "zebra", "a text about horses", "a text about horses"},
		{"empty", "zebra", "", ""},
		{"a word in another case", "postgres", "Postgres is slow", "[Postgres] is slow"},
		{"another form", "connections timing out", "the connection timed out", "the [connection] [timed] out"},
		{"misspelt", "conection", "the connection is gone", "the [connection] is gone"},
		{"stop words do not match", "the pool of the server", "the pool is empty", "the [pool] is empty"},
		{"punctuation stays outside", "retry", "(retry), and `retry`.", "([retry]), and `[retry]`."},
		{"parts of identifiers", "conns", "raise max_conns in db.go", "raise max_[conns] in db.go"},
		{"camel case is one run", "conns", "SetMaxOpenConns(50)", "[SetMaxOpenConns](50)"},
		{"joined", "timeout", "the time-out", "the [time-out]"},
		{"without spaces, pairs", "数据库", "修复数据库连接", "修复[数据库]连接"},
		{"without spaces, a single character does not match", "数据库", "数字", "数字"},
		{"without spaces, one character asked", "数", "数字", "[数]字"},
		{"mixed scripts", "Go 数据", "Go数据", "[Go数据]"},
		{"phrase", `"retry budget"`, "the retry budget", "the [retry] [budget]"},
		{"broken text", "retry", "retry\xff retry", "[retry]\xff [retry]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, marked(t, search.NewSnippets(search.Parse(c.query)), c.text))
		})
	}
}
