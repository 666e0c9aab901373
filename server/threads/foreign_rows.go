package threads

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/server/conversation"
)

// userRows are the rows of a user.
type userRows struct {
	c         *conversion
	threads   []Thread
	events    []eventLine
	summaries []summaryLine
	acts      []actLine
	reactions []Reaction
	threadAt  map[string]int      // where in threads one is, by its id
	eventsOf  map[string][]string // the ids of events by thread, as they came
	ids       map[string]bool     // with their kinds
	from      map[string]string   // what of the dump they were read from, by the same
	spans     map[string][]span   // by the claim
}

// isNew notes an id, and reports whether it was not there.
func (u *userRows) isNew(kind, id string) bool {
	if u.ids[kind+id] {
		return false
	}
	u.ids[kind+id] = true
	u.from[kind+id] = strings.Join(u.c.where, ": ") + ": "
	return true
}

func (u *userRows) addThread(l Thread) {
	u.threadAt[l.ID] = len(u.threads)
	u.threads = append(u.threads, l)
}

// thread returns a thread that was added.
func (u *userRows) thread(id string) *Thread { return &u.threads[u.threadAt[id]] }

func (u *userRows) addEvent(l eventLine) {
	u.eventsOf[l.Thread] = append(u.eventsOf[l.Thread], l.ID)
	u.events = append(u.events, l)
}

// repair makes the names of rows into such as the form has.
func (u *userRows) repair() {
	for i := range u.threads {
		u.threads[i].Title = u.c.name("titles", u.threads[i].Title, MaxTitle)
	}
	for i := range u.events {
		u.events[i].Agent = u.c.name("names of agents", u.events[i].Agent, maxName)
	}
	for i := range u.acts {
		u.acts[i].Session = u.c.name("names of runs", u.acts[i].Session, maxName)
	}
}

// name returns a name of characters that print and blanks, of at most that many bytes.
func (c *conversion) name(what, s string, most int) string {
	printed := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.TrimSpace(s))
	if printed != s {
		c.note("%s with characters that do not print, which are left out or made blanks", what)
	}
	if len(printed) <= most {
		return printed
	}
	c.note("%s longer than %d bytes, which are cut", what, most)
	for printed = printed[:most]; !utf8.ValidString(printed); {
		printed = printed[:len(printed)-1]
	}
	return printed
}

// write writes the rows in the order of the portable file.
func (u *userRows) write(out *lineWriter, check *lineCheck) error {
	slices.SortFunc(u.threads, func(a, b Thread) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ID, a.ID))
	})
	slices.SortStableFunc(u.events, func(a, b eventLine) int { return a.RecordedAt.Compare(b.RecordedAt) })
	slices.SortFunc(u.summaries, func(a, b summaryLine) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(u.acts, func(a, b actLine) int { return a.At.Compare(b.At) })
	for _, write := range []func() error{
		func() error {
			return writeRows(u, out, check, lineThread, u.threads, func(l Thread) string { return l.ID })
		},
		func() error {
			return writeRows(u, out, check, lineEvent, u.events, func(l eventLine) string { return l.ID })
		},
		func() error {
			return writeRows(u, out, check, lineSummary, u.summaries, func(l summaryLine) string { return l.ID })
		},
		func() error { return writeRows(u, out, check, lineAct, u.acts, func(l actLine) string { return l.ID }) },
		func() error {
			return writeRows(u, out, check, lineReaction, u.reactions, func(l Reaction) string { return l.Event })
		},
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// writeRows writes rows of a kind. An error says what of the dump they are from.
func writeRows[T any](u *userRows, out *lineWriter, check *lineCheck, kind string, rows []T, id func(T) string) error {
	for _, row := range rows {
		if err := check.row(fileRow{kind: kind, value: &row}); err != nil {
			shown, _ := marshal(row)
			return Refuse(ErrInvalid, "%swhat it says of %q: the %s %.120s: %v", u.from[kind+id(row)],
				check.user, kind, shown, err)
		}
		if err := out.row(kind, row); err != nil {
			return err
		}
	}
	return nil
}

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
				// behind the act by which it is true again, before which it changes nothing
				for i := s.first; i < s.after; i++ {
					u.acts[i].At = u.acts[i].At.Add(time.Microsecond)
				}
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
