package conversation

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"ltm/text/search"
)

// Recap reports whether a message in English, or of no declared language, asks for what was said so far. Such a
// message has no word of what it asks for, so that search finds nothing for it.
func Recap(text, lang string) bool {
	return english(lang) && has(words(text), "recap", "summarize", "summarise", "summary", "sum up", "catch me up",
		"where were we", "where did we stop", "where did we leave off", "what have we discussed", "what did we discuss",
		"remind me", "go on where we")
}

// Personal reports whether a question is about the user.
func Personal(question string) bool {
	return has(words(question), "i", "me", "my", "mine", "myself", "we", "us", "our", "user", "users", "user 's",
		// the same in German, French, Spanish and Italian
		"ich", "mich", "mir", "mein", "meine", "meinen", "meiner", "nutzer", "je", "moi", "mon", "ma", "mes",
		"utilisateur", "yo", "mí", "mi", "mis", "usuario", "io", "mio", "mia", "miei", "utente")
}

// Overview reports whether a question asks for what there is, because no word of it says what it is about but that it
// is about the user, or about a time: "What do you know about me?", "Who am I?", "What happened last week?"
func Overview(question string, now time.Time) bool {
	if !Personal(question) && When(question, now) == nil {
		return false
	}
	general := search.Terms("who am i is are the user of me my myself know tell remember describe person profile " +
		"happen learn info information fact everything anything something say said talk discuss mention do did " +
		"done about give list show detail new news weißt wissen über was ich du mich mir nutzer que sais savoir tu " +
		"de moi sur sabes saber mí mi sai sapere cosa su io today yesterday tonight morning afternoon evening night " +
		"day week " +
		"month year ago last past this recently lately before " +
		strings.Join(slices.Concat(weekdays(), months()), " "))
	return !slices.ContainsFunc(search.TermsOf(question), func(t string) bool {
		return !slices.Contains(general, t) && strings.ContainsFunc(t, unicode.IsLetter)
	})
}

// Highlights returns the sentences of an event that matter, or its first one if no rule says which.
func Highlights(e Event) []string {
	var found []string
	all := sentences(e.Text)
	for _, s := range all {
		if english(e.Lang) && weigh(s) > 0 {
			found = append(found, s)
		}
	}
	if len(found) == 0 && len(all) > 0 {
		return all[:1]
	}
	return found
}

// Topics is what everyday words of a question say that it is about.
type Topics []topic

// TopicsOf returns the topics of a question, which may be none.
func TopicsOf(question string) (all Topics) {
	asked := words(question)
	for _, t := range englishLexicon().topics {
		if slices.ContainsFunc(asked, t.words.has) {
			all = append(all, t)
		}
	}
	return all
}

// Related returns the sentences of an event of the user from which a question on the topics may be answered, though
// they need not share a word: that someone is vegetarian answers "What can I cook for dinner?"
func (all Topics) Related(e Event) []string {
	if e.Role != User || !english(e.Lang) {
		return nil
	}
	return slices.DeleteFunc(sentences(e.Text), func(s string) bool {
		return !slices.ContainsFunc(Read(s), func(r Reading) bool {
			return r.Subject == "" && slices.ContainsFunc(all, func(t topic) bool { return t.about(r) })
		})
	})
}

// about reports whether a reading belongs to a topic.
func (t topic) about(r Reading) bool {
	taste := slices.Contains([]Slot{Likes, Dislikes, Favorite, Hobby}, r.Slot)
	return t.slots.has(string(r.Slot)) && (!taste || len(t.tastes.words) == 0 ||
		slices.ContainsFunc(words(r.Of+" "+r.Value), t.tastes.has))
}

// Asks reports whether a message in English asks for something.
func Asks(text string) bool {
	for _, s := range sentences(text) {
		r := read(s)
		if r.question || begins(r.words, "tell", "list", "show", "describe", "remind", "give", "summarize") {
			return true
		}
	}
	return false
}
