package page

import (
	"slices"
	"strings"
	"time"

	"ltm/memory/api"
)

// dayRange is the days of a chart, in a zone.
type dayRange struct {
	zone  *time.Location
	first time.Time // a day, as dayIn returns it
	days  int
}

const (
	// leastDays and mostDays bound the columns, each dayWidth wide in a picture that is dayHeight high.
	leastDays = 30
	mostDays  = 120
	dayWidth  = 10
	dayHeight = 100
)

// newDays returns the days of a zone from a time to a day, or the last of them.
func newDays(zone *time.Location, from, last time.Time) dayRange {
	s := dayRange{zone: zone}
	s.days = max(leastDays, min(int(last.Sub(s.day(from))/dayLength)+1, mostDays))
	s.first = last.AddDate(0, 0, 1-s.days)
	return s
}

// day returns the day of a time.
func (s dayRange) day(at time.Time) time.Time {
	if isDay(at) {
		return at.UTC()
	}
	return dayIn(s.zone, at)
}

// of returns the place of a time's day: less than 0 is before the first.
func (s dayRange) of(at time.Time) int {
	at = s.day(at)
	if at.Before(s.first) {
		return -1
	}
	return int(at.Sub(s.first) / dayLength)
}

func (s dayRange) chart(id, title string, kinds ...string) chart {
	c := chart{ID: id, Title: title, Kinds: kinds, Width: s.days * dayWidth, First: s.first,
		Last: s.first.AddDate(0, 0, s.days-1), Columns: make([]column, s.days)}
	for i := range c.Columns {
		c.Columns[i] = column{Day: s.first.AddDate(0, 0, i), X: i * dayWidth, Counts: make([]int, len(kinds))}
	}
	return c
}

// chart is a picture with a column for each day.
type chart struct {
	ID, Title   string
	Kinds       []string // of the bars, from the bottom
	Columns     []column
	Width       int // of the picture, in its own units
	Most        int // of the highest column
	Top         int // the value at the top of the picture, an even one
	First, Last time.Time
}

// column is one day of a chart.
type column struct {
	Day    time.Time
	X      int
	Bars   []dayBar
	Counts []int // by kind
	Total  int
	Says   string
}

// dayBar is a part of a column.
type dayBar struct{ Kind, Y, Height int }

// add counts something of a day, if the chart has it.
func (c *chart) add(day, kind, n int) {
	if day >= 0 && day < len(c.Columns) {
		c.Columns[day].Counts[kind] += n
	}
}

// grow counts a memory on each day from the one on which it was stored: it is in sight until it is archived. One that
// has no date was always there.
func (c *chart) grow(days dayRange, m api.Entry) {
	stored, archived := 0, len(c.Columns)
	if !m.CreatedAt.IsZero() {
		stored = max(0, days.of(m.CreatedAt.Time))
	}
	if m.Archived {
		archived = stored
		if m.ArchivedAt != nil {
			archived = max(stored, days.of(*m.ArchivedAt))
		}
	}
	for i := stored; i < len(c.Columns); i++ {
		kind := 0
		if i >= archived {
			kind = 1
		}
		c.Columns[i].Counts[kind]++
	}
}

// Dates are the days that the axis names.
func (c chart) Dates() (dates []time.Time) {
	for i := range 5 {
		dates = append(dates, c.First.AddDate(0, 0, (len(c.Columns)-1)*i/4))
	}
	return dates
}

// Half is the value in the middle of the picture.
func (c chart) Half() int { return c.Top / 2 }

// topOf returns the least number that is as high as another one, is easy to read and has a half.
func topOf(n int) int {
	for unit := 1; ; unit *= 10 {
		for _, m := range []int{2, 4, 6, 10} {
			if n <= m*unit {
				return m * unit
			}
		}
	}
}

// stack makes the columns of the counts.
func (c *chart) stack() {
	for i := range c.Columns {
		col := &c.Columns[i]
		for _, n := range col.Counts {
			col.Total += n
		}
		c.Most = max(c.Most, col.Total)
	}
	c.Top = topOf(c.Most)
	for i := range c.Columns {
		col, below := &c.Columns[i], 0
		for kind, n := range col.Counts {
			if n == 0 {
				continue
			}
			top := dayHeight - (below+n)*dayHeight/c.Top
			bottom := dayHeight - below*dayHeight/c.Top
			// Any value above zero is visible.
			if top = min(top, bottom-1); top >= 0 {
				col.Bars = append(col.Bars, dayBar{kind, top, bottom - top})
			}
			below += n
		}
		col.Says = col.Day.Format(time.DateOnly) + ": " + inWords(col.Counts, c.Kinds)
	}
}

// inWords says how many there are of each kind of which there are any.
func inWords(counts []int, kinds []string) string {
	var said []string
	for kind, n := range counts {
		if n > 0 {
			said = append(said, number(n)+" "+kinds[kind])
		}
	}
	return strings.Join(said, ", ")
}

// dayTable has what charts show in words.
type dayTable struct {
	Charts []chart
	Rows   []dayRow
}

type dayRow struct {
	Day    time.Time
	Counts []int
}

// tableOf returns the days on which something happened, the newest first.
func tableOf(charts []chart) dayTable {
	t := dayTable{Charts: charts}
	for i, col := range charts[0].Columns {
		row, happened := dayRow{Day: col.Day}, false
		for _, c := range charts {
			row.Counts = append(row.Counts, c.Columns[i].Counts...)
			changed := c.Columns[i].Total > 0
			if c.ID == growthChart {
				changed = i > 0 && !slices.Equal(c.Columns[i].Counts, c.Columns[i-1].Counts)
			}
			happened = happened || changed
		}
		if happened {
			t.Rows = append(t.Rows, row)
		}
	}
	slices.Reverse(t.Rows)
	return t
}

// growthChart is the chart of what there is, and not of what happened.
const growthChart = "growth"
