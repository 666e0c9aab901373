package conversation_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
	"ltm/text/search"
)

func TestRead(t *testing.T) {
	tests := []struct {
		text string
		want Reading
	}{
		{"I live in the north of Spain.", Reading{Slot: Home, Value: "the north of Spain"}},
		{"We've been living in Graz since 2019", Reading{Slot: Home, Value: "Graz", Since: "2019"}},
		{"I used to live in Oslo", Reading{Slot: Home, Value: "Oslo", Ended: true}},
		{"I no longer work at Siemens", Reading{Slot: Work, Value: "Siemens", Ended: true}},
		{"I don't eat meat", Reading{Slot: Limit, Of: "no", Value: "meat"}},
		{"My favorite color is green", Reading{Slot: Favorite, Of: "color", Value: "green"}},
		{"my sister lives in Rome", Reading{Subject: "sister", Slot: Home, Value: "Rome"}},
		{"She works as a nurse", Reading{Subject: "she", Slot: Work, Of: "as", Value: "a nurse"}},
		{"I turned sixty-two in January", Reading{Slot: Age, Value: "sixty-two"}},
		{"My wife is called Nadja", Reading{Slot: Partner, Of: "wife", Value: "Nadja"}},
	}
	for _, test := range tests {
		got := Read(test.text)
		require.NotEmpty(t, got, test.text)
		test.want.Text = strings.TrimRight(test.text, ".")
		require.Equal(t, test.want, got[0])
	}
	for text, want := range map[string]Slot{"I'm Vegan": Diet, "I'm Divorced": Family, "I'm Dyslexic": Health} {
		require.Equal(t, want, Read(text)[0].Slot, text)
	}
	for _, text := range []string{"I am Allergic", "I'm Hungry", "I'm Retired", "I AM CANCELLING"} {
		for _, r := range Read(text) {
			require.NotEqual(t, Name, r.Slot, text)
		}
	}
	require.True(t, Read("I left Siemens in May")[0].Ended)
	require.Empty(t, Read("I'm sixty-two percent done"))
	require.Empty(t, Read("I'm twenty minutes late"))
	require.Len(t, Read("I have a dog and honestly I live in Rome."), 2)
	require.Len(t, Read("I'm Heather, I never said."), 1)
	require.Empty(t, Read("I'm Heather, she said."))
	require.Empty(t, Read("My son passed his exam"))
	require.Empty(t, Read("I left Amazon a bad review"))
	require.Empty(t, Read("I left Apple a message"))
	require.Empty(t, Read("Do I live in Rome?"))
	require.Empty(t, Read("If I live in Rome, I pay more"))
}

func TestReadClaim(t *testing.T) {
	for text, want := range map[string]string{"Lives in Rome": "Rome", "The user lives in Rome": "Rome",
		"User works for Siemens": "Siemens", "Has two kids": "two kids", "I live in Rome": "Rome"} {
		got := ReadClaim(text)
		require.Len(t, got, 1, text)
		require.Equal(t, want, got[0].Value)
		require.Empty(t, got[0].Subject, text)
	}
	require.Empty(t, Read("Lives in Rome"))
}

// labeled counts what the rules find in sentences that are labeled with what they say, "-" for nothing.
type labeled struct{ right, wrong, missed int }

func (l labeled) precision() float64 { return float64(l.right) / float64(max(1, l.right+l.wrong)) }
func (l labeled) recall() float64    { return float64(l.right) / float64(max(1, l.right+l.missed)) }

// count counts a suggestion as right if it has at least half of the words of the label's value.
func (l *labeled) count(text, label string) {
	found := Suggest(text, "")
	_, value, ok := strings.Cut(label, ": ")
	if strings.HasPrefix(label, "-") || !ok {
		if len(found) > 0 {
			l.wrong++
		}
		return
	}
	if len(found) == 0 {
		l.missed++
		return
	}
	var claims, there []string
	for _, s := range found {
		claims = append(claims, search.TermsOf(s.Text)...)
	}
	words := search.TermsOf(value)
	for _, w := range words {
		if slices.Contains(claims, w) {
			there = append(there, w)
		}
	}
	if 2*len(there) < len(words) {
		l.wrong++
		return
	}
	l.right++
}

