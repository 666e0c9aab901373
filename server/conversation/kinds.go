package conversation

import (
	"slices"
	"strings"
)

// These are the kinds of values that the lexicon does not spell out.

// toComma returns how many tokens stand before a comma.
func toComma(ts []token) int {
	if n := slices.IndexFunc(ts, func(t token) bool { return t.comma }); n >= 0 {
		return n + 1
	}
	return len(ts)
}

// noun returns tokens without the articles and numbers before them, and whether there were any.
func (x *lexicon) noun(ts []token) ([]token, bool) {
	n := 0
	for n < len(ts)-1 && x.lists["articles"].has(ts[n].word) {
		n++
	}
	return ts[n:], n > 0
}

// famous reports whether tokens are "the Beatles", or something else of which there is one.
func famous(ts []token) bool {
	return len(ts) > 1 && ts[0].word == "the" && (ts[1].capital || slices.Contains([]string{"sea", "ocean", "mountains",
		"beach", "outdoors", "rain", "snow", "forest", "winter", "summer", "cold", "heat"}, ts[1].word))
}

// textOf returns the words of tokens.
func textOf(ts []token) string {
	var ws []string
	for _, t := range ts {
		ws = append(ws, t.word)
	}
	return strings.Join(ws, " ")
}

// capital is a name of at most three words.
func capital(x *lexicon, ts []token) int {
	n := 0
	for n < min(3, len(ts)) && ts[n].capital && ts[n].word != "i" && !x.lists["days"].has(ts[n].word) {
		n++
		if ts[n-1].comma {
			break
		}
	}
	return n
}

// name is a name, and in a text without capitals any single word.
func name(x *lexicon, ts []token) int {
	if n := capital(x, ts); n > 0 {
		return n
	}
	if toComma(ts) == 1 && !x.lists["notnames"].has(ts[0].word) {
		return 1
	}
	return 0
}

// full is a name that nothing is said of: "I'm Tobias".
func full(x *lexicon, ts []token) int {
	n := capital(x, ts)
	if n == 0 || n < len(ts) && !ts[n-1].comma && !slices.Contains([]string{"and", "from", "by", "the"}, ts[n].word) ||
		x.list("@languages|@nations|@faiths|@diets|@statuses|@conditions|@notnames").any(ts[:n]) ||
		len(ts[0].word) < 2 {
		return 0
	}
	return n
}

// named is a name before what is said of it: "Rex is 3".
func named(x *lexicon, ts []token) int {
	if slices.ContainsFunc(ts, func(t token) bool { return t.word == "died" || t.word == "dead" }) {
		return 0
	}
	return capital(x, ts)
}

// apposed is a name before what says who it is: "Priya, my partner".
func apposed(x *lexicon, ts []token) int {
	if n := capital(x, ts); n == len(ts) && ts[n-1].comma {
		return n
	}
	return 0
}

// place is a name of a place, or what it is: "the north of Spain", "a village near Graz".
func place(x *lexicon, ts []token) int {
	b, article := x.noun(ts)
	stops := x.list("@thoughts|when|where|who|for|with|and|as|now|i|right|last")
	n := min(stops.until(ts), toComma(ts))
	further := n // "Rome, Italy", but not "Rome, Anna likes it"
	for further < len(ts) && ts[further].capital && !x.opens(ts[further].word, false) {
		further++
	}
	if further == len(ts) || further > n && (ts[further-1].comma || stops.has(ts[further].word)) {
		n = further
	}
	switch {
	case n == 0:
	case b[0].capital && !x.list("@months|@days").has(b[0].word) && !x.lists["software"].any(ts[:n]):
		return n
	case ts[0].word == "the":
		if x.lists["regions"].has(b[0].word) {
			return n
		}
	case article:
		if x.lists["settlements"].any(ts[:n]) {
			return n
		}
	case x.lists["parts"].has(b[0].word):
		if slices.ContainsFunc(ts[:n], func(t token) bool { return t.capital }) {
			return n
		}
	case b[0].word[0] <= '9' && len(b) > 1 && b[1].capital: // an address
		return len(ts)
	}
	return 0
}

