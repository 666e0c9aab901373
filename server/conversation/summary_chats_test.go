package conversation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

// readChat reads a chat and what a reader expects of its summary.
func readChat(t *testing.T, path string) (events []Event, wants, misplaced []string) {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	chat, expected, _ := strings.Cut(string(b), "\n# ")
	for line := range strings.Lines(chat) {
		role, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case ok && role == "User", ok && role == "Assistant":
			events = append(events, Event{ID: fmt.Sprintf("e%04d", len(events)), Thread: "t",
				Role: Role(strings.ToLower(role)), Text: text})
		default:
			events[len(events)-1].Text += "\n" + strings.TrimSpace(line)
		}
	}
	for line := range strings.Lines(expected) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "+ "); ok {
			wants = append(wants, text)
		}
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			misplaced = append(misplaced, text)
		}
	}
	return events, wants, misplaced
}

// TestChatsAsAReaderExpects compares the summaries of three chats with what a reader expects of them, written down
// before they were made. A summary has eight lines, fewer than what is expected.
func TestChatsAsAReaderExpects(t *testing.T) {
	for chat, least := range map[string]int{"importer": 8, "pottery": 7, "trip": 8} {
		events, wants, misplaced := readChat(t, filepath.Join("testdata", "summaries", chat+".txt"))
		thread := Summarize(events)
		at := slices.IndexFunc(events, func(e Event) bool { return e.ID == thread.Cursor })
		if plan, ok := thread.Force(events[at+1:]); ok { // what is not a batch yet
			var err error
			thread, err = thread.Apply(plan)
			require.NoError(t, err)
		}
		require.Len(t, thread.Episodes, 1)
		text := thread.Episodes[0].Text()
		t.Logf("%s:\n%s", chat, text)
		var missed, wrong []string
		for _, want := range wants {
			if !slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
				return !slices.ContainsFunc(strings.Fields(want), func(w string) bool {
					return !strings.Contains(strings.ToLower(line), strings.ToLower(w))
				})
			}) {
				missed = append(missed, want)
			}
		}
		for _, bad := range misplaced {
			if strings.Contains(strings.ToLower(text), strings.ToLower(bad)) {
				wrong = append(wrong, bad)
			}
		}
		t.Logf("%d of %d; missed %q; out of place %q", len(wants)-len(missed), len(wants), missed, wrong)
		require.GreaterOrEqual(t, len(wants)-len(missed), least)
		require.Empty(t, wrong)
	}
}

// summed returns the summary of what a user says in a row.
func summed(t *testing.T, texts ...string) string {
	t.Helper()
	var sides []string
	for _, text := range texts {
		sides = append(sides, text, "")
	}
	plan, ok := Thread{}.Force(exchange(sides...))
	require.True(t, ok)
	return plan.Summary.Text()
}

// TestWhatIsLaterReplacesWhatWasBefore: other dates and numbers, other values of a slot, what ended and what was
// dropped. What only has other numbers is another fact.
func TestWhatIsLaterReplacesWhatWasBefore(t *testing.T) {
	for _, c := range []struct {
		before, after string
		replaced      bool
	}{
		{"The deadline for the release is February 28.", "The release moved to March 14.", true},
		{"The dentist is on Monday.", "The dentist was rescheduled, we go on Thursday.", true},
		{"Our budget for the kitchen is 9000 euros.", "The budget is 12000 euros now.", true},
		{"I live in Leeds.", "I live in Trondheim now.", true},
		{"I work at Siemens.", "I quit my job at Siemens!", true},
		{"I work at Siemens.", "I was laid off at Siemens.", true},
		{"I work at Siemens.", "I was fired at the worst time.", true},
		{"I work at Siemens.", "I was laid off at Bosch before.", false},
		{"We store everything in Postgres.", "We dropped the Postgres idea, it stays in files.", true},
		{"The deadline for the release is February 28.", "The release has 14 modules.", false},
		{"The dentist is on Monday.", "The party moved to Thursday.", false},
		{"The dentist is on Monday.", "Should the dentist be moved to Thursday?", false},
		{"The dentist is on Monday.", "The dentist has not moved to Thursday.", false},
		{"The dentist is on Monday.", "If the dentist moved to Thursday, we could go.", false},
		{"My sister lives in Leeds.", "I live in Trondheim now.", false},
		{"I love sushi.", "I love ramen, too.", false},
		{"I am allergic to peanuts.", "The cafe dropped the peanuts dessert.", false},
		{"My son is allergic to peanuts.", "The cafe dropped the peanuts dessert.", false},
		{"I live in Rome with my wife.", "We canceled the Rome trip of our friends.", false},
		{"I am allergic to penicillin since 2009.", "I have now read 3 articles about penicillin.", false},
		{"My son carries a pen because of peanuts.", "The cafe no longer serves peanuts.", false},
		{"Our house on the lake opens on Sunday.", "The lake party moved to Monday.", false},
		{"I need to call the plumber on Monday.", "I now need to call the electrician on Friday.", false},
		{"We meet the client on Monday.", "We meet the architect on Friday now.", false},
		{"Grandma fears peanuts.", "The cafe dropped the peanuts dessert.", false},
		{"Our house on the lake was built in 1950.", "The lake party moved to Monday.", false},
	} {
		text := summed(t, c.before, c.after)
		require.Contains(t, text, c.after)
		require.Equal(t, !c.replaced, strings.Contains(text, c.before), c.after)
	}
}

// TestWhatASummaryLeavesOut: courtesies, what goes with pictures, and what is about something that it does not name.
func TestWhatASummaryLeavesOut(t *testing.T) {
	const fact = "I bake bread with rye flour."
	for text, want := range map[string]string{
		"Here's a pic of my new oven in the kitchen!": "", "[picture: a loaf on a wooden table]": "",
		"Look at this crust with all the seeds!": "", "![loaf](https://example.org/loaf.png)": "",
		"They have been there through all of the hard times.": "", "I'll never forget that.": "",
		"It must never happen to our team.": "", "Congrats, we knew that our team would win!": "",
		"You always know how to bake the best cakes.": "", "Let's go!": "",
		"My brother says that he never eats rye.":         "My brother says that he never eats rye.",
		"The oven broke, so it must go to the repair.":    "The oven broke, so it must go to the repair.",
		"Already on it, I live in Bergen since October.":  "I live in Bergen since October",
		"This week we decided to buy flour from the mill": "This week we decided to buy flour from the mill",
	} {
		text := summed(t, fact, text)
		if want == "" {
			require.Equal(t, "- "+fact+"\n", text)
		} else {
			require.Contains(t, text, "- "+want+"\n")
		}
	}
}

// TestASummarySaysWhatItIsAbout, whatever a long conversation comes to.
func TestASummarySaysWhatItIsAbout(t *testing.T) {
	said := []string{"hi, need a laptop recommendation. max 1200 dollars"}
	for _, city := range []string{"Rome", "Oslo", "Turin", "Leeds", "Bergen", "Kyoto", "Lyon", "Porto", "Graz"} {
		said = append(said, "My sister in "+city+" is a nurse called "+city+"a and I am her guest every May.")
	}
	require.Contains(t, summed(t, said...), "- hi, need a laptop recommendation.\n")
}