// TestSuggestions has the floors of what docs/conversation-eval.md reports.
func TestSuggestions(t *testing.T) {
	tests := []struct {
		file              string
		from, to          int
		precision, recall float64
	}{
		{"claims.tsv", 0, 50, 1, 1},
		{"claims-own.tsv", 0, 1000, .98, .95},
		{"claims-more.tsv", 0, 2000, .98, .90},
		{"claims-300.tsv", 0, 150, .98, .95},
		{"claims-300.tsv", 150, 300, .95, .75}, // by these no rule was chosen
	}
	for _, test := range tests {
		file, err := os.ReadFile("testdata/" + test.file)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(file)), "\n")
		var all labeled
		for _, line := range lines[test.from:min(test.to, len(lines))] {
			text, label, ok := strings.Cut(line, "\t")
			require.True(t, ok, line)
			all.count(text, label)
		}
		t.Logf("%s %d-%d: precision %.3f, recall %.3f, %+v", test.file, test.from, test.to, all.precision(),
			all.recall(), all)
		require.GreaterOrEqual(t, all.precision(), test.precision, test.file)
		require.GreaterOrEqual(t, all.recall(), test.recall, test.file)
	}
}

// TestEndsClaim has what is over, and claims that it ends and does not end.
func TestEndsClaim(t *testing.T) {
	tests := []struct{ text, ends, stays string }{
		{"I was laid off in April.", "I work at Siemens", "I live in Rome"},
		{"I got fired", "I'm a nurse", "My wife works at Siemens"},
		{"I worked at Ford for three years", "I work at Ford", "I work at Siemens"},
		{"I worked for the post office until 2018", "I work for the post office", "I work for Ford"},
		{"My dog died last week", "I have a golden retriever", "I have a cat"},
		{"My dog Rex died", "My dog Rex is 3", "My dog Bello is 4"},
		{"I sold my car", "I drive a Toyota Yaris", "I have a bicycle"},
		{"We broke up", "My girlfriend is called Yuki", "My wife is called Leila"},
		{"I broke up with Daniel", "My boyfriend is Daniel", "My boyfriend is Andrei"},
		{"I stopped playing the piano", "I play the piano", "I play the guitar"},
	}
	ended := func(text, claim string) bool {
		return slices.ContainsFunc(Endings(text, ""), func(r Reading) bool { return r.EndsClaim(Claim{Text: claim}) })
	}
	for _, test := range tests {
		require.True(t, ended(test.text, test.ends), test.text)
		require.False(t, ended(test.text, test.stays), test.text)
		require.Empty(t, Suggest(test.text, ""), "what is over is not so")
	}
	for _, stays := range []string{"I was fired up yesterday.", "I left Amazon a bad review.",
		"My dog passed the exam.",
		"My dog died laughing", "I lost my job application.", "I quit my job search.", "I left Siemens for lunch.",
		"I left my job open on the screen.", "We broke up the meeting.", "We split the bill",
		"I used to live in Oslo and still do.", "I left Siemens a message on Monday"} {
		require.Empty(t, Endings(stays, ""), stays)
	}
	for _, over := range []string{"My dog passed away", "My dog died three weeks ago", "I left Siemens in May",
		"I lost my job because of the fire", "I quit my job last month", "We broke up in 2019", "I left Siemens"} {
		require.NotEmpty(t, Endings(over, ""), over)
	}
}

// TestPlacesInside: a city and its country do not contradict each other.
func TestPlacesInside(t *testing.T) {
	for _, pair := range [][2]string{{"I live in Rome, Italy", "I live in Italy"}, {"I live in Rome, Italy",
		"I live in Rome"}, {"I live in Italy", "I live in Rome"}} {
		claims := []Claim{{ID: "a", Text: pair[0], State: Active, Valid: []Period{{}}}, {ID: "b", Text: pair[1],
			State: Suggested}}
		require.Empty(t, Proposals(claims), pair)
		claims[1].Text = "I live in Oslo, Norway"
		require.Equal(t, pair[0] == "I live in Italy", len(Proposals(claims)) == 0, pair) // in Italy, who knows?
	}
}
