package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/search"
)

func TestMarks(t *testing.T) {
	for _, c := range []struct{ name, query, text, want string }{
		{"nothing", "zebra", "a text about horses", "a text about horses"},
		{"empty", "zebra", "", ""},
		{"a word in another case", "postgres", "Postgres is slow", "[Postgres] is slow"},
		{"another form", "connections timing out", "the connection timed out", "the [connection] [timed] out"},
		{"misspelt", "conection", "the connection is gone", "the [connection] is gone"},
		{"stop words are no matches", "the pool of the server", "the pool is empty", "the [pool] is empty"},
		{"punctuation stays outside", "retry", "(retry), and `retry`.", "([retry]), and `[retry]`."},
		{"parts of identifiers", "conns", "raise max_conns in db.go", "raise max_[conns] in db.go"},
		{"camel case is one run", "conns", "SetMaxOpenConns(50)", "[SetMaxOpenConns](50)"},
		{"joined", "timeout", "the time-out", "the [time-out]"},
		{"without spaces, pairs", "数据库", "修复数据库连接", "修复[数据库]连接"},
		{"without spaces, one character alone is none", "数据库", "数字", "数字"},
		{"without spaces, one character asked", "数", "数字", "[数]字"},
		{"mixed scripts", "Go 数据", "Go数据", "[Go数据]"},
		{"phrase", `"retry budget"`, "the retry budget", "the [retry] [budget]"},
		{"broken text", "retry", "retry\xff retry", "[retry]\xff [retry]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			at := 0
			for _, m := range search.NewSnippets(search.Parse(c.query)).Marks(c.text) {
				require.GreaterOrEqual(t, m.Start, at)
				require.Less(t, m.Start, m.End)
				b.WriteString(c.text[at:m.Start] + "[" + c.text[m.Start:m.End] + "]")
				at = m.End
			}
			require.Equal(t, c.want, b.String()+c.text[at:])
		})
	}
}
