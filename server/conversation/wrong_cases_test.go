package conversation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

// TestWrongCasesOfOthers holds cases that memories for chat applications are known to get wrong.
func TestWrongCasesOfOthers(t *testing.T) {
	suggests := func(texts ...string) int {
		n := 0
		for _, text := range texts {
			n += len(Suggest(text, "")) + Importance(Event{Role: User, Text: text})
		}
		return n
	}
	const rome = "I live in Rome"
	tests := []struct {
		name string
		got  func() any
		want any
	}{
		{"a window of small talk does not end summaries", func() any {
			return len(Summarize(exchange(append(strings.Split(strings.Repeat("hm|hm|", 100)+"hm|hm", "|"),
				plans("garden", 40)...)...)).Episodes)
		}, 1},
		{"the new episode is there before the old one is closed", func() any {
			plan, _ := Thread{Episodes: []Summary{{Terms: []string{"boat"}}}}.Next(exchange(plans("garden", 12)...))
			return []any{plan.Summary.Reason, plan.Summary.Turns}
		}, []any{Shift, 12}},
		{"one sentence reinforces its claim once, however many windows have it", func() any {
			h := History{Events: []Event{said("1", "a", 0, rome)}}
			for i := range 8 {
				h.Acts = append(h.Acts, Act{ID: fmt.Sprint(i), At: at(i), Verb: Suggests, Bucket: Profile, Text: rome,
					Event: "1"})
			}
			return Derive(h)[0].Reinforced
		}, 1},
		{"questions and complaints are no facts", func() any {
			return suggests("What is my plan?", "explain the airplane", "Do you speak a language?",
				"i'm getting an error")
		}, 0},
		{"words are whole words", func() any {
			return Meaningful(turnOf("because it is a comfortable, rapid one", "I see, it is so"))
		}, false},
		{"a sign after thanks is still thanks", func() any {
			return Meaningful(turnOf("thanks!", "You are welcome to it, always"))
		}, false},
		{"a rolling update has the new text, and no summary is a claim", func() any {
			sides := append(plans("garden", 12), plans("garden", 12)...)
			sides[46] = "My name is Ada and the garden is mine."
			events := exchange(sides...)
			roll := Summarize(events)
			return []any{len(roll.Episodes), strings.Contains(roll.Episodes[0].Text(), "Ada"),
				states(Derive(History{Events: events}))}
		}, []any{1, true, map[string]State{"My name is Ada": Suggested}}},
		{"a summary has its bounds after many updates", func() any {
			return len(Summarize(exchange(plans("garden", 600)...)).Episodes[0].Lines) <= 7
		}, true},
		{"a deleted thread takes its claims with it", func() any {
			confirm := []Act{act("c", 5, Confirms, rome, "")}
			with := Derive(History{[]Event{said("1", "a", 0, rome)}, confirm})
			return []int{len(with), len(Derive(History{nil, confirm}))}
		}, []int{1, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, test.got()) })
	}
}
