package conversation_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

// exchange returns events of turns, each a saying and an answer; an empty answer adds no event.
func exchange(sides ...string) []Event {
	var events []Event
	for i, text := range sides {
		if text != "" {
			role := []Role{User, Assistant}[i%2]
			events = append(events, Event{ID: fmt.Sprintf("e%04d", i), Thread: "t", Role: role, Text: text})
		}
	}
	return events
}

func turnOf(user, assistant string) Turn {
	t := Turn{User: []Event{{ID: "u", Role: User, Text: user}}}
	if assistant != "" {
		t.Assistant = &Event{ID: "a", Role: Assistant, Text: assistant}
	}
	return t
}

func TestMeaningful(t *testing.T) {
	long := strings.Repeat("answer ", 20)
	tests := []struct {
		user, assistant string
		want            bool
	}{
		{"", "", false},
		{"thanks!", "You are welcome, any time you like.", false},
		{"Thanks! 👍", "", false},
		{"thanks", long, true},
		{"we need to ship on Friday", "Noted, on Friday then.", true},
		{"because of the comfortable, rapid train", "I see what you mean", false},
		{"build it with sql", "Here is a schema for it", true},
		{"rebuilding mysqlish", "And what would that be?", false},
		{"hm", "hm", false},
		{strings.Repeat("?! ", 60), "", false},
		{strings.Repeat("what a day ", 8), "", true},
		{strings.Repeat("天気がいい", 9), "", true},
	}
	for _, test := range tests {
		require.Equal(t, test.want, Meaningful(turnOf(test.user, test.assistant)), test.user)
	}
	german := turnOf("wir bauen api und sql tabellen", "ja, das machen wir")
	german.User[0].Lang = "de"
	require.False(t, Meaningful(german), "cues are English")
}

// plans returns n meaningful turns about a subject.
func plans(subject string, n int) []string {
	var sides []string
	for i := range n {
		sides = append(sides, fmt.Sprintf("We need to plan step %d of the %s.", i, subject), "Step noted, go on.")
	}
	return sides
}

func TestNextStep(t *testing.T) {
	small := func(n int) []string {
		var sides []string
		for range n {
			sides = append(sides, "hm", "hm")
		}
		return sides
	}
	join := func(parts ...[]string) []Event {
		var all []string
		for _, p := range parts {
			all = append(all, p...)
		}
		return exchange(all...)
	}
	lonely := exchange(strings.Split(strings.Repeat("We need to plan the garden.||", 150), "|")...)
	tests := []struct {
		name   string
		events []Event
		cursor string // empty: nothing to do
		turns  int
	}{
		{"nothing", nil, "", 0},
		{"11 turns", join(plans("garden", 11)), "", 0},
		{"12 turns", join(plans("garden", 12)), "e0023", 12},
		{"the 12th is not answered", join(plans("garden", 12))[:23], "", 0},
		{"more than 12 turns", join(plans("garden", 30)), "e0023", 12},
		{"60 turns of nothing", join(small(60)), "e0119", 0},
		{"a window with little", join(small(30), plans("garden", 5), small(30)), "e0119", 5},
		{"12 turns at a window's end", join(small(48), plans("garden", 12)), "e0119", 12},
		{"12 turns over a window's end", join(small(50), plans("garden", 12)), "e0119", 10},
		{"a user who gets no answer", lonely, lonely[119].ID, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan, ok := Thread{}.Next(test.events)
			require.Equal(t, test.cursor != "", ok)
			require.Equal(t, test.cursor, plan.Cursor)
			require.Equal(t, test.turns > 0, plan.Summary != nil)
			if plan.Summary != nil {
				require.Equal(t, test.turns, plan.Summary.Turns)
				require.Equal(t, Init, plan.Summary.Reason)
				require.Equal(t, test.events[0].ID, plan.Summary.From)
				require.Equal(t, plan.Cursor, plan.Summary.To)
			}
		})
	}
}

func TestOnlyOneWriterWins(t *testing.T) {
	events := exchange(plans("garden", 12)...)
	first, ok := Thread{}.Next(events)
	require.True(t, ok)
	second, _ := Thread{}.Next(events)
	thread, err := Thread{}.Apply(first)
	require.NoError(t, err)
	after, err := thread.Apply(second)
	require.ErrorIs(t, err, ErrMoved)
	require.Equal(t, thread, after)
}

func TestTopicShift(t *testing.T) {
	same := Summarize(exchange(append(plans("garden fence", 12), plans("garden gate", 12)...)...))
	require.Len(t, same.Episodes, 1)
	require.Equal(t, Roll, same.Episodes[0].Reason)
	require.Equal(t, 24, same.Episodes[0].Turns)
	require.Equal(t, "e0000", same.Episodes[0].From)
	require.Equal(t, "e0047", same.Episodes[0].To)

	other := plans("garden", 12)
	for range 12 {
		other = append(other, "I prefer a quiet hotel near Lisbon harbour for our honeymoon flight.",
			"Booking sites list several rooms with balconies.")
	}
	shifted := Summarize(exchange(other...))
	require.Len(t, shifted.Episodes, 2)
	require.Equal(t, Shift, shifted.Episodes[1].Reason)
	require.Equal(t, 12, shifted.Episodes[1].Turns)
	require.Contains(t, shifted.Episodes[0].Text(), "garden")
	require.NotContains(t, shifted.Episodes[1].Text(), "garden")
	require.NotContains(t, shifted.Episodes[0].Text(), "Lisbon")
}

