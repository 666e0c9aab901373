package conversation_test

import (
	"math"
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

// TestSuggestNothingInJest: jokes, circumstances and doubts that look like what someone is.
func TestSuggestNothingInJest(t *testing.T) {
	for _, text := range []string{"I'm allergic to Mondays", "I am allergic to mornings", "I'm allergic to stupidity",
		"I work at Google in my dreams", "I'm a vegetarian when my girlfriend is watching",
		"I live in Notion these days", "I'm the CEO of my kitchen", "I was diagnosed with boredom",
		"I was diagnosed with diabetes by a chatbot, which was wrong", "I'm pregnant with ideas",
		"I am divorced from reality", "I'm engaged in a debate", "I'm Catholic about my music taste",
		"I take ibuprofen back to the store", "I have two kids in my class", "Sign it as Bob",
		"I'm autistic, my cousin claims", "I work at a bank, or so my mom tells people",
		"I live in Berlin, or at least that's what my ex thinks", "I live in Berlin. Just kidding."} {
		require.Empty(t, Suggest(text, ""), text)
	}
	require.Empty(t, SuggestAnswer("Where do you live?", "Berlin. Just kidding.", ""))
	require.Empty(t, Endings("I quit my job. Just kidding!", ""))
	for _, text := range []string{"I'm allergic to penicillin", "I was diagnosed with diabetes last year",
		"I'm a vegetarian", "I am Catholic", "I'm pregnant with twins", "I am divorced from Tom", "I'm engaged to Ada",
		"I'm the CEO of my own company", "I take ibuprofen to sleep", "I live in Berlin these days"} {
		require.NotEmpty(t, Suggest(text, ""), text)
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
		{ID: "e1", Role: User, Text: "I moved to Rome. Don't\nask."},
		{ID: "e2", Role: Assistant, Text: "Rome is nice."},
		{ID: "e3", Role: User, Text: "The deadline is March 14."},
	}
	home := Claim{ID: ClaimID(Profile, "I live in Oslo"), Bucket: Profile, Text: "I live in Oslo", State: Active}
	good := Finding{Text: "Lives in Rome", Bucket: Profile, Confidence: 0.9, Event: "e1"}
	update := good
	update.Of, update.Quote = &home, "to rome don't ask"
	later := home
	later.Evidence = []Evidence{{At: at(1)}}
	deadline := Claim{ID: "d", Text: "Deadline: February 28"}
	suggests := Act{Verb: Suggests, Bucket: Profile, Text: "Lives in Rome", Event: "e1", Confidence: 0.9}
	replaces := suggests
	replaces.Other = home.ID
	ends := Act{Verb: Ends, Claim: home.ID, Event: "e1"}
	for _, test := range []struct {
		name   string
		f      Finding
		change func(*Finding)
		want   Act
		reason string
	}{
		{"good", good, nil, suggests, ""},
		{"too sure", good, func(f *Finding) { f.Confidence = 7 }, Act{}, "confidence"},
		{"no confidence", good, func(f *Finding) { f.Confidence = math.NaN() }, Act{}, "confidence"},
		{"an invented event", good, func(f *Finding) { f.Event = "e9" }, Act{}, "its event"},
		{"no event", good, func(f *Finding) { f.Event = "" }, Act{}, "its event"},
		{"the assistant said it", good, func(f *Finding) { f.Event = "e2" }, Act{}, "its event"},
		{"a bucket of its own", good, func(f *Finding) { f.Bucket = "CITY" }, Act{}, "bucket"},
		{"no text", good, func(f *Finding) { f.Text = " ?" }, Act{}, "no text"},
		{"too long", good, func(f *Finding) { f.Text = strings.Repeat("Rome ", 61) }, Act{}, "too long"},
		{"invented", good, func(f *Finding) { f.Text = "Owns a boat" }, Act{}, "not from the text"},
		{"an invented quote", good, func(f *Finding) { f.Quote = "I moved to Oslo" }, Act{}, "quote"},
		{"a part of a word", good, func(f *Finding) { f.Quote = "moved to Rom" }, Act{}, "quote"},
		{"update", update, nil, replaces, ""},
		{"update without a quote", update, func(f *Finding) { f.Quote = "" }, suggests, ""},
		{"quote of another event", update, func(f *Finding) { f.Quote = "March 14" }, suggests, ""},
		{"of another slot", update, func(f *Finding) { f.Of = &Claim{Text: "I work at Siemens"} }, suggests, ""},
		{"of what was said later", update, func(f *Finding) { f.Of = &later }, suggests, ""},
		{"end", update, func(f *Finding) { f.Ended = true }, ends, ""},
		{"end without a quote", update, func(f *Finding) { f.Ended, f.Quote = true, "" }, Act{}, "ends no claim"},
		{"end of another slot", update, func(f *Finding) {
			f.Of, f.Ended = &Claim{Text: "I work at Siemens"}, true
		}, Act{}, "ends no claim"},
		{"of no slot", Finding{Text: "The deadline is March 14", Bucket: Projects, Event: "e3", Of: &deadline,
			Quote: "deadline is March 14"}, nil, Act{Verb: Suggests, Bucket: Projects, Text: "The deadline is March 14",
			Event: "e3", Other: "d"}, ""},
	} {
		f := test.f
		if test.change != nil {
			test.change(&f)
		}
		got, reason := Extracted(f, shown)
		require.Equal(t, test.want, got, test.name)
		require.Contains(t, reason, test.reason, test.name)
		require.Equal(t, test.reason == "", reason == "", test.name)
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]bool{
		"I moved to Turin in May.": true, "By the way: I moved to Turin.": true, "Yes!\n\nI moved to Turin": true,
		"> I moved to Turin": false, `He said "I moved to Turin".`: false, "```\nI moved to Turin\n```": false,
		"Translate: I moved to Turin.": false, "Have I moved to Turin?": false, "I moved.\n> or so\nto Turin": false,
		"My sister moved to Turin in May": false, "If I moved to Turin, I would like it": false,
		"He moved to Turin": false, "I moved to Turin, my mom says": false,
	} {
		f := Finding{Text: "Lives in Turin", Quote: "moved to Turin", Of: &Claim{Text: "I live in Rome"}}
		require.Equal(t, want, f.Plain(text), text)
		f.Text = "Lives in Oslo"
		require.False(t, f.Plain(text), text)
	}
	for _, c := range []struct {
		claim, text, quote string
		want               bool
	}{
		{"I am allergic to peanuts", "I told the cook about peanuts again.", "peanuts", false},
		{"I am allergic to peanuts", "My brother is no longer allergic to peanuts, lucky him.", "peanuts", false},
		{"I am allergic to peanuts", "I'm no longer allergic to peanuts", "no longer allergic to peanuts", true},
		{"I work at Siemens", "If I ever quit my job at Siemens, I will travel.", "quit my job at Siemens", false},
		{"I work at Siemens", "I quit my job at Siemens in May", "quit my job at Siemens", true},
		{"I work at Ford", "I quit my job at Siemens in May", "quit my job at Siemens", false},
		{"I work at Siemens", "I quit my job at Siemens. It was late", "It was late", false},
	} {
		f := Finding{Text: "it is over", Quote: c.quote, Of: &Claim{Text: c.claim}, Ended: true}
		require.Equal(t, c.want, f.Plain(c.text), c.text)
	}
}

func TestSuggestAnswer(t *testing.T) {
	tests := []struct{ asked, text, want string }{
		{"Do you have any dietary restrictions?", "Vegetarian.", "I am vegetarian"},
		{"Sure. Do you have kids?", "Two kids, 4 and 7", "I have two kids, 4 and 7"},
		{"Where do you live?", "In Rome", "I live in Rome"},
		{"Where are you from?", "galway, ireland", "I am from Galway, ireland"},
		{"Where do you live?", "nowhere special", ""},
		{"Where do you live?", "…", ""},
		{"Lovely. Which car is it?", "A small Kia", "I drive a small Kia"},
		{"Which car is it that your neighbor drives?", "A small Kia", ""},
		{"What is your dog's name?", "Biscuit!", "my dog is called Biscuit"},
		{"Any allergies?", "peanuts and eggs", "I am allergic to peanuts and eggs"},
		{"What's your name?", "Theo", "my name is Theo"},
		{"How old are you?", "34", "I am 34"},
		{"What do you do for a living?", "I'm a nurse", "I'm a nurse"}, // a statement of its own
		{"Are you allergic to nuts?", "No", ""},
		{"Would you move for a job?", "No. Never.", ""},
		{"When do you study best?", "Late", ""},
		{"Do you have kids?", "Why do you ask?", ""},
		{"You have a nice name.", "Theo", ""}, // no question
		// about someone else, or something else
		{"What would you like to eat?", "Pizza.", ""},
		{"Does your son have any allergies?", "Peanuts.", ""},
		{"Is anyone in your family allergic to anything?", "Peanuts.", ""},
		{"Are there guests with allergies, and which do the guests have?", "Peanuts.", ""},
		{"What is your partner's job?", "Nurse.", ""},
		{"What medication does your mother take?", "Ibuprofen", ""},
		{"What is your doctor's phone number?", "555 123 4567", ""},
		{"What is the phone number of your doctor?", "555 123 4567", ""},
		{"What is your order number?", "555 123 4567", ""},
		{"What is your name? And where does the flight go?", "Paris.", ""},
		{"What is your name? And which city are you flying to?", "Paris.", ""},
		{"Which city?", "Paris.", ""},
		{"Who will call you?", "Bob", ""},
		{"How many dogs did you see?", "Two dogs", ""},
		{"Which car do you want to rent?", "A Tesla", ""},
		{"Are your parents religious?", "Catholic", ""},
		{"What don't you eat?", "Pork", "I don't eat pork"},
		{"What is your favorite food?", "Pizza", "my favorite food is Pizza"},
		{"What is your job?", "Nurse", "I work as nurse"},
		{"What medication do you take?", "Ibuprofen", "I take Ibuprofen"},
		{"What is your phone number?", "555 123 4567", "my phone number is 555 123 4567"},
		{"Nice. What's your name? And where do you live?", "Paris.", "I live in Paris"},
		{"What should I call you?", "Bob", "my name is Bob"},
		{"Do you have any brothers or sisters?", "Two sisters", "I have two sisters"},
		{"Any pets?", "Two cats", "I have two cats"},
		{"What's your name?", "It is written on the door of the house, as I have told you before", ""},
	}
	for _, test := range tests {
		var got []string
		for _, s := range SuggestAnswer(test.asked, test.text, "") {
			got = append(got, s.Text)
		}
		require.Equal(t, test.want, strings.Join(got, "|"), test.text)
	}
	require.Empty(t, SuggestAnswer("Where do you live?", "Rome", "it"))
	require.Less(t, SuggestAnswer("Where do you live?", "Rome", "")[0].Confidence, 0.9, "the words are not all theirs")
}
