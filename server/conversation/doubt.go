package conversation

import (
	"slices"
	"strings"
	"time"

	"ltm/text/search"
)

// Known is claims with their words taken apart, which serves for many contexts.
type Known struct {
	claims []Claim
	words  []stale // by claim
}

// Know prepares all claims of a user, which must not change afterwards.
func Know(claims []Claim) *Known {
	k := &Known{claims: claims, words: make([]stale, len(claims))}
	for i, c := range claims {
		if c.State != Suggested && c.Text != "" {
			k.words[i] = newStale(c.Text)
		}
	}
	return k
}

// doubt knows what is not true, or not decided, at the time of a request.
type doubt struct {
	claims []stale
	byWord map[string][]int    // claims by the first word that must be there if they are stated literally
	byTerm map[string][]int    // claims by a term that must be there if they are stated at all
	truths []*spoken           // the claims that are true
	events map[string][]int    // claims by the events that are evidence for them, and for nothing that is true
	moved  map[string][]int    // those of them in whose place another claim is
	denied map[string][]string // by the same events, words of what is true in place of those
}

// stale is a claim that a context must not state.
type stale struct {
	normal string
	terms  []string // its words of content, inflections reduced
}

func newStale(text string) stale {
	normal := Normal(text)
	return stale{normal, search.TermsOf(normal)}
}

// minTerms is the number of words of content from which a claim is recognized by them in any order. One word alone is
// in too many other statements.
const minTerms = 2

// spoken is the normal form of a text with its words of content, which are found when they are needed and then
// serve for all claims.
type spoken struct {
	normal string
	terms  map[string]bool
}

func (s *spoken) content() map[string]bool {
	if s.terms == nil {
		s.terms = map[string]bool{}
		for _, t := range search.TermsOf(s.normal) {
			s.terms[t] = true
		}
	}
	return s.terms
}

// in reports whether a text states the claim: in the same words, or with all its words of content.
func (c stale) in(s *spoken) bool {
	if c.literally(s) {
		return true
	}
	if len(c.terms) < minTerms {
		return false
	}
	has := s.content()
	return !slices.ContainsFunc(c.terms, func(t string) bool { return !has[t] })
}

// literally reports whether a text, which may be of several sentences, has the claim in the same words.
func (c stale) literally(s *spoken) bool { return contains(s.normal, c.normal) }

// newDoubt collects what must not be stated. Suggestions do not count: no one has said that they are wrong.
func newDoubt(known *Known, at time.Time) doubt {
	d := doubt{events: map[string][]int{}, moved: map[string][]int{}, denied: map[string][]string{},
		byWord: map[string][]int{}, byTerm: map[string][]int{}}
	good, shown := map[string]bool{}, map[string]stale{}
	for i, c := range known.claims {
		if c.Shown(at) {
			shown[c.ID] = known.words[i]
		}
	}
	for i, c := range known.claims {
		switch {
		case c.Shown(at):
			d.truths = append(d.truths, &spoken{normal: known.words[i].normal})
			for _, e := range c.Evidence {
				good[e.Event] = true
			}
		case c.State != Suggested:
			n := d.add(known.words[i])
			for _, e := range c.Evidence {
				d.events[e.Event] = append(d.events[e.Event], n)
				if c.State == Superseded {
					d.moved[e.Event] = append(d.moved[e.Event], n)
					d.denied[e.Event] = append(d.denied[e.Event], shown[c.SupersededBy].deniable()...)
				}
			}
		}
	}
	for id := range good { // the event also says what is true: only sentences of it are left out
		delete(d.events, id)
		delete(d.moved, id)
		delete(d.denied, id)
	}
	delete(d.events, "")
	delete(d.moved, "")
	delete(d.denied, "")
	return d
}

// add returns the claim's place.
func (d *doubt) add(c stale) int {
	n := len(d.claims)
	d.claims = append(d.claims, c)
	first, _, _ := strings.Cut(c.normal, " ")
	d.byWord[first] = append(d.byWord[first], n)
	if len(c.terms) >= minTerms {
		last := c.terms[len(c.terms)-1] // claims begin alike, and end with what they are about
		d.byTerm[last] = append(d.byTerm[last], n)
	}
	return n
}

// states reports whether a line states what is not true, or its event is evidence for nothing else.
func (d doubt) states(event, line string) bool {
	return len(d.events[event]) > 0 || slices.ContainsFunc(pieces(line), d.wrong) || d.says(line, false)
}

// wrong reports whether a sentence states what is not true.
func (d doubt) wrong(sentence string) bool { return d.says(sentence, true) }

