package conversation

import (
	_ "embed" // for english.txt
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed english.txt
var englishText string

// lexicon is what the rules of a language consist of.
type lexicon struct {
	lists       map[string]list
	phrases     map[string][]string // the lists in their order, as they are written
	kinds       map[string]kind
	says, forms []form
	topics      []topic

	openers, tails, speakers, others, merges, turns, answers []rewrite
}

// rewrite is a pattern of words, and what to read instead.
type rewrite struct {
	pattern []patternWord
	instead []string
	how     string
}

// topic is what questions with some words are about: slots, and of tastes those with certain words.
type topic struct {
	words, slots, tastes list
}

// list is a set of words, and of endings of words, which have "-" before them in the text.
type list struct {
	words   map[string]bool
	endings []string
}

// form is a form of sentence that says a slot; see [clause.match] for patterns. The value follows the pattern.
type form struct {
	pattern []patternWord
	slot    Slot
	value   kind // nil: there is none, or it is in the pattern
	of, how string
}

// kind says what a value looks like: it returns how many of the tokens, which are not empty, are one, from the first
// on; 0 if they are none.
type kind func(*lexicon, []token) int

// patternWord is a word of a pattern.
type patternWord struct {
	words    list
	name     string // W, N, V, NAME, END, OVER, REL, MATE, PET or PERSON; empty for words
	optional bool
}

// englishLexicon returns the lexicon of English.
var englishLexicon = sync.OnceValue(func() *lexicon { return newLexicon(englishText) })

// newLexicon reads a lexicon, in which lists stand before what uses them, and kinds before forms.
func newLexicon(text string) *lexicon {
	x := &lexicon{lists: map[string]list{}, phrases: map[string][]string{},
		kinds: map[string]kind{"capital": capital, "name": name, "full": full, "named": named, "apposed": apposed,
			"place": place, "organization": organization, "job": job, "trade": trade, "number": number, "date": date,
			"digits": digits}}
	for line := range strings.Lines(text) {
		columns := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", "", "", "", "")
		switch columns[0] {
		case "list":
			x.lists[columns[1]], x.phrases[columns[1]] = x.list(columns[2]), strings.Split(columns[2], "|")
		case "kind":
			x.kinds[columns[1]] = x.kind(columns[2])
		case "say":
			x.says = append(x.says, x.form(columns))
		case "form":
			x.forms = append(x.forms, x.form(columns))
		case "about":
			x.topics = append(x.topics, topic{x.list(columns[1]), x.list(columns[2]), x.list(columns[3])})
		default:
			if into := x.rewrites(columns[0]); into != nil {
				*into = append(*into, rewrite{x.pattern(columns[1]), strings.Fields(columns[2]), columns[3]})
			}
		}
	}
	for _, lead := range x.phrases["leads"] {
		x.openers = append(x.openers, rewrite{pattern: x.pattern(lead)})
	}
	return x
}

// listed returns the words and phrases of a list of English, which must not have lists in it.
func listed(name string) []string { return englishLexicon().phrases[name] }

// rewrites returns where the lines with a name belong.
func (x *lexicon) rewrites(name string) *[]rewrite {
	return map[string]*[]rewrite{"open": &x.openers, "tail": &x.tails, "speaker": &x.speakers, "other": &x.others,
		"merge": &x.merges, "turn": &x.turns, "answer": &x.answers}[name]
}

func (x *lexicon) list(text string) list {
	l := list{words: map[string]bool{}}
	for word := range strings.SplitSeq(text, "|") {
		if ending, ok := strings.CutPrefix(word, "-"); ok {
			l.endings = append(l.endings, ending)
		} else if named, ok := x.lists[strings.TrimPrefix(word, "@")]; ok && word[0] == '@' {
			maps.Copy(l.words, named.words)
			l.endings = append(l.endings, named.endings...)
		} else {
			l.words[word] = true
		}
	}
	return l
}

func (x *lexicon) form(columns []string) form {
	return form{x.pattern(columns[1]), Slot(columns[2]), x.kinds[columns[3]], columns[4], columns[5]}
}

func (x *lexicon) pattern(text string) (all []patternWord) {
	for word := range strings.FieldsSeq(text) {
		word, optional := strings.CutSuffix(word, "?")
		p := patternWord{name: word, optional: optional}
		switch word {
		case "W", "N", "V", "NAME", "END", "OVER":
		case "REL":
			p.words = x.lists["relatives"]
		case "MATE":
			p.words = x.lists["mates"]
		case "PET":
			p.words = x.lists["animals"]
		case "PERSON":
			p.words = x.list("@relatives|@people")
		default:
			p.name, p.words = "", x.list(word)
		}
		all = append(all, p)
	}
	return all
}

// has reports whether a word is in the list.
func (l list) has(word string) bool {
	return l.words[word] || slices.ContainsFunc(l.endings, func(ending string) bool {
		return len(word) > len(ending)+1 && strings.HasSuffix(word, ending)
	})
}

// any reports whether one of the tokens is in the list. "^" in the list is a word with a capital.
func (l list) any(ts []token) bool {
	return slices.ContainsFunc(ts, func(t token) bool { return l.has(t.word) || l.words["^"] && t.capital })
}

// until returns how many tokens stand before one of the list.
func (l list) until(ts []token) int {
	if n := slices.IndexFunc(ts, func(t token) bool { return l.has(t.word) }); n >= 0 {
		return n
	}
	return len(ts)
}

// kind returns a kind by its conditions, each of which must hold: "comma" and "to:LIST" say where the value ends, "is",
// "isnt", "has" and "hasnt" which word is first or anywhere, "has3" among the first 3, "least" and "most" how many.
func (x *lexicon) kind(text string) kind {
	type condition struct {
		name  string
		words list
		n     int
	}
	var all []condition
	for one := range strings.FieldsSeq(text) {
		name, arg, _ := strings.Cut(one, ":")
		c := condition{name, x.list(arg), 0}
		if digit := strings.TrimPrefix(name, "has"); digit != name && digit != "" && digit != "nt" {
			arg, c.name = digit, "has"
		}
		c.n, _ = strconv.Atoi(arg)
		all = append(all, c)
	}
	return func(x *lexicon, ts []token) int {
		n := x.lists["thoughts"].until(ts)
		for _, c := range all {
			ok := n > 0
			switch c.name {
			case "comma":
				n = min(n, toComma(ts))
			case "to":
				n = min(n, c.words.until(ts))
			case "caps":
				ok = ok && ts[0].capital
			case "counted":
				ok = ok && (x.lists["articles"].has(ts[0].word) || ts[0].word[0] <= '9')
			case "is":
				ok = ok && c.words.has(ts[0].word)
			case "isnt":
				ok = ok && (!c.words.has(ts[0].word) || famous(ts))
			case "hasnt":
				ok = ok && !c.words.any(ts[:n])
			case "has":
				first := n
				if c.n > 0 {
					first = min(n, c.n)
				}
				ok = ok && c.words.any(ts[:first])
			case "least":
				ok = ok && n >= c.n
			case "most":
				ok = ok && n <= c.n
			}
			if !ok {
				return 0
			}
		}
		return n
	}
}
