package conversation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

func TestSuggest(t *testing.T) {
	tests := []struct{ text, want string }{
		{"My name is Ada.", "PROFILE: My name is Ada"},
		{"hi, I'm from Oslo and I’m vegan", "PROFILE: I'm from Oslo|CONSTRAINTS: I’m vegan"},
		{"I'm vegan.", "CONSTRAINTS: I'm vegan"},
		{"I'm a nurse. I like C++! My name is Ada!",
			"PROFILE: I'm a nurse|PREFERENCES: I like C++|PROFILE: My name is Ada"},
		{"Please remember that the gate code changes in May.", "LONG_RUNNING_CONTEXT: the gate code changes in May"},
		{"By the way, I am working on Heron, a bird atlas", "PROJECTS: I am working on Heron, a bird atlas"},
		{"My goal is 10 km in May.", "GOALS: My goal is 10 km in May"},
		{"From now on, always answer in German.", "COMMUNICATION_STYLE: always answer in German"},
		{"I don't eat nuts", "CONSTRAINTS: I don't eat nuts"},
		// questions
		{"What is my plan?", ""},
		{"Do you speak a language?", ""},
		{"do you remember my name", ""},
		{"Is it true that I live in Rome?", ""},
		{"I live in Rome, right?", ""},
		{"explain the airplane", ""},
		// complaints
		{"i'm getting an error", ""},
		{"I am a user and I am stuck", ""},
		{"I hate errors like this one", ""},
		// whole words, whole sentences
		{"because I am away", ""},
		{"She said my name is hard to spell", ""},
		{"call me tomorrow", ""},
		{"I like it", ""},
		{"I love your answer", ""},
		{"I'm a bit tired", ""},
		{"If I live in Rome, do I pay more", ""},
		{"I no longer live in Rome. I live in Rome no longer.", ""},
		{"I used to work at Acme. I would like tea.", ""},
		{"Remember that time in Rome", ""},
		{"> My name is Bob\nso he wrote", ""},
		{"- I live in Rome\n* My name is Bob", "PROFILE: I live in Rome|PROFILE: My name is Bob"},
		// what others say, and texts to work on
		{"“I live in Rome.”", ""},
		{"'I live in Rome'", ""},
		{"My name is [your name].", ""},
		{"My name is {name}. I am from ___.", ""},
		{"Hi, translate this into German:\nI live in Rome.", ""},
		{"Could you fix my text? I live in Rome.", ""},
		{"Correct. I live in Rome.", "PROFILE: I live in Rome"},
		{"You are a bot. My name is Bot.", ""},
		{"I live in Oslo. Let's pretend that. I live in Rome.", "PROFILE: I live in Oslo"},
		{"I live in Rome in the game", ""},
		// with the same beginning
		{"Call me an ambulance! I am from time to time late.", ""},
		{"I live in constant fear. I work for free. I am learning so much.", ""},
		{"My favorite is the second one. My name is on the list.", ""},
		{"I can't eat right now", ""},
		{"```\nmy name is Bob\n```\nthat was code", ""},
		{"Remember that the token is ghp_" + "x7Kq2mVt9RbN4wZs8LdYc3HfGj6PaE1uTiO0", ""},
		{"I like " + strings.Repeat("tea and ", 20) + "milk", ""},
		{"", ""},
		{"\xff\x00 my name is", ""},
	}
	for _, test := range tests {
		var got []string
		for _, s := range Suggest(test.text, "en") {
			got = append(got, string(s.Bucket)+": "+s.Text)
		}
		require.Equal(t, test.want, strings.Join(got, "|"), test.text)
	}
}

func TestSuggestByLanguage(t *testing.T) {
	const text = "My name is Ada."
	for lang, want := range map[string]int{"": 1, "en": 1, "en-GB": 1, "EN_us": 1,
		"de": 0, "ja": 0, "eng-x": 0, "??": 0} {
		require.Len(t, Suggest(text, lang), want, lang)
	}
	for _, foreign := range []string{"Ich heiße Ada und wohne in Rom.", "Me llamo Ada.", "私の名前はアダです。", "我叫阿达。"} {
		require.Empty(t, Suggest(foreign, ""), foreign)
	}
}

func TestSuggestIsBounded(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		text.WriteString("I like tea number " + strings.Repeat("x", i+1) + ".\n")
	}
	require.Len(t, Suggest(text.String(), ""), 8)
}

