package conversation

import (
	"slices"
	"strings"
)

// Proposal is an act that the claims themselves suggest, because two of them cannot both be true: that Other, which is
// newer, supersedes Claim, which holds, or that they are in dispute.
type Proposal struct {
	Verb         Verb // Supersedes or Disputes
	Claim, Other string
}

// Proposals returns what active claims are contradicted by, by suggestions and by active claims that began later: by
// another value of a slot that has one, or by the opposite, such as love and hate of the same thing. What has no form
// that is known contradicts nothing.
func Proposals(claims []Claim) []Proposal {
	said := make([][]Reading, len(claims))
	for i, c := range claims {
		if c.State == Active || c.State == Suggested {
			said[i] = ReadClaim(c.Text)
		}
	}
	var found []Proposal
	for i, holds := range claims {
		if holds.State != Active {
			continue
		}
		for j, other := range claims {
			if i == j || other.State != Suggested && (other.State != Active || !other.newer(holds)) {
				continue
			}
			if verb := contradiction(said[i], said[j]); verb != "" {
				found = append(found, Proposal{verb, holds.ID, other.ID})
			}
		}
	}
	return found
}

// newer reports whether a claim that holds began later than another one.
func (c Claim) newer(than Claim) bool {
	a, b := c.Valid[len(c.Valid)-1].From, than.Valid[len(than.Valid)-1].From
	return a.After(b) || a.Equal(b) && c.ID > than.ID
}

// contradiction returns what should follow from two statements, or nothing.
func contradiction(holds, says []Reading) Verb {
	for _, a := range holds {
		for _, b := range says {
			same := a.Key() == b.Key()
			switch {
			case a.Subject != b.Subject, a.Ended, b.Ended:
			case same && a.Denied != b.Denied && a.covers(b),
				a.opposite() == b.Slot && a.Denied == b.Denied && a.covers(b):
				return Disputes
			case same && a.Single() && !a.Denied && !b.Denied && !a.covers(b) && !b.covers(a):
				return Supersedes
			}
		}
	}
	return ""
}

// opposite returns the slot that says the opposite.
func (r Reading) opposite() Slot {
	switch r.Slot {
	case Likes:
		return Dislikes
	case Dislikes:
		return Likes
	}
	return ""
}

// covers reports whether another reading has all words of the value: "Rome" covers "the north of Rome".
func (r Reading) covers(other Reading) bool {
	theirs := roots(other.Value)
	return !slices.ContainsFunc(roots(r.Value), func(w string) bool { return !slices.Contains(theirs, w) })
}

// roots returns the words of a value, without articles and inflections.
func roots(value string) []string {
	ws := strings.Fields(Essence(value))
	return slices.DeleteFunc(ws, func(w string) bool { return has([]string{w}, "a", "an", "the", "my", "our") })
}

// Endings returns what a text says to be over of its writer: "I used to live in Oslo", "I quit my job at Siemens".
func Endings(text, lang string) (found []Reading) {
	if !english(lang) {
		return nil
	}
	for _, sentence := range sentences(text) {
		if read(sentence).isTask() {
			break
		}
		for _, r := range Read(sentence) {
			if r.Ended && r.Subject == "" {
				found = append(found, r)
			}
		}
	}
	return found
}

// EndsClaim reports whether an ending names what a claim says.
func (r Reading) EndsClaim(claim Claim) bool {
	return slices.ContainsFunc(ReadClaim(claim.Text), r.ends)
}

// ends reports whether what ended is what a claim says.
func (r Reading) ends(claim Reading) bool {
	return claim.Subject == "" && claim.Slot == r.Slot && !claim.Ended && !claim.Denied &&
		(r.Of == "" || r.Of == claim.Of || r.Value != "") && r.covers(claim)
}