// organization is a name, or "a bakery", "the hospital".
func organization(x *lexicon, ts []token) int {
	b, article := x.noun(ts)
	n := min(x.list("@thoughts|as|i|now|last|on|until|till").until(ts), toComma(ts))
	if i := x.list("and").until(ts[:n]); i+1 < n && !ts[i+1].capital { // "… and love it", but not "Marks and Spencer"
		n = i
	}
	if i := x.list("for").until(ts[:n]); i > 0 && i+1 < n && x.list("@articles|almost|about|nearly|over|many").has(
		ts[i+1].word) { // "for three years"
		n = i
	}
	if i := x.list("in").until(ts[:n]); i+1 < n && (x.lists["months"].has(ts[i+1].word) ||
		ts[i+1].word[0] <= '9') { // "in May", but not "in Berlin"
		n = i
	}
	switch {
	case n == 0, x.list("@pointing|@nowork").has(b[0].word):
		return 0
	case b[0].capital, article && !x.lists["nowork"].any(ts[:n]), ts[0].word == "my":
		return n
	}
	return 0
}

// job is an occupation: an article, perhaps words that say which, and its noun.
func job(x *lexicon, ts []token) int {
	b, article := x.noun(ts)
	all := min(x.lists["thoughts"].until(ts), toComma(ts))
	switch {
	case ts[0].word == "no", has(strings.Fields(textOf(ts)), x.phrases["realms"]...):
		return 0
	case x.lists["nowork1"].has(b[0].word), len(b) > 1 && b[0].word == "self" && b[1].word == "employed":
		return x.lists["thoughts"].until(ts)
	case ts[0].word == "the":
		if x.lists["chiefs"].has(b[0].word) {
			return all
		}
		return 0
	}
	n := min(x.list("@stops|of|here|too").until(b), toComma(b))
	if n == 0 || n > 4 || x.lists["notrades"].any(b[:n]) {
		return 0
	}
	noun := b[n-1].word
	switch {
	case x.lists["noTrade"].has(noun) && (noun != "driver" || n == 1):
	case x.lists["trades"].has(noun), article && x.lists["ends"].has(noun):
		return len(ts) - len(b) + n
	case x.lists["ends"].has(noun) && n <= 3:
		return n
	}
	return 0
}

// trade is a job with an article: "a plumber", and not "getting an error".
func trade(x *lexicon, ts []token) int {
	if x.list("this|that|here|not|board|repository|document").any(ts) {
		return 0
	}
	if _, article := x.noun(ts); !article && !x.lists["nowork1"].has(ts[0].word) && ts[0].word != "self" {
		return 0
	}
	return job(x, ts)
}

// number is an age.
func number(x *lexicon, ts []token) int {
	w := ts[0].word
	if x.lists["tens"].has(w) {
		if len(ts) > 1 && x.lists["units"].has(ts[1].word) { // "sixty-two"
			return 2 * aged(ts[1:])
		}
		return aged(ts)
	}
	if len(w) > 3 || w < "1" || strings.Trim(w, "0123456789") != "" || len(w) == 1 && len(ts) < 2 {
		return 0
	}
	return aged(ts)
}

// aged is 1 if an age can end with the first token.
func aged(ts []token) int {
	if len(ts) == 1 || ts[0].comma || slices.Contains([]string{"years", "year", "yo", "y", "and", "on", "yesterday",
		"today", "last", "next", "btw", "in"}, ts[1].word) {
		return 1
	}
	return 0
}

// date is a day or a year.
func date(x *lexicon, ts []token) int {
	for i, t := range ts[:min(len(ts), 6)] {
		year := len(t.word) == 4 && (strings.HasPrefix(t.word, "19") || strings.HasPrefix(t.word, "20"))
		if x.lists["months"].has(t.word) || x.lists["ordinals"].has(t.word) || year {
			return min(x.list("@thoughts|when|where|who|and|i").until(ts), max(i+3, toComma(ts)))
		}
	}
	if len(ts) > 1 && strings.Trim(ts[0].word+ts[1].word, "0123456789") == "" { // 05/05
		return min(3, len(ts))
	}
	return 0
}

// digits are a number of a telephone.
func digits(x *lexicon, ts []token) int {
	n, count := 0, 0
	for n < len(ts) && strings.Trim(ts[n].word, "+0123456789") == "" {
		count += len(ts[n].word)
		n++
	}
	if count < 6 {
		return 0
	}
	return n
}