func TestClaimID(t *testing.T) {
	same := []string{"I'm from Rome", "i am  from rome.", "I’m from Rome!", "\tI AM FROM ROME"}
	for _, text := range same {
		require.Equal(t, ClaimID(Profile, same[0]), ClaimID(Profile, text), text)
	}
	different := []string{"I like C", "I like C++", "I like C#", "I like 50", "I like 50%", "I like 5.0", "I like 🍎",
		"I like 🍐", "I do not like C", "I like -5", "I like 5"}
	seen := map[string]string{}
	for _, text := range different {
		id := ClaimID(Preferences, text)
		require.Empty(t, seen[id], text)
		seen[id] = text
	}
	require.NotEqual(t, ClaimID(Profile, "x"), ClaimID(Goals, "x"))
}

func TestImportance(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"thanks!", 0}, {"ok 👍", 0}, {"", 0}, {"  ...", 0},
		{"my name is Ada", 5}, {"Remember that the gate is locked at nine", 5},
		{"we need to ship on Friday", 3}, {"I don't eat nuts", 3},
		{"I don't like tea", 1}, {"I prefer tea", 1},
		{strings.Repeat("word ", 30), 1}, {strings.Repeat("天気がいい", 13), 1}, {strings.Repeat("天気", 20), 0},
		{"i'm getting an error", 0}, {"What is my plan?", 0}, {"explain the airplane", 0},
		{"Do you speak a language?", 0}, {"the comfortable seats, because", 0},
	}
	for _, test := range tests {
		require.Equal(t, test.want, Importance(Event{Role: User, Text: test.text}), test.text)
	}
	require.Zero(t, Importance(Event{Role: Assistant, Text: "my name is Ada"}))
	require.Zero(t, Importance(Event{Role: User, Text: "my name is Ada", Lang: "nl"}))
}

func TestExtracted(t *testing.T) {
	shown := []Event{
		{ID: "e1", Role: User, Text: "I moved to Rome."},
		{ID: "e2", Role: Assistant, Text: "Rome is nice."},
	}
	tests := []struct{ name, element, reason string }{
		{"good", `{"text":"Lives in Rome","bucket":"PROFILE","confidence":0.9,"event_id":"e1"}`, ""},
		{"a string", `"Lives in Rome"`, "not an object"},
		{"confidence in words", `{"text":"Rome","bucket":"PROFILE","confidence":"high","event_id":"e1"}`,
			"not an object"},
		{"no confidence", `{"text":"Rome","bucket":"PROFILE","event_id":"e1"}`, "confidence"},
		{"too sure", `{"text":"Rome","bucket":"PROFILE","confidence":7,"event_id":"e1"}`, "confidence"},
		{"an invented event", `{"text":"Rome","bucket":"PROFILE","confidence":1,"event_id":"e9"}`, "its event"},
		{"no event", `{"text":"Rome","bucket":"PROFILE","confidence":1}`, "its event"},
		{"the assistant said it", `{"text":"Rome","bucket":"PROFILE","confidence":1,"event_id":"e2"}`, "its event"},
		{"a bucket of its own", `{"text":"Rome","bucket":"CITY","confidence":1,"event_id":"e1"}`, "bucket"},
		{"no text", `{"bucket":"PROFILE","confidence":1,"event_id":"e1"}`, "no text"},
		{"invented", `{"text":"Owns a boat","bucket":"PROFILE","confidence":1,"event_id":"e1"}`, "not from the text"},
		{"null", `null`, "no text"},
	}
	for _, test := range tests {
		good := tests[0].element
		acts, refused := Extracted("Here: ["+test.element+", "+good+"] done", shown)
		if test.reason == "" {
			require.Empty(t, refused)
			require.Len(t, acts, 2)
			want := Act{Verb: Suggests, Bucket: Profile, Text: "Lives in Rome", Event: "e1", Confidence: 0.9}
			require.Equal(t, want, acts[0])
			continue
		}
		require.Len(t, acts, 1, "%s: the other element stays", test.name)
		require.Len(t, refused, 1, test.name)
		require.Contains(t, refused[0].Reason, test.reason, test.name)
	}
	for _, answer := range []string{"", "none", "]x[", "{}", "[1,", strings.Repeat("[", 1<<17)} {
		acts, refused := Extracted(answer, shown)
		require.Empty(t, acts)
		require.Equal(t, -1, refused[0].Index)
	}
	acts, refused := Extracted("[]", shown)
	require.Empty(t, acts)
	require.Empty(t, refused)
}
