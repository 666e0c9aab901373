package conversation_test

import (
	"fmt"
	"testing"

	. "ltm/server/conversation"
)

// BenchmarkDerive derives the claims of a user from events of which every fourth states something.
func BenchmarkDerive(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := talk(n)
			for b.Loop() {
				Derive(h)
			}
		})
	}
}

// talk returns a history of n events.
func talk(n int) History {
	var h History
	texts := []string{"I live in town %d.", "what about the weather there?", "we need to ship part %d on Friday",
		"thanks!"}
	for i := range n {
		text := texts[i%len(texts)]
		if i%2 == 0 {
			text = fmt.Sprintf(text, i/40)
		}
		h.Events = append(h.Events, said(fmt.Sprintf("e%06d", i), fmt.Sprint(i/100), i, text))
		if i%100 == 0 {
			h.Acts = append(h.Acts, act(fmt.Sprint("a", i), i, Confirms, fmt.Sprintf("I live in town %d", i/40), ""))
		}
	}
	return h
}