func TestSameTopic(t *testing.T) {
	words := strings.Fields
	require.True(t, SameTopic(nil, words("a b")))
	require.True(t, SameTopic(words("a b"), nil))
	require.True(t, SameTopic(words("a b"), words("a c d e f g h i")), "1 of 8")
	require.False(t, SameTopic(words("a b"), words("a c d e f g h i j")), "1 of 9")
}

func TestSummaryLines(t *testing.T) {
	sides := plans("garden", 12)
	sides[0] = "My name is Ada. ok. What about tea?"
	sides[2] = "The deploy key is ghp_" + "x7Kq2mVt9RbN4wZs8LdYc3HfGj6PaE1uTiO0 and we must never lose it."
	sides[4] = "We decided to plant " + strings.Repeat("roses and ", 60) + "tulips."
	text := Summarize(exchange(sides...)).Episodes[0].Text()
	require.Contains(t, text, "- My name is Ada.\n")
	require.NotContains(t, text, "ghp_")
	require.NotContains(t, text, "- ok")
	require.NotContains(t, text, "tulips", "long sentences are cut")
	require.NotContains(t, text, "Step noted", "the user said something in every turn")
}

// chatter returns random events with some of everything.
func chatter(r *rand.Rand, n int) []Event {
	texts := []string{"thanks!", "hm", "We need to plan the garden %d.", "My name is Ada %d.",
		"I prefer Lisbon hotels %d.", "What about the schema of table %d?",
		"The harbour was quiet and we walked for hours past the old boats, number %d."}
	roles := []Role{User, User, User, Assistant, Assistant, "tool"}
	var events []Event
	for i := range n {
		text := texts[r.IntN(len(texts))]
		if strings.Contains(text, "%d") {
			text = fmt.Sprintf(text, r.IntN(50))
		}
		role := roles[r.IntN(len(roles))]
		events = append(events, Event{ID: fmt.Sprintf("e%05d", i), Thread: "t", Role: role, Text: text})
	}
	return events
}

// TestStepsAndReplayAgree checks that summaries written as events arrive are those of a replay, and their bounds.
func TestStepsAndReplayAgree(t *testing.T) {
	episodes := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		events := chatter(r, 400+r.IntN(300))
		var thread Thread
		behind := 0
		for i := range events {
			if r.IntN(3) > 0 && i < len(events)-1 { // a writer is not there for each event
				continue
			}
			for {
				plan, ok := thread.Next(events[behind : i+1])
				if !ok {
					break
				}
				var err error
				thread, err = thread.Apply(plan)
				require.NoError(t, err)
				before := behind
				for events[behind].ID != plan.Cursor {
					behind++
				}
				behind++
				require.Greater(t, behind, before, "the cursor advances")
				require.LessOrEqual(t, behind-before, Window)
			}
			require.Less(t, i+1-behind, Window, "nothing stays behind")
		}
		require.Equal(t, Summarize(events), thread, "seed %d", seed)
		for _, s := range thread.Episodes {
			episodes++
			require.LessOrEqual(t, len(s.Lines), 8)
			require.LessOrEqual(t, len(s.Terms), 500)
			for _, l := range s.Lines {
				require.LessOrEqual(t, utf8.RuneCountInString(l.Text), 220)
			}
		}
	}
	require.GreaterOrEqual(t, episodes, 40)
}

func FuzzSummarize(f *testing.F) {
	f.Fuzz(func(t *testing.T, user, assistant, lang string, n uint8) {
		var events []Event
		for i := range int(n) {
			role, text := User, user
			if i%2 == 1 {
				role, text = Assistant, assistant
			}
			events = append(events, Event{ID: fmt.Sprint(i), Role: role, Text: text, Lang: lang})
		}
		thread := Summarize(events)
		require.Equal(t, thread, Summarize(events))
		for _, s := range thread.Episodes {
			text := s.Text()
			require.LessOrEqual(t, strings.Count(text, "\n"), 8)
			require.LessOrEqual(t, utf8.RuneCountInString(text), 8*(220+len("- assistant: \n")))
		}
	})
}

func BenchmarkNext(b *testing.B) {
	events := chatter(rand.New(rand.NewPCG(1, 1)), Window)
	for b.Loop() {
		if _, ok := (Thread{}).Next(events); !ok {
			b.Fatal("a full window must give a plan")
		}
	}
}

func TestForce(t *testing.T) {
	_, ok := Thread{}.Force(nil)
	require.False(t, ok)
	plan, ok := Thread{}.Force(exchange("hm", "hm", "", "yes?"))
	require.True(t, ok)
	require.Equal(t, []any{Init, 2, "e0000", "e0003", "e0003"},
		[]any{plan.Summary.Reason, plan.Summary.Turns, plan.Summary.From, plan.Summary.To, plan.Cursor})

	events := exchange(append(plans("garden", 12), "Let us paint the boat tomorrow.", "Red, then, as before.", "ok",
		"ok", "I need to go to the harbour at six o'clock", "")...)
	first := Summarize(events)
	plan, ok = first.Force(events[24:])
	require.True(t, ok)
	require.Equal(t, []any{Roll, 14, "e0000", "e0028"},
		[]any{plan.Summary.Reason, plan.Summary.Turns, plan.Summary.From, plan.Summary.To})
	require.Contains(t, plan.Summary.Text(), "boat")
	require.Contains(t, plan.Summary.Text(), "I need to go")
	require.Equal(t, 12, first.Episodes[0].Turns, "its argument is as it was")
	after, err := first.Apply(plan)
	require.NoError(t, err)
	require.Len(t, after.Episodes, 1)
}
