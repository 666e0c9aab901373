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

// maxOpposed is how many claims contradict one at most: more would only cost time.
const maxOpposed = 8

// Proposals returns what active claims are contradicted by, by suggestions and by active claims that began later: by
// another value of a slot that has one, or by the opposite, such as love and hate of the same thing. Of each claim,
// these are at most 8. What has no form that is known contradicts nothing.
func Proposals(claims []Claim) []Proposal {
	said := make([][]stated, len(claims))
	about := map[string][]int{} // claims by subject
	for i, c := range claims {
		if c.State != Active && c.State != Suggested {
			continue
		}
		for _, r := range ReadClaim(c.Text) {
			said[i] = append(said[i], r.stated())
			if all := about[r.topic()]; len(all) == 0 || all[len(all)-1] != i {
				about[r.topic()] = append(all, i)
			}
		}
	}
	var found []Proposal
	for i, holds := range claims {
		if holds.State != Active {
			continue
		}
		var others []int
		for _, r := range said[i] {
			others = append(others, about[r.topic()]...)
		}
		slices.Sort(others)
		first := len(found)
		for _, j := range slices.Compact(others) {
			other := claims[j]
			if i == j || other.State != Suggested && !other.newer(holds) {
				continue
			}
			if verb := contradiction(said[i], said[j]); verb != "" {
				found = append(found, Proposal{verb, holds.ID, other.ID})
			}
			if len(found)-first == maxOpposed {
				break
			}
		}
	}
	return found
}

// stated is a reading of a claim, with what comparing it takes.
type stated struct {
	Reading
	key   string
	roots []string
}

func (r Reading) stated() stated { return stated{r, r.Key(), roots(r.Value)} }

// topic names what readings that contradict each other have in common.
func (r Reading) topic() string {
	if r.Slot == Dislikes {
		return r.Subject + "/" + string(Likes)
	}
	return r.Subject + "/" + string(r.Slot)
}

// newer reports whether a claim that holds began later than another one.
func (c Claim) newer(than Claim) bool {
	a, b := c.Valid[len(c.Valid)-1].From, than.Valid[len(than.Valid)-1].From
	return a.After(b) || a.Equal(b) && c.ID > than.ID
}

// contradiction returns what should follow from two statements, or nothing.
func contradiction(holds, says []stated) Verb {
	for _, a := range holds {
		for _, b := range says {
			same := a.key == b.key
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
func (r stated) covers(other stated) bool {
	return !slices.ContainsFunc(r.roots, func(w string) bool { return !slices.Contains(other.roots, w) })
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
		(r.Of == "" || r.Of == claim.Of || r.Value != "") && r.stated().covers(claim.stated())
}
