package brief_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/brief"
	"ltm/text/search"
)

func TestClearMatches(t *testing.T) {
	clear := search.Hit{ID: "clear", Words: 3, Score: 0.5, Evidence: 2.1, Covered: 0.3}
	with := func(h search.Hit, change func(*search.Hit)) search.Hit {
		change(&h)
		return h
	}
	next := search.Hit{ID: "next", Words: 3, Score: 0.4, Evidence: 0.2, Covered: 0.2}
	strong := search.Hit{ID: "strong", Words: 6, Score: 0.7, Evidence: 3.7, Covered: 0.6}
	tests := []struct {
		name string
		hits []search.Hit
		want int
	}{
		{"none", nil, 0},
		{"one that is clear", []search.Hit{clear}, 1},
		{"and a weak one: 2.1 - 0.4·0.2 ≥ 2.0", []search.Hit{clear, next}, 1},
		{"the next is worth too much: 2.1 - 0.4·0.3 < 2.0",
			[]search.Hit{clear, with(next, func(h *search.Hit) { h.Evidence = 0.3 })}, 0},
		{"its words are worth too little", []search.Hit{with(clear, func(h *search.Hit) { h.Evidence = 1.99 })}, 0},
		{"even if it covers the prompt",
			[]search.Hit{with(clear, func(h *search.Hit) { h.Evidence, h.Covered = 1.99, 1 })}, 0},
		{"the next scores too much", []search.Hit{clear, with(next, func(h *search.Hit) { h.Score = 0.41 })}, 0},
		{"two words", []search.Hit{with(clear, func(h *search.Hit) { h.Words = 2 })}, 0},
		{"most of the prompt is about something else",
			[]search.Hit{with(strong, func(h *search.Hit) { h.Covered = 0.29 })}, 0},
		{"two that are strong", []search.Hit{strong, strong, next}, 2},
		{"one of two is not strong", []search.Hit{strong, with(clear, func(h *search.Hit) { h.Score = 0.7 })}, 0},
		{"at most three", []search.Hit{strong, strong, strong, strong}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found := brief.ClearMatches(tt.hits)
			require.Len(t, found, tt.want)
			require.GreaterOrEqual(t, len(brief.MayMatch(tt.hits)), len(found), "what is clear may match")
		})
	}
	require.Len(t, brief.MayMatch([]search.Hit{strong, strong, strong, strong}), brief.MaxPromptHits)
	require.Empty(t, brief.MayMatch([]search.Hit{next}))
}

func TestWeigh(t *testing.T) {
	for word, want := range map[string]float64{"postgres": 1, "1205": 1, "504": 1, "12": 0.3, "7": 0.3, "changed": 0.8,
		"files": 0.8, "every": 0.8} {
		require.InDelta(t, want, brief.Weigh(word, search.Terms(word)[0]), 1e-9, word)
	}
}
