package search_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

func TestSnippet(t *testing.T) {
	const text = `We moved the job queue to Redis. It was slow at first.

The workers lost their connection after 300 s, because the load balancer (v1.2.
see below) drops idle ones. Setting a keepalive of 60 s fixed it! Nothing else did.

- Tried: a longer timeout
- Tried: two pools, e.g. one for reads

` + "```sh\nredis-cli config set tcp-keepalive 60\nredis-cli config rewrite\n```" + `
## Later
日本語の文です。接続が切れた。終わり。`
	tests := []struct {
		name, query string
		max         int
		want        string
	}{
		{"a sentence of several lines", "lost connections", 130,
			"The workers lost their connection after 300 s, because the load balancer (v1.2. see below) drops idle " +
				"ones."},
		{"as many as fit after it", "keepalive fix", 70, "Setting a keepalive of 60 s fixed it! Nothing else did."},
		{"a list item", "longer timeouts", 30, "Tried: a longer timeout"},
		{"items are kept apart", "longer timeouts", 70,
			"Tried: a longer timeout; Tried: two pools, e.g. one for reads"},
		{"no end at an abbreviation", "pools for reads", 40, "Tried: two pools, e.g. one for reads"},
		{"a line of code", "redis-cli rewrite", 40, "redis-cli config rewrite"},
		{"a typo", "keepalvie setting", 50, "Setting a keepalive of 60 s fixed it!"},
		{"none of its words", "kubernetes", 60, "We moved the job queue to Redis. It was slow at first. "},
		{"nothing asked", "", 40, "We moved the job queue to Redis."},
		{"stop words only", "because of the", 40, "We moved the job queue to Redis."},
		{"Japanese", "接続", 12, "接続が切れた。 終わり。"},
		{"cut at words", "load balancer", 40, "…load balancer (v1.2. see below) drops…"},
		{"no room", "redis", 0, ""},
		{"room for one", "redis", 1, "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := search.NewSnippets(search.Parse(tt.query)).Of(text, tt.max)
			require.Equal(t, strings.TrimSpace(tt.want), got)
		})
	}
}

func TestSnippetOfGuesses(t *testing.T) {
	const text = "We moved the job queue. The dates were wrong. The database was slow. Nothing else."
	pick := search.NewSnippets(search.Parse("data"))
	require.Equal(t, "The database was slow.", pick.Taking(map[string][]string{"data": {"database"}}).Of(text, 30))
	const long = "Nothing of interest happened before the database was slow and then fast again"
	require.Equal(t, "…database was slow and…", pick.Taking(map[string][]string{"data": {"database"}}).Of(long, 24))
}

// TestPassagesOfATextThatIsReady makes several queries on one text, some with respelled words or a
// cut sentence: none may affect the next.
func TestPassagesOfATextThatIsReady(t *testing.T) {
	const text = "We moved the job queue to Redis. The workers lost their connection because the load balancer " +
		"drops idle ones, as the log of the evening before had shown to all who read it. Setting a keepalive fixed it."
	ready := search.NewText(text)
	for _, query := range []string{"queue", "conection", "keepalvie", "worker", "zebra", "load balancers", "conection",
		"queue"} {
		pick := search.NewSnippets(search.Parse(query))
		for _, n := range []int{0, 30, 60, 300} {
			require.Equal(t, search.NewSnippets(search.Parse(query)).Of(text, n), pick.In(ready, n), "%s %d", query, n)
		}
	}
	require.GreaterOrEqual(t, ready.Size(), len(text))
}

func FuzzSnippet(f *testing.F) {
	f.Add("One sentence. Another one!", "another", 20)
	f.Add("- a\n- b\n```\ncode", "code", 300)
	f.Add("日本語。\xff\n\n# x", "x", 1)
	f.Fuzz(func(t *testing.T, text, query string, n int) {
		got := search.NewSnippets(search.Parse(query)).Of(text, n)
		require.LessOrEqual(t, utf8.RuneCountInString(got), max(0, n))
		require.True(t, utf8.ValidString(got))
		require.NotContains(t, got, "\n")
	})
}
