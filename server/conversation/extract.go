package conversation

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/text/search"
	"ltm/text/secrets"
)

// maxClaim is the longest claim in characters. A claim is one sentence.
const maxClaim = 300

// Finding is what a model says that an event says of its user.
type Finding struct {
	Text       string
	Bucket     Bucket
	Confidence float64
	Event      string
	Quote      string // the user's words that say so; needed with Of
	// Of is a claim that holds. The text takes its place, or with Ended set, says that it is over.
	Of    *Claim
	Ended bool
}

// Extracted returns a finding as an act with the event as its evidence, which is one that the model was shown, or why
// it is none. The act suggests the text, with Other if it is to take the place of a claim, or proposes an end. It
// has neither id nor time. A text that names the claim it is to replace wrongly, or does not quote its event, is
// suggested by itself; an end is refused.
func Extracted(f Finding, shown []Event) (Act, string) {
	text := oneLine(f.Text)
	at := slices.IndexFunc(shown, func(e Event) bool { return e.ID == f.Event && e.Role == User })
	switch {
	case Normal(text) == "":
		return Act{}, "it has no text"
	case utf8.RuneCountInString(text) > maxClaim:
		return Act{}, "its text is too long"
	case !slices.Contains(Buckets(), f.Bucket):
		return Act{}, "its bucket is unknown"
	case !(f.Confidence >= 0 && f.Confidence <= 1): // NaN, too
		return Act{}, "its confidence is not between 0 and 1"
	case at < 0:
		return Act{}, "its event is not one that the user said"
	case len(secrets.InTalk(text)) > 0:
		return Act{}, "it has a credential"
	case len(shared(text, Said(shown[at].Text))) == 0: // a low bar, which paraphrases pass and inventions do not
		return Act{}, "it is not from the text of its event"
	case f.Quote != "" && !slices.ContainsFunc(shown, func(e Event) bool { return e.Role == User && e.says(f.Quote) }):
		return Act{}, "its quote is not what the user said"
	}
	concerns := f.Of != nil && shown[at].says(f.Quote) && f.Of.concerns(text) && !f.Of.saidAfter(shown[at])
	switch {
	case f.Ended && !concerns:
		return Act{}, "it ends no claim that its quote is about"
	case f.Ended:
		return Act{Verb: Ends, Claim: f.Of.ID, Event: f.Event}, ""
	}
	a := Act{Verb: Suggests, Bucket: f.Bucket, Text: text, Event: f.Event, Confidence: f.Confidence}
	if concerns && ClaimID(a.Bucket, a.Text) != f.Of.ID {
		a.Other = f.Of.ID
	}
	return a, ""
}

// says reports whether an event itself has words, whatever their case and punctuation.
func (e Event) says(quote string) bool {
	return len(search.TermsOf(quote)) > 0 && has(words(Said(e.Text)), Normal(quote))
}

// concerns reports whether a text is about what a claim says: the same slot, or if the form of one of them is not
// known, a word in common.
func (c Claim) concerns(text string) bool {
	mine, its := ReadClaim(c.Text), ReadClaim(text)
	if len(mine) == 0 || len(its) == 0 {
		return len(shared(c.Text, text)) > 0
	}
	return slices.ContainsFunc(mine, func(r Reading) bool {
		return slices.ContainsFunc(its, func(other Reading) bool { return r.topic() == other.topic() })
	})
}

// saidAfter reports whether the claim was stated again after an event.
func (c Claim) saidAfter(e Event) bool {
	return slices.ContainsFunc(c.Evidence, func(x Evidence) bool { return x.At.After(e.Occurred) })
}

// shared returns the words of content that two texts have in common.
func shared(a, b string) []string {
	terms := search.TermsOf(b)
	return slices.DeleteFunc(search.TermsOf(a), func(t string) bool {
		return t == "user" || !slices.Contains(terms, t)
	})
}

// Plain reports whether a text itself says what a finding does to its claim, so that it does not take the word of the
// model: a sentence with the quote that its author states, outside of quotations, questions, code and what is given to
// be worked on, is read by the word rules as the same end, or as the same new value of what has one.
func (f Finding) Plain(text string) bool {
	var s scan
	for line := range strings.Lines(Said(text)) {
		for _, p := range s.line(line) {
			if p.own && has(words(p.text), Normal(f.Quote)) && !supposed(words(p.text)) &&
				slices.ContainsFunc(Read(p.text), f.says) {
				return !jests(text)
			}
		}
	}
	return false
}

// says reports whether a reading of the user's words does to the claim of a finding what the finding says.
func (f Finding) says(r Reading) bool {
	switch {
	case f.Of == nil, r.Subject != "":
		return false
	case f.Ended:
		return r.Ended && r.EndsClaim(*f.Of)
	}
	of := func(other Reading) []stated { return []stated{other.stated()} }
	return slices.ContainsFunc(ReadClaim(f.Of.Text), func(old Reading) bool {
		return contradiction(of(old), of(r)) == Supersedes
	}) && slices.ContainsFunc(ReadClaim(f.Text), func(mine Reading) bool {
		return mine.Key() == r.Key() && contradiction(of(mine), of(r)) == "" && !mine.Ended && !r.Ended
	})
}

// Concerned returns at most n of the active claims, which texts of their user may say something new of: what a person
// has one of, and what has a slot or a word in common with the texts. The most in common comes first, then the newest.
func Concerned(claims []Claim, texts []string, n int) []Claim {
	said := strings.Join(texts, "\n")
	topics := map[string]bool{}
	for _, text := range texts {
		for _, sentence := range sentences(text) {
			for _, r := range Read(sentence) {
				topics[r.topic()] = true
			}
		}
	}
	common := map[string]int{}
	var found []Claim
	for _, c := range claims {
		if c.State != Active {
			continue
		}
		near := len(shared(c.Text, said))
		may := near > 0
		for _, r := range ReadClaim(c.Text) {
			may = may || r.Single() || topics[r.topic()]
		}
		if may {
			common[c.ID] = near
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(common[b.ID], common[a.ID]),
			b.Valid[len(b.Valid)-1].From.Compare(a.Valid[len(a.Valid)-1].From), cmp.Compare(a.ID, b.ID))
	})
	return found[:min(len(found), n)]
}
