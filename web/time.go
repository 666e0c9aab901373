package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"ltm/api"
	"ltm/memory"
)

// timePage is what happened, by day.
type timePage struct {
	shelf
	Days   []dayRow // until the last with an event, the oldest first
	Width  int      // of the picture, in its own units
	Most   int      // events of the busiest day
	Kinds  []string // of the bars, from the bottom
	Events []memory.Event
	Opened []api.Entry // most often
	Never  []api.Entry
	Asleep int // memories that were never opened
	Status api.Status
}

// dayRow counts the events of a day.
type dayRow struct {
	Day    time.Time
	X      int
	Bars   []dayBar
	Counts []int // by kind, as in timePage.Kinds
	Total  int
}

// dayBar is a part of a day's column.
type dayBar struct{ Kind, Y, Height int }

const (
	// mostEvents is how many events of the log are counted.
	mostEvents = 5000
	// lastEvents is how many of them are listed.
	lastEvents = 40
	// leastDays and mostDays bound the columns, each dayWidth wide in a picture that is dayHeight high.
	leastDays = 30
	mostDays  = 120
	dayWidth  = 10
	dayHeight = 100
	// mostOpened is how many memories each list has.
	mostOpened = 10
)

func timeView() view { return view{path: "/time", nav: "Time", page: "time", load: loadTime} }

func loadTime(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	p := timePage{shelf: which, Kinds: []string{"stored", "changed", "faded or set aside", "others"}}
	log, err := k.History(ctx, mostEvents)
	if err != nil {
		return "", nil, err
	}
	p.count(log.Events)
	p.Events = log.Events[:min(lastEvents, len(log.Events))]
	if p.Status, err = k.Status(ctx); err != nil {
		return "", nil, err
	}
	all, err := s.options.Memories.List(ctx, api.ListFilter{Scope: which.Scope, Limit: mostEvents})
	if err != nil {
		return "", nil, err
	}
	p.use(all.Memories)
	return "Time", p, nil
}

// kindOf returns which bar an action is part of.
func kindOf(action string) int {
	switch action {
	case memory.ActionStored, memory.ActionImported:
		return 0
	case memory.ActionUpdated, memory.ActionRestored, memory.ActionUndone, memory.ActionRepaired, memory.ActionSigned:
		return 1
	case memory.ActionEvicted, memory.ActionForgotten, memory.ActionSuperseded, memory.ActionPruned,
		memory.ActionErased:
		return 2
	}
	return 3
}

// count fills the columns with the events of the last days, which come newest first.
func (p *timePage) count(events []memory.Event) {
	if len(events) == 0 {
		return
	}
	last := day(events[0].Time)
	first := last
	for _, e := range events {
		if d := day(e.Time); d.Before(first) {
			first = d
		}
	}
	if newest := last.AddDate(0, 0, 1-leastDays); first.After(newest) {
		first = newest
	}
	if oldest := last.AddDate(0, 0, 1-mostDays); first.Before(oldest) {
		first = oldest
	}
	for d := first; !d.After(last); d = d.AddDate(0, 0, 1) {
		p.Days = append(p.Days, dayRow{Day: d, X: len(p.Days) * dayWidth, Counts: make([]int, len(p.Kinds))})
	}
	for _, e := range events {
		i := int(day(e.Time).Sub(first) / (24 * time.Hour))
		if i < 0 || i >= len(p.Days) {
			continue
		}
		p.Days[i].Counts[kindOf(e.Action)]++
		p.Days[i].Total++
		p.Most = max(p.Most, p.Days[i].Total)
	}
	p.Width = len(p.Days) * dayWidth
	for i := range p.Days {
		p.Days[i].stack(p.Most)
	}
}

// stack makes a column of a day's counts, as high as the picture where there are most.
func (d *dayRow) stack(most int) {
	below := 0
	for kind, n := range d.Counts {
		top := dayHeight - (below+n)*dayHeight/most
		bottom := dayHeight - below*dayHeight/most
		if n > 0 {
			d.Bars = append(d.Bars, dayBar{kind, top, bottom - top})
		}
		below += n
	}
}

func day(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// use finds the memories that were opened most often, and those that never were.
func (p *timePage) use(all []api.Entry) {
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
