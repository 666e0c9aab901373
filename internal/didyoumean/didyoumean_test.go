package didyoumean_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/didyoumean"
)

func TestTo(t *testing.T) {
	names := []string{"remember", "recall", "restore", "list", "log", "tag", "max_memories", "memories_to_load"}
	for word, want := range map[string][]string{
		"rememver":    {"remember"},                      // one replaced
		"remebmer":    {"remember"},                      // two swapped
		"lst":         {"list"},                          // one missing
		"lsit":        {"list"},                          // one slip in a short word
		"lg":          {"log"},                           //
		"re":          {"remember", "recall", "restore"}, // a prefix
		"TGA":         {"tag"},                           // in any case
		"max_memores": {"max_memories"},                  //
		"lizt":        {"list"},                          //
		"lixx":        {},                                // two slips in four letters
		"x":           {},                                //
		"":            {},                                //
		"frobnicate":  {},                                //
	} {
		require.Equal(t, want, didyoumean.To(word, names), word)
	}
	require.Equal(t, []string{"tag", "tags", "tab"}, didyoumean.To("tag", []string{"tags", "tab", "tap", "tag"}),
		"the nearest first, at most three")
	require.Equal(t, []string{"größe"}, didyoumean.To("grösse", []string{"größe"}), "characters count, not bytes")
	require.Empty(t, didyoumean.To("word", nil))
}
