package conversation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

// shownOf returns what contexts show of a text of someone, as a recent message and as a hit.
func shownOf(t *testing.T, claims []Claim, by Role, text string) string {
	t.Helper()
	r := Request{Budget: 5000, AsOf: at(30), Claims: claims, About: []string{},
		Recent: []Event{{ID: "x", Role: by, Text: text}}}
	left := ""
	for _, e := range Compose(r).Recent {
		left += e.Text
	}
	r.Recent, r.Hits = nil, []Hit{{Event: "x", Role: by, Text: text}}
	hit := Compose(r).Memory
	if left == "" {
		require.Empty(t, hit)
	} else {
		require.Contains(t, hit, strings.Join(strings.Fields(left), " "))
	}
	return left
}

// decided returns the claim of a text that someone decided about.
func decided(text string, v Verb) []Claim {
	acts := []Act{add("1", 1, text)}
	if v == Supersedes {
		return Derive(History{Acts: append(acts, add("2", 2, "I do something else"),
			act("3", 3, v, text, "I do something else"))})
	}
	return Derive(History{Acts: append(acts, act("3", 3, v, text, ""))})
}

// TestWhatIsOverIsNotSaid in the user's own words, in whole sentences.
func TestWhatIsOverIsNotSaid(t *testing.T) {
	for _, c := range []struct{ claim, text, left string }{
		{"I love sushi", "I love sushi.", ""},
		{"I love sushi", "Hello there. I love sushi! The train was late.", "Hello there. The train was late."},
		{"I love sushi", "Well, i really LOVE sushi", ""},
		{"I love sushi", "Good morning\n- I love sushi\n- bring the map", "Good morning\n- bring the map"},
		{"I love sushi", "I love sushi (again, note 5).", ""},
		{"loves sushi", "I love sushi so much!", ""},
		{"The user loves sushi", "By the way, I love sushi. Bring maps", "Bring maps"},
		{"I live in Rome", "As I said: I LIVE IN ROME.", ""},
		{"I live in Rome", "I now live in Rome", ""},
		{"I live in Rome", "I'm living in Rome.", ""},
		{"User lives in Rome", "I've been living in Rome", ""},
		{"I am a pilot", "I'm a pilot.", ""},
		{"The user's dog is called Rex", "My dog is called Rex.", ""},
		{"My daughter loves sushi", "My daughter loves sushi. I do not.", "I do not."},
	} {
		for _, verb := range []Verb{Supersedes, Deprecates} {
			require.Equal(t, c.left, shownOf(t, decided(c.claim, verb), User, c.text), "%s: %s", verb, c.text)
		}
		require.Equal(t, c.text, shownOf(t, decided(c.claim, Rejects), User, c.text), "a rejection hides nothing")
		require.Equal(t, c.text, shownOf(t, nil, User, c.text))
	}
	rome := decided("I live in Rome", Deprecates)
	require.Empty(t, shownOf(t, rome, Assistant, "So you live in Rome."))
	require.Equal(t, "Nice. Bring the map.", shownOf(t, rome, Assistant, "Nice. You live in Rome. Bring the map."))
	require.Empty(t, shownOf(t, rome, "", "The user lives in Rome."), "as a model sums it up")
	require.Equal(t, "Ann is a pilot.", Know(rome).Recount([]Line{{Text: "The user lives in Rome. Ann is a pilot."}},
		at(30))[0].Text)
}

