package threads

import (
	"maps"
	"slices"
	"time"

	"ltm/server/conversation"
)

// span is a time in which a dump says that a claim was true.
type span struct {
	began, ended time.Time // ended is zero if it is still true
	first, after int       // the acts that state it
}

// held notes when a claim was true, which acts from one on state.
func (u *userRows) held(began, ended time.Time, first int) {
	a := u.acts[first]
	claim := conversation.ClaimID(conversation.Bucket(a.Bucket), a.Text)
	u.spans[claim] = append(u.spans[claim], span{began, ended, first, len(u.acts)})
}

// endClaims adds the acts that end claims, and those by which they are true again. A dump may say the same several
// times, with other dates, in any order: a claim is true while one of them is.
func (u *userRows) endClaims(form string) {
	for _, claim := range slices.Sorted(maps.Keys(u.spans)) {
		spans := u.spans[claim]
		slices.SortStableFunc(spans, func(a, b span) int { return a.began.Compare(b.began) })
		var again, ended time.Time
		last := "" // the act whose end is the latest
		act := func(verb conversation.Verb, what, of string, at time.Time) {
			u.acts = append(u.acts, actLine{ID: uuidFrom(form, what, of), At: at, Verb: string(verb), By: importer,
				Claim: claim})
		}
		for i, s := range spans {
			id := u.acts[s.first].ID
			if i > 0 && !ended.IsZero() && s.began.After(ended) {
				act(conversation.Deprecates, "end", last, ended)
				act(conversation.Confirms, "again", id, s.began)
				again, ended, last = s.began, s.end(), id
			}
			if s.began.Equal(again) {
				u.afterNext(s)
			}
			if i == 0 || !ended.IsZero() && (s.ended.IsZero() || s.end().After(ended)) {
				ended, last = s.end(), id
			}
		}
		if !ended.IsZero() {
			act(conversation.Deprecates, "end", last, ended)
		}
	}
}

// end returns the time of the act that ends a claim. It comes after the one that began it: one that comes before
// changes nothing, and what has ended would hold.
func (s span) end() time.Time {
	if s.ended.IsZero() {
		return s.ended
	}
	return latest(s.began.Add(time.Microsecond), s.ended)
}

// afterNext moves what states a claim behind the act by which it is true again, before which it changes nothing.
func (u *userRows) afterNext(s span) {
	for i := s.first; i < s.after; i++ {
		u.acts[i].At = u.acts[i].At.Add(time.Microsecond)
	}
}
