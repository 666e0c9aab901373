package eviction

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"ltm/memory"
)

// Ages is the strategy of fading by age: how many days a memory may stay unopened before it loses
// a phase, by importance. After that it loses another one in each further period of as many days,
// until it is opened. Critical memories never do. The zero value turns the strategy off.
//
// Clocks cannot be trusted. A time in the future counts as now, so that a clock set back does
// nothing. A memory that has just lost a phase is safe for a whole period, and a plan takes one
// phase at most, so that a clock that jumps ahead costs each memory one phase, whatever the jump.
type Ages struct {
	Low, Normal, Important int // days
}

// HumanAges returns the ages that resemble how people forget.
func HumanAges() Ages { return Ages{Low: 1, Normal: 7, Important: 30} }

// Off reports whether age does not count.
func (a Ages) Off() bool { return a == Ages{} }

// of returns the days of an importance, or 0 for never.
func (a Ages) of(level memory.Importance) int {
	switch level {
	case memory.Critical:
		return 0
	case memory.Important:
		return a.Important
	case memory.Low:
		return a.Low
	}
	return a.Normal
}

// Overdue returns by how much a memory has outlived its days, and whether it has.
func (a Ages) Overdue(c Candidate, now time.Time) (time.Duration, bool) {
	period := time.Duration(a.of(c.Importance)) * day
	if period <= 0 || !c.Phase.Active() || c.Used.IsZero() {
		return 0, false
	}
	age := min(since(c.Used, now), since(c.Faded, now))
	return age - period, age >= period
}

const day = 24 * time.Hour

// since returns the time from t to now, which is 0 if t is in the future.
func since(t, now time.Time) time.Duration { return max(0, now.Sub(t)) }

// decay fills what is left of the batch with overdue memories: the longest overdue first, then the
// lowest priority, then by ID.
func decay(r *Result, g groups, p Policy) {
	chosen := map[memory.ID]bool{}
	for _, s := range r.Steps {
		chosen[s.ID] = true
	}
	type overdue struct {
		Candidate
		by time.Duration
	}
	var late []overdue
	for _, c := range slices.Concat(g.normal, g.important) {
		if by, ok := p.Ages.Overdue(c, p.Now); ok && !chosen[c.ID] {
			late = append(late, overdue{c, by})
		}
	}
	slices.SortFunc(late, func(a, b overdue) int {
		return cmp.Or(cmp.Compare(b.by, a.by), order(a.Candidate, b.Candidate))
	})
	count := min(len(late), max(0, p.BatchSize-len(r.Steps)))
	for _, c := range late[:count] {
		r.Steps = append(r.Steps, memory.EvictionStep{ID: c.ID, Topic: c.Topic, From: c.Phase, To: c.Phase + 1,
			Priority: c.Priority, Reason: p.Ages.reason(c.Candidate, p.Now)})
	}
	text := "none of them is old enough to lose a phase"
	if len(late) > 0 {
		text = fmt.Sprintf("%s not opened for too long: %d to fade by one phase", memories(len(late)), count)
	}
	r.Reason = append(r.Reason, memory.Remark{Text: text})
}

// reason says how long a memory was not opened, and how long it may be.
func (a Ages) reason(c Candidate, now time.Time) string {
	text := "not opened for " + days(since(c.Used, now))
	if c.Faded.After(c.Used) {
		text += ", last faded " + days(since(c.Faded, now)) + " ago"
	}
	return fmt.Sprintf("%s; %s memories lose a phase every %s", text, cmp.Or(c.Importance, memory.Normal),
		days(time.Duration(a.of(c.Importance))*day))
}