// TestNothingElseIsHidden: what is said of others, asked, denied, quoted, over already, or only partly the same.
func TestNothingElseIsHidden(t *testing.T) {
	for claim, texts := range map[string][]string{
		"I love sushi": {"My daughter loves sushi.", "Love sushi? Sure.", "Do I love sushi?", "I love sushi?",
			"I do not love sushi.", "I never loved sushi", "I loved sushi as a child.", "I used to love sushi.",
			"He said: \"I love sushi.\"", "\"Oh, dear. I love sushi. It is great.\" That is what Tom wrote.",
			"‘Oh, dear. I love sushi. It is great,’ she sang.", "Tom: Hello. I love sushi. And you?",
			"Tom wrote:\n\nI love sushi.\nWe met him there.", "> I love sushi.", "```\nI love sushi.\n```",
			"Translate this for me. I love sushi.", "Please rewrite: it was nice. I love sushi.",
			"I love sushi and ramen.", "I love sushi; my brother hates it.", "I love sushi bars.",
			"We met a man. Loves sushi.", "Sushi is expensive in Oslo.", "Ich liebe Sushi.",
			"My wife and I love sushi.", "I know that Tom can say he does love sushi.", "They love sushi.",
			"I love Sushi, my cat.", "I’d love sushi."},
		"I work at Siemens": {"My wife works at Siemens.", "I worked at Siemens.", "I do not work at Siemens.",
			"Does she work at Siemens?", "My husband and I work at Siemens", "Siemens called.",
			"I work at Siemens Energy."},
		"I live in Berlin": {"My brother lives in Berlin.",
			"What do flights from Berlin to Rome cost? I live in a flat.",
			"Flights from Berlin are cheap, and I live in fear of them.", "I lived in Berlin.",
			"I live in Berlin but my kids moved to Bern.", "My parents: they live in Berlin.", "You live in Berlin."},
		"My dog is called Rex": {"My son's dog is called Rex.", "My dog was called Rex.", "The dog is called Rex."},
		"vegan":                {"I am vegan at home.", "My sister is vegan."},
	} {
		for _, verb := range []Verb{Supersedes, Deprecates, Rejects} {
			claims := decided(claim, verb)
			for _, text := range texts {
				require.Equal(t, strings.TrimSpace(text), shownOf(t, claims, User, text), "%s: %s", verb, claim)
			}
		}
	}
	claims := decided("I love sushi", Deprecates)
	for _, text := range []string{"I love sushi.", "Your daughter loves sushi.", "Noted: sushi.",
		"Do you love sushi?"} {
		require.Equal(t, text, shownOf(t, claims, Assistant, text))
	}
	require.Equal(t, "I love sushi.", shownOf(t, claims, "tool", "I love sushi."), "who knows who wrote it")
	c := Compose(Request{Budget: 500, AsOf: at(30), Claims: claims,
		Memories: []Memory{{ID: "m", Text: "I love sushi."}}})
	require.Contains(t, c.Memory, "I love sushi.", "a memory of a store is not the user's")
}

// TestWhatIsOverDependsOnTheTime that is asked for, and on what else is true.
func TestWhatIsOverDependsOnTheTime(t *testing.T) {
	claims, events := moved()
	texts := func(minute int, claims []Claim) (all string) {
		for _, e := range Compose(Request{Budget: 500, AsOf: at(minute), Claims: claims, Recent: events[:1]}).Recent {
			all += e.Text
		}
		return all
	}
	require.Equal(t, "Hello there. The train was late.", texts(30, claims))
	require.Equal(t, events[0].Text, texts(5, claims), "it was true then")
	same := Act{ID: "9", At: at(14), Verb: Adds, Bucket: LongRunningContext, Text: "I really live in Rome"}
	acts := []Act{add("1", 1, "I live in Rome"), act("2", 2, Deprecates, "I live in Rome", "")}
	require.Equal(t, "Hello there. The train was late.", texts(30, Derive(History{Acts: acts})))
	require.Equal(t, events[0].Text, texts(30, Derive(History{Acts: append(acts, same)})))
	disputed := append(acts[:1:1], add("2", 2, "I live in Oslo"),
		act("3", 3, Disputes, "I live in Rome", "I live in Oslo"))
	require.Equal(t, events[0].Text, texts(30, Derive(History{Acts: disputed})), "no one knows")
	back := append(acts, act("4", 20, Confirms, "I live in Rome", ""))
	require.Equal(t, "Hello there. The train was late.", texts(10, Derive(History{Acts: back})), "meanwhile")
	require.Equal(t, events[0].Text, texts(30, Derive(History{Acts: back})))
}

// TestWhatSaysNothingTakesNoRoom nor does what says the same again.
func TestWhatSaysNothingTakesNoRoom(t *testing.T) {
	c := Compose(Request{Budget: 500, Hits: []Hit{
		{Event: "1", Role: User, Text: "My boat is red.", Score: 1}, {Event: "2", Role: User, Text: "lol", Score: 0.9},
		{Event: "3", Role: Assistant, Text: "Understood.", Score: 0.9},
		{Event: "4", Role: Assistant, Text: "I noted it."},
		{Event: "5", Role: User, Text: "My boat is really red! (again, note 5)"}, {Event: "6", Text: "👍"},
		{Event: "7", Role: User, Text: "By the way, my boat is red now"},
		{Event: "8", Text: "My boat was red.", Score: 0.2},
		{Event: "9", Role: User, Text: "My boat is not red.", Score: 0.1}}})
	require.Equal(t, 3, strings.Count(c.Memory, "boat"), c.Memory)
	require.Equal(t, 3, strings.Count(c.Memory, "> "), c.Memory)
	reasons := map[string]string{}
	for _, l := range c.LeftOut {
		reasons[l.ID] = l.Reason
	}
	require.Equal(t, map[string]string{"2": Trivial, "3": Trivial, "4": Trivial, "5": Repeated, "6": Trivial,
		"7": Repeated}, reasons)
}

