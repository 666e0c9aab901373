package server_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFirstExamples asks, through HTTP and without a model, what a person would expect back from the first examples
// that memories for chat applications give: from the messages alone, and when the suggestions were confirmed.
func TestFirstExamples(t *testing.T) {
	data, err := os.ReadFile("../testdata/conversation/peers.json")
	require.NoError(t, err)
	var all []struct {
		Name  string
		Turns [][2]string
		Ask   []struct {
			Query, First string
			Has, Lacks   []string
			Claims       []string // all that are suggested; absent: not compared
		}
	}
	require.NoError(t, json.Unmarshal(data, &all))
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			p := start(t, withMemory(nil))
			thread := p.thread("ann")
			for _, turn := range c.Turns {
				p.clock.advance(24 * 3600 * 1e9)
				p.say(thread, turn[0], turn[1])
			}
			p.work()
			p.clock.advance(10 * 24 * 3600 * 1e9)
			suggested := p.suggested()
			check := func() {
				for _, ask := range c.Ask {
					memory := p.recalled(ask.Query)
					for _, want := range append(ask.Has, ask.First) {
						require.Contains(t, memory, want, ask.Query)
					}
					for _, never := range ask.Lacks {
						require.NotContains(t, memory, never, ask.Query)
					}
					if lines := strings.Split(memory, "\n"); ask.First != "" {
						require.Contains(t, lines[1], ask.First, "it comes first in\n%s", memory)
					}
					if ask.Claims != nil {
						var texts []string
						for text := range suggested {
							texts = append(texts, text)
						}
						slices.Sort(texts)
						require.ElementsMatch(t, ask.Claims, texts)
					}
				}
			}
			check()
			for _, id := range suggested {
				p.act(id, "confirm", "")
			}
			check()
		})
	}
}
