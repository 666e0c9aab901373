package conversation

import (
	"slices"
	"strings"
	"unicode"

	"ltm/text/search"
)

// gistOfClaim returns the gist of a claim, which may leave out of whom it is: "lives in Rome".
func gistOfClaim(text string) string {
	if g := gist(text, ""); g != "" {
		return g
	}
	return gist("I "+text, "")
}

// gist returns the essence of what a sentence says of the user, and "" if its subject is not the user: in what they say
// "I" or "my", in what they are answered "you" or "your", and in what a model wrote, whose author is "", also "the
// user".
func gist(text string, by Role) string {
	ws := fromUser(bare(text), by)
	if len(ws) < 2 {
		return ""
	}
	return essence(ws)
}

// Essence returns the form by which texts say the same: [Normal] without inflections of the present, words that change
// nothing, and a remark in brackets that it was said before.
func Essence(text string) string { return essence(bare(text)) }

// bare returns the words of a text behind those that lead in.
func bare(text string) []string {
	ws := words(statement(withoutAside(text)))
	for len(ws) > 1 && slices.Contains(listed("fillers"), ws[0]) {
		ws = ws[1:]
	}
	return ws
}

func essence(ws []string) string {
	var kept []string
	verb := false                                             // "I am living in Rome"
	weighs := has(ws, "not", "never", "too much", "too well") // "I do not drink much" is not "I do not drink"
	for i, w := range ws {
		switch next := ws[min(i+1, len(ws)-1)]; {
		case slices.Contains(listed("fillers"), w), i > 0 && i == len(ws)-1 && w == "too":
		case !weighs && slices.Contains(listed("degrees"), w):
		case (w == "am" || w == "been" || w == "have" && next == "been") && goesOn(ws[i+1:]):
			verb = true
		case verb, len(kept) < 2: // in what follows, "Andreas" is not "Andrea"
			kept, verb = append(kept, root(w)), false
		default:
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// goesOn reports whether the next word but for "been" and fillers is a form like "living".
func goesOn(ws []string) bool {
	at := slices.IndexFunc(ws, func(w string) bool { return w != "been" && !slices.Contains(listed("fillers"), w) })
	return at >= 0 && len(ws[at]) > len("thing") && strings.HasSuffix(ws[at], "ing")
}

// fromUser returns the words of a sentence as the user would say it, and none if it is not about the user.
func fromUser(ws []string, by Role) []string {
	ws = slices.Clone(ws)
	switch by {
	case Assistant:
		for i, w := range ws {
			switch w {
			case "you":
				ws[i] = "i"
			case "your":
				ws[i] = "my"
			case "i", "my", "me", "we", "our":
				return nil
			}
		}
	case "":
		rest, ok := after(ws, "the user")
		if !ok {
			rest, ok = after(ws, "user")
		}
		if own, of := after(rest, "'s"); of {
			ws = append([]string{"my"}, own...)
		} else if ok {
			ws = append([]string{"i"}, rest...)
		}
	case User:
	default:
		return nil
	}
	if len(ws) == 0 || !slices.Contains([]string{"i", "my", "we", "our"}, ws[0]) {
		return nil
	}
	return ws
}

// root returns a word without its inflection, but for that of the past.
func root(word string) string {
	switch word {
	case "am", "is", "are":
		return "be"
	case "has":
		return "have"
	case "does":
		return "do"
	}
	if terms := search.Terms(word); len(terms) == 1 && !strings.HasSuffix(word, "ed") {
		return terms[0]
	}
	return word
}

// withoutAside returns a sentence without a remark in brackets at its end that only says that it was said before.
func withoutAside(text string) string {
	trimmed := strings.TrimRight(text, " .!\n\r")
	open := strings.LastIndexAny(trimmed, "([")
	if open < 0 {
		return text
	}
	if end := strings.IndexAny(trimmed[open:], ")]"); end > 0 && open+end < len(trimmed)-1 {
		return text // the sentence goes on
	}
	for _, w := range words(trimmed[open:]) {
		if !slices.Contains(listed("asides"), w) && strings.ContainsFunc(w, unicode.IsLetter) {
			return text
		}
	}
	return trimmed[:open]
}

// saysNothing reports whether a text is courtesy, or says only that something was heard: "I noted it."
func saysNothing(text string) bool {
	ws := words(strings.TrimPrefix(text, author(Assistant)))
	return isTrivial(text) || len(ws) <= 10 && !slices.ContainsFunc(ws, func(w string) bool {
		return !slices.Contains(listed("courtesies"), w) && strings.ContainsFunc(w, func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsNumber(r)
		})
	})
}
