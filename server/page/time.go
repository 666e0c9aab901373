package page

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"ltm/memory"
	"ltm/memory/api"
)

// timePage is what happened, by day.
type timePage struct {
	shelf
	Table   dayTable
	Events  []happening
	Opened  []api.Entry // most often
	Never   []api.Entry
	Asleep  int // memories that were never opened
	Status  api.Status
	Zone    string // in which days begin
	Machine string // in which sessions and prompts are counted; empty: in the same
	Nothing bool   // no day has anything
}

// Commit is a commit of the store, and how many memories it added, changed and removed.
type Commit struct {
	Hash, Author, Subject string
	Time                  time.Time
	Counts                [3]int
}

func commitKinds() []string { return []string{"added", "changed", "removed"} }

// Says returns what the commit did.
func (c Commit) Says() string { return inWords(c.Counts[:], commitKinds()) }

// happening is an event, several of one step, or a commit.
type happening struct {
	Time   time.Time
	Events []memory.Event
	Commit *Commit
}

// Event is the first of the events.
func (h happening) Event() memory.Event { return h.Events[0] }

// happenings returns what happened last, the newest first. Evictions, approvals and imports that follow each other in
// one session, within an hour, are one.
func happenings(events []memory.Event, commits []Commit) (all []happening) {
	many := []string{memory.ActionEvicted, memory.ActionApproved, memory.ActionImported}
	for _, e := range events {
		if n := len(all) - 1; n >= 0 && slices.Contains(many, e.Action) && all[n].Event().Action == e.Action &&
			all[n].Event().Session == e.Session && all[n].Time.Sub(e.Time) < time.Hour {
			all[n].Events = append(all[n].Events, e)
		} else if len(all) < lastEvents {
			all = append(all, happening{Time: e.Time, Events: []memory.Event{e}})
		} else {
			break
		}
	}
	for i := range commits[:min(lastEvents, len(commits))] {
		all = append(all, happening{Time: commits[i].Time, Commit: &commits[i]})
	}
	slices.SortStableFunc(all, func(a, b happening) int { return b.Time.Compare(a.Time) })
	return all[:min(lastEvents, len(all))]
}

const (
	// mostEvents is how many events of the log are counted.
	mostEvents = 5000
	// lastEvents is how many of them are listed.
	lastEvents = 40
	// mostOpened is how many memories each list has.
	mostOpened = 10
)

func timeView() view { return view{path: "/time", nav: "Time", page: "time", load: loadTime} }

func loadTime(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	p := timePage{shelf: which}
	log, err := k.History(ctx, "", mostEvents)
	if err != nil {
		return "", nil, err
	}
	now := s.options.Now()
	commits := s.options.Commits(ctx, which.Scope, now.AddDate(0, 0, -mostDays))
	p.Events = happenings(log.Events, commits)
	if p.Status, err = k.Status(ctx); err != nil {
		return "", nil, err
	}
	days, err := k.Days(ctx)
	if err != nil {
		return "", nil, err
	}
	all, err := s.options.Memories.List(ctx, api.ListFilter{Scope: which.Scope, Include: api.IncludeAll, AnyAgent: true,
		Limit: mostSelected})
	if err != nil {
		return "", nil, err
	}
	zone := s.zoneOf(r)
	p.Zone = nameOf(zone, now)
	if here := offsetOf(now.In(s.zone())); which.Scope == api.ScopeProject && here != offsetOf(now.In(zone)) {
		p.Machine = here
	}
	p.draw(daysOf(zone, now, log.Events, commits, days, all.Memories), log.Events, commits, days, all.Memories)
	p.use(all.Memories)
	return "Time", p, nil
}

// changeKinds names the bars of the changes of a day, from the bottom.
func changeKinds() []string { return []string{"stored", "changed", "faded or forgotten", "others"} }

// kindOf returns which bar an action is part of.
func kindOf(action string) int {
	switch action {
	case memory.ActionStored, memory.ActionImported:
		return 0
	case memory.ActionUpdated, memory.ActionRestored, memory.ActionUndone, memory.ActionRedone,
		memory.ActionRepaired, memory.ActionSigned:
		return 1
	case memory.ActionEvicted, memory.ActionForgotten, memory.ActionSuperseded, memory.ActionPruned,
		memory.ActionErased:
		return 2
	}
	return 3
}

// draw counts by day, in charts with the same days.
func (p *timePage) draw(days dayRange, events []memory.Event, commits []Commit, counted []api.DayCount,
	all []api.Entry) {
	changes := days.chart("changes", "Changes", changeKinds()...)
	growth := days.chart(growthChart, "Memories", "in sight", "out of sight, forgotten or superseded")
	for _, e := range events {
		changes.add(days.of(e.Time), kindOf(e.Action), 1)
	}
	for _, m := range all {
		growth.grow(days, m)
	}
	committed := days.chart("commits", "Memories in commits", commitKinds()...)
	for _, c := range commits {
		for kind, n := range c.Counts {
			committed.add(days.of(c.Time), kind, n)
		}
	}
	charts := []chart{changes, committed, growth}
	if p.Scope == api.ScopeProject {
		prompts := days.chart("prompts", "Prompts that got memories", "prompts")
		sessions := days.chart("sessions", "Sessions", "sessions")
		for _, d := range counted {
			if at, err := time.Parse(time.DateOnly, d.Day); err == nil {
				prompts.add(days.of(at), 0, d.Prompts)
				sessions.add(days.of(at), 0, d.Sessions)
			}
		}
		charts = append(charts, prompts, sessions)
	}
	p.Nothing = true
	for i := range charts {
		charts[i].stack()
		p.Nothing = p.Nothing && charts[i].Most == 0
	}
	p.Table = tableOf(charts)
}

// daysOf returns the days of a zone on which any of these was. What is counted by day already is so by the days of the
// machine, which may be a day ahead of a reader elsewhere.
func daysOf(zone *time.Location, now time.Time, events []memory.Event, commits []Commit, counted []api.DayCount,
	all []api.Entry) dayRange {
	today := dayIn(zone, now)
	first, last, tomorrow := now, today, today.AddDate(0, 0, 1)
	for _, e := range events {
		first = earlier(first, e.Time)
	}
	for _, c := range commits {
		first = earlier(first, c.Time)
	}
	for _, d := range counted {
		at, err := time.Parse(time.DateOnly, d.Day)
		if err != nil {
			continue
		}
		first = earlier(first, at)
		if at.Equal(tomorrow) {
			last = tomorrow
		}
	}
	for _, m := range all {
		first = earlier(first, m.CreatedAt.Time)
	}
	return newDays(zone, first, last)
}

// earlier returns the earlier of two times; one that is unknown is not.
func earlier(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}

// use finds the memories that were opened most often, and those that never were.
func (p *timePage) use(all []api.Entry) {
	all = slices.DeleteFunc(all, func(m api.Entry) bool { return m.Archived })
	for _, m := range all {
		if m.AccessCount == 0 {
			p.Asleep++
			if len(p.Never) < mostOpened {
				p.Never = append(p.Never, m)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b api.Entry) int { return cmp.Compare(b.AccessCount, a.AccessCount) })
	for _, m := range all[:min(mostOpened, len(all))] {
		if m.AccessCount > 0 {
			p.Opened = append(p.Opened, m)
		}
	}
}
