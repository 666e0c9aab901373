package search

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTextWithoutSentencesIsCutBetweenWords bounds what one passage is picked from.
func TestTextWithoutSentencesIsCutBetweenWords(t *testing.T) {
	sentences := splitSentences(strings.Repeat("word ", 4000))
	require.Greater(t, len(sentences), 1)
	words := 0
	for _, s := range sentences {
		require.LessOrEqual(t, len(s.text), maxSentenceBytes)
		for _, word := range strings.Fields(s.text) {
			require.Equal(t, "word", word)
			words++
		}
	}
	require.Equal(t, 4000, words)

	wide := strings.Repeat("語", 4000) // of three bytes each
	var all string
	for _, s := range splitSentences(wide) {
		require.LessOrEqual(t, len(s.text), maxSentenceBytes)
		all += s.text
	}
	require.Equal(t, wide, all)
}