// TestEssence: only what says the same is the same.
func TestEssence(t *testing.T) {
	for _, same := range []string{"I really live in Rome, too", "I'm living in Rome now",
		"I still live in Rome (as I said)"} {
		require.Equal(t, Essence("I live in Rome"), Essence(same), same)
	}
	for a, b := range map[string]string{"My name is Andrea": "My name is Andreas",
		"I like organs": "I like organizations", "I work for Window": "I work for Windows",
		"I don't drink": "I don't drink much", "I can't see": "I can't see well",
		"I eat sugar": "I eat too much sugar", "I live in Rome": "I don't live in Rome",
		"I have 2 cats": "I have 3 cats"} {
		require.NotEqual(t, Essence(a), Essence(b))
	}
}

// TestManyClaimsOfOneSlot are compared in time, and each has few proposals.
func TestManyClaimsOfOneSlot(t *testing.T) {
	var claims []Claim
	for i := range 2000 {
		claims = append(claims, Claim{ID: fmt.Sprintf("%04d", i), Text: fmt.Sprintf("I live in Town%d", i),
			State: Active, Valid: []Period{{From: time.Unix(int64(i), 0)}}})
	}
	require.LessOrEqual(t, len(Proposals(claims)), 8*len(claims))
}

// TestWhatHoldsTogetherIsNotProposed: places and dates, subjects, and addresses for work.
func TestWhatHoldsTogetherIsNotProposed(t *testing.T) {
	for a, b := range map[string]string{"I was born in Rome": "I was born on May 5",
		"I was born in Oslo": "I was born in 1990", "I was born in 1991": "I was born on May 6",
		"I teach math": "I teach physics", "I own a bakery": "I run a gym",
		"My email is a@b.org": "My work email is c@d.org"} {
		require.Empty(t, Proposals([]Claim{{ID: "a", Text: a, State: Active, Valid: []Period{{}}},
			{ID: "b", Text: b, State: Suggested}}), "%s, %s", a, b)
	}
}

// TestWhatIsDeniedIsInDispute with what says it.
func TestWhatIsDeniedIsInDispute(t *testing.T) {
	for a, b := range map[string]string{"I'm allergic to nuts": "I'm not allergic to nuts",
		"I don't speak German": "I speak German", "I don't have kids": "I have two kids"} {
		require.Equal(t, []Proposal{{Disputes, "a", "b"}}, Proposals([]Claim{{ID: "a", Text: a, State: Active,
			Valid: []Period{{}}}, {ID: "b", Text: b, State: Suggested}}), "%s, %s", a, b)
	}
}

// TestWhatAClaimTookThePlaceOfIsMarked in hits, of which nothing is hidden.
func TestWhatAClaimTookThePlaceOfIsMarked(t *testing.T) {
	marked := func(text string, role Role, acts ...Act) bool {
		c := Compose(Request{Budget: 500, AsOf: at(30), Claims: Derive(History{Acts: acts}), About: []string{},
			Hits: []Hit{{Event: "x", Role: role, Text: text, At: at(2)}}})
		require.Contains(t, c.Memory, ": "+author(role)+text+"\n")
		mark := strings.Contains(c.Memory, `, since then "I live in Turin": `)
		require.Equal(t, mark, c.Placed[0].Since != "")
		return mark
	}
	turin := add("1", 5, "I live in Turin")
	for _, text := range []string{"I live in Rome.", "I live in Rome. My cat is called Socks."} {
		require.True(t, marked(text, User, turin), text)
	}
	for _, text := range []string{"I live in Turin.", "My brother lives in Rome.", "I don't live in Rome.",
		"I used to live in Rome.", "Do I live in Rome?", "Tom wrote: I live in Rome.", "I live in Italy.",
		"I work at Siemens.", "If I lived in Rome, I'd be poor.", "Translate this into Italian. I live in Rome."} {
		require.False(t, marked(text, User, turin), text)
	}
	require.False(t, marked("I live in Rome.", Assistant, turin))
	require.False(t, marked("I live in Rome.", User, add("1", 1, "I live in Turin")), "the message is newer")
	require.False(t, marked("I live in Rome.", User, add("1", 1, "I live in Turin"), add("2", 5, "My name is Ann")))
	require.True(t, marked("I live in Rome.", User, turin, add("2", 1, "I live in Rome")), "an older claim")
	require.False(t, marked("I live in Rome.", User, turin, add("2", 6, "I live in Rome")), "a newer one")
	require.False(t, marked("I live in Rome.", User, turin, act("2", 6, Rejects, "I live in Turin", "")))
	require.NotContains(t, Compose(Request{Budget: 500, AsOf: at(30), Claims: Derive(History{Acts: []Act{turin}}),
		Hits: []Hit{{Event: "x", Role: User, Name: "bob", Text: "I live in Rome.", At: at(2)}}}).Memory, "since then")
}

func author(r Role) string {
	if r == Assistant {
		return "assistant: "
	}
	return ""
}
