package conversation

import (
	"slices"
	"strings"
)

// Proposal is an act that the claims themselves suggest, because two of them cannot both be true, or one is said to
// take the place of the other: that Other, which is newer, supersedes Claim, which holds, or that they are in dispute.
type Proposal struct {
	Verb         Verb // Supersedes or Disputes
	Claim, Other string
}

// unmarried is whom a partner that ended is of, if married people do not end so: "We broke up" ends no wife.
const unmarried = "unmarried"

// maxOpposed is how many claims contradict one at most: more would only cost time.
const maxOpposed = 8

// Proposals returns what active claims are contradicted by, by suggestions and by active claims that began later: by
// another value of a slot that has one, or by the opposite, such as love and hate of the same thing, and by what
// was suggested to take their place. Of each claim, these are at most 8. What has no form that is known contradicts
// nothing.
func Proposals(claims []Claim) []Proposal {
	said := make([][]stated, len(claims))
	about := map[string][]int{}   // claims by subject
	updates := map[string][]int{} // claims by those whose place they are to take
	for i, c := range claims {
		if c.State != Active && c.State != Suggested {
			continue
		}
		for _, id := range c.Updates {
			updates[id] = append(updates[id], i)
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
		others := slices.Clone(updates[holds.ID])
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
			verb := contradiction(said[i], said[j])
			if slices.Contains(other.Updates, holds.ID) {
				verb = Supersedes
			}
			if verb != "" {
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
			case same && a.Single() && !a.Denied && !b.Denied && !a.covers(b) && !b.covers(a) && !a.within(b):
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

// covers reports whether another reading has all words of the value, or kinds of what they name: "Rome" covers "the
// north of Rome", and "my dog" covers "a poodle".
func (r stated) covers(other stated) bool {
	return !slices.ContainsFunc(r.roots, func(w string) bool {
		return !slices.Contains(other.roots, w) && !slices.ContainsFunc(listed("a "+w), func(kind string) bool {
			return slices.Contains(other.roots, kind) || slices.Contains(other.roots, root(kind))
		})
	})
}

// within reports whether one of two places may be in the other: only one of them is a country.
func (r stated) within(other stated) bool {
	countries := englishLexicon().lists["countries"]
	country := func(s stated) bool { return countries.has(strings.ToLower(strings.TrimPrefix(s.Value, "the "))) }
	return (r.Slot == Home || r.Slot == Born) && country(r) != country(other)
}

// roots returns the words of a value, without articles and inflections.
func roots(value string) []string {
	ws := strings.Fields(Essence(value))
	return slices.DeleteFunc(ws, func(w string) bool { return has([]string{w}, "a", "an", "the", "my", "our") })
}

// Endings returns what a text says to be over of its writer: "I used to live in Oslo", "I quit my job at Siemens".
func Endings(text, lang string) (found []Reading) {
	if !english(lang) || jests(text) {
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

// ends reports whether what ended is what a claim says. An end without a value, "My dog died", is of what it is of.
func (r Reading) ends(claim Reading) bool {
	over, holds := r.stated(), claim.stated()
	if r.Value == "" && r.Of != unmarried {
		over.roots = roots(r.Of)
	}
	holds.roots = append(holds.roots, roots(claim.Of)...)
	return claim.Subject == "" && claim.Slot == r.Slot && !claim.Ended && !claim.Denied && over.covers(holds) &&
		(r.Of != unmarried || !englishLexicon().lists["spouses"].has(claim.Of))
}
