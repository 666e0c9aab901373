package page

import (
	"io/fs"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlain(t *testing.T) {
	for given, want := range map[string]string{
		"Use **pgx**, not `lib/pq`: *mind* [the docs](https://ok.example/x) and ![a](b.png)": "Use pgx, not lib/pq: " +
			"mind the docs and a",
		"snake_case, 2 * 3 * 4, **/*.go, `a<b>` <i>x</i>": "snake_case, 2 * 3 * 4, **/*.go, a<b> <i>x</i>",
		"# 1. a\n- b *c*\n\nd":                            "# 1. a - b c d",
		"<https://ok.example> *x*":                        "https://ok.example x",
		"[//]: # (hidden) `x`":                            "[//]: # (hidden) x",
	} {
		require.Equal(t, want, plain(given, 100))
	}
	require.Equal(t, "aaaaa…", plain("*aaaaaaaaaaaaaaaaaaaa*", 5))
}

// TestWordsAreExplained: each that a page explains is in the glossary.
func TestWordsAreExplained(t *testing.T) {
	pages, err := fs.Glob(embedded, "pages/*.html")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, page := range pages {
		data, err := embedded.ReadFile(page)
		require.NoError(t, err)
		for _, found := range regexp.MustCompile(`{{word "([^"]+)"}}`).FindAllStringSubmatch(string(data), -1) {
			used[found[1]] = true
		}
	}
	require.Greater(t, len(used), 8)
	for word := range used {
		require.NotContains(t, explain()(word), `title=""`, word)
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{"": "", "there is no memory x": "There is no memory x.",
		"mem_00000001 is gone": "mem_00000001 is gone.", "It was so!": "It was so!", "état": "État.",
		"ltm ui --allow-host NAME adds one": "ltm ui --allow-host NAME adds one."} {
		require.Equal(t, want, sentence(text))
	}
}
