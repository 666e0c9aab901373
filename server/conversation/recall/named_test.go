package recall_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation/recall"
)

// TestANameInAQuestionSaysWhoSpokeRatherThanWhatWasSaid has turns that greet a person by name, as people do, and one
// that this person said.
func TestANameInAQuestionSaysWhoSpokeRatherThanWhatWasSaid(t *testing.T) {
	for _, c := range []struct{ name, question, agent, first string }{
		{"a person", "Where does Caroline swim?", "Caroline", "answer"},
		{"a person's own", "What is Caroline's favourite place to swim?", "Caroline", "answer"},
		{"a word that is an agent's name", "Where does caroline swim?", "caroline", "greeting 0"},
		{"nothing but the name", "Who is Caroline?", "Caroline", "greeting 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := recall.New()
			say := func(id, agent, text string) {
				x.Put(recall.Said{ID: id, Thread: id, Seq: x.Last() + 1, Agent: agent, Text: text})
			}
			say("answer", c.agent, "I swim at the old quarry when the weather allows it, and dry myself in the sun.")
			say("greeting 0", "Bo", "Caroline, hello Caroline!")
			for i := range 5 {
				say(fmt.Sprint("other ", i), "Bo", "I swim in the lake behind the house on some evenings.")
			}
			for i := range 40 {
				say(fmt.Sprint("noise ", i), "Bo", "The train was late again.")
			}
			found := x.Find(recall.Query{Text: c.question, Limit: 20})
			require.NotEmpty(t, found)
			require.Equal(t, c.first, found[0].ID)
		})
	}
}
