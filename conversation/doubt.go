package conversation

import (
	"slices"
	"strings"

	"ltm/search"
)

// doubt knows what is not true, or not decided, at the time of a request.
type doubt struct {
	claims []stale
	truths []string // normal forms of the claims that are true
	events map[string]bool
}

// stale is a claim that a context must not state.
type stale struct {
	normal string
	terms  []string // its words of content, inflections reduced
}

// minTerms is the number of words of content from which a claim is recognized by them in any order. One word alone is
// in too many other statements.
const minTerms = 2

// in reports whether a normal form states the claim: in the same words, or with all its words of content.
func (c stale) in(normal string) bool {
	if c.literally(normal) {
		return true
	}
	if len(c.terms) < minTerms {
		return false
	}
	terms := search.TermsOf(normal)
	return !slices.ContainsFunc(c.terms, func(t string) bool { return !slices.Contains(terms, t) })
}

// literally reports whether a normal form, which may be of several sentences, has the claim in the same words.
func (c stale) literally(normal string) bool { return contains(normal, c.normal) }

// newDoubt collects what must not be stated. A suggestion is not among it: nobody has said that it is wrong.
func newDoubt(r Request) doubt {
	d := doubt{events: map[string]bool{}}
	good := map[string]bool{}
	for _, c := range r.Claims {
		switch {
		case shown(c, r.AsOf):
			d.truths = append(d.truths, Normal(c.Text))
			for _, e := range c.Evidence {
				good[e.Event] = true
			}
		case c.State != Suggested:
			d.claims = append(d.claims, stale{Normal(c.Text), search.TermsOf(Normal(c.Text))})
			for _, e := range c.Evidence {
				d.events[e.Event] = true
			}
		}
	}
	for id := range good { // the event also says what is true: only sentences of it are left out
		delete(d.events, id)
	}
	delete(d.events, "")
	return d
}

// states reports whether a line states what is not true, or its event is evidence for nothing else.
func (d doubt) states(event, line string) bool {
	return d.events[event] || slices.ContainsFunc(pieces(line), d.wrong) || d.says(line, stale.literally)
}

// wrong reports whether a sentence states what is not true.
func (d doubt) wrong(sentence string) bool { return d.says(sentence, stale.in) }

// says reports whether a text states what is not true, as in recognizes it. A true claim in it does not count: "I live
// in Rome" must not take "I live in Rome Street" with it, if that is true.
func (d doubt) says(text string, in func(c stale, normal string) bool) bool {
	if len(d.claims) == 0 {
		return false
	}
	normal := Normal(text)
	return slices.ContainsFunc(d.claims, func(c stale) bool {
		if !in(c, normal) {
			return false
		}
		rest := " " + normal + " "
		for _, t := range d.truths {
			if in(c, t) {
				rest = strings.ReplaceAll(rest, " "+t+" ", " ")
			}
		}
		return in(c, strings.TrimSpace(rest))
	})
}

// contains reports whether a normal form has another in it, as whole words.
func contains(normal, part string) bool { return strings.Contains(" "+normal+" ", " "+part+" ") }

// without returns a text without injected memory and without the sentences that state what is not true, or why nothing
// is left of it. Nothing is left of an event that is evidence for such statements alone.
func (d doubt) without(event, text string) (left, reason string) {
	text = strings.TrimSpace(Said(text))
	switch {
	case text == "":
		return "", NoText
	case d.events[event]:
		return "", NotTrue
	case !d.states("", text):
		return text, ""
	}
	// a statement over several sentences goes with all of them
	left = strings.TrimSpace(strings.Join(slices.DeleteFunc(pieces(text), d.wrong), "."))
	if left == "" || d.says(left, stale.literally) {
		return "", NotTrue
	}
	return left, ""
}

// pieces returns all sentences of a text, those of code and quotations too.
func pieces(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n;。！？", r) })
}
