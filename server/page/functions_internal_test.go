package page

import (
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

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{"": "", "there is no memory x": "There is no memory x.",
		"mem_00000001 is gone": "mem_00000001 is gone.", "It was so!": "It was so!", "état": "État.",
		"ltm ui --allow-host NAME adds one": "ltm ui --allow-host NAME adds one."} {
		require.Equal(t, want, sentence(text))
	}
}