// says reports whether a text states what is not true: literally, or in any words. A true claim in it does not count:
// "I live in Rome" must not take "I live in Rome Street" with it, if that is true.
func (d doubt) says(text string, anyhow bool) bool {
	if len(d.claims) == 0 {
		return false
	}
	s := &spoken{normal: Normal(text)}
	for word := range strings.SplitSeq(s.normal, " ") {
		for _, n := range d.byWord[word] {
			if d.holds(d.claims[n], s, stale.literally) {
				return true
			}
		}
	}
	if !anyhow || len(d.byTerm) == 0 {
		return false
	}
	for term := range s.content() {
		for _, n := range d.byTerm[term] {
			if d.holds(d.claims[n], s, stale.in) {
				return true
			}
		}
	}
	return false
}

// holds reports whether a text states a claim beside what is true.
func (d doubt) holds(c stale, s *spoken, in func(c stale, s *spoken) bool) bool {
	if !in(c, s) {
		return false
	}
	rest := " " + s.normal + " "
	for _, t := range d.truths {
		if in(c, t) {
			rest = strings.ReplaceAll(rest, " "+t.normal+" ", " ")
		}
	}
	return in(c, &spoken{normal: strings.TrimSpace(rest)})
}

// contains reports whether a normal form has another in it, as whole words.
func contains(normal, part string) bool {
	for at := 0; part != ""; {
		i := strings.Index(normal[at:], part)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(part)
		if (at == 0 || normal[at-1] == ' ') && (end == len(normal) || normal[end] == ' ') {
			return true
		}
		at++
	}
	return false
}

// without returns a text without injected memory and without the sentences that state what is not true, or why nothing
// is left of it. An event that is evidence for such statements alone loses every sentence with a word of them, and
// all of them if it says it in words of its own, which cannot be told from the rest. The answer to such an event loses
// the sentences that repeat what another claim took the place of: "Noted: Rome." Both lose those that deny that claim.
func (d doubt) without(event, answered, text string) (left, reason string) {
	text = strings.TrimSpace(Said(text))
	own, repeated := d.events[event], d.moved[answered]
	switch {
	case text == "":
		return "", NoText
	case len(own)+len(repeated) == 0 && !d.states("", text):
		return text, ""
	}
	parts := pieces(text)
	if slices.ContainsFunc(own, func(n int) bool { return !d.claims[n].amid(parts) }) {
		return "", NotTrue
	}
	// a statement over several sentences goes with all of them
	left = strings.TrimSpace(strings.Join(slices.DeleteFunc(parts, func(sentence string) bool {
		return d.wrong(sentence) || d.echoes(own, sentence) || d.echoes(repeated, sentence) ||
			d.denies(event, sentence) || d.denies(answered, sentence)
	}), "."))
	if left == "" || d.says(left, false) {
		return "", NotTrue
	}
	return left, ""
}

// amid reports whether one of the sentences states the claim.
func (c stale) amid(sentences []string) bool {
	return slices.ContainsFunc(sentences, func(sentence string) bool {
		return c.in(&spoken{normal: Normal(sentence)})
	})
}

// echoes reports whether a sentence has a word of content of the claims, besides what is true and is there
// literally. A word that some other truth has, too, counts: "I live in Milan" must not keep what was said of the team
// of Milan.
func (d doubt) echoes(claims []int, sentence string) bool {
	if len(claims) == 0 {
		return false
	}
	rest := " " + Normal(sentence) + " "
	for _, t := range d.truths {
		rest = strings.ReplaceAll(rest, " "+t.normal+" ", " ")
	}
	return slices.ContainsFunc(search.TermsOf(strings.TrimSpace(rest)), func(term string) bool {
		return slices.ContainsFunc(claims, func(n int) bool { return slices.Contains(d.claims[n].terms, term) })
	})
}

// negations lists words that deny what a sentence is about, contractions spelled out.
func negations() []string { return []string{"no", "not", "never", "without", "nor", "neither"} }

// deniable returns the words of content of a claim that denies nothing itself.
func (c stale) deniable() []string {
	if has(strings.Fields(c.normal), negations()...) {
		return nil
	}
	return c.terms
}

// denies reports whether a sentence beside a claim denies what took the claim's place, which is to say the claim in
// other words: "I am vegan. No fish, please." once it is true that "I eat fish".
func (d doubt) denies(event, sentence string) bool {
	words := d.denied[event]
	if len(words) == 0 {
		return false
	}
	normal := Normal(sentence)
	if !has(strings.Fields(normal), negations()...) {
		return false
	}
	return slices.ContainsFunc(search.TermsOf(normal), func(t string) bool { return slices.Contains(words, t) })
}

// pieces returns all sentences of a text, those of code and quotations too.
func pieces(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n;。！？", r) })
}
