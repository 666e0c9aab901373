package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MostDays is how many days a clone's counts by day go back, at most.
const MostDays = 120

// Day is what happened in this clone on a day that had any of it.
type Day struct {
	Date     string // such as 2026-03-01, in the zone of the machine then
	Sessions int    // that began
	Prompts  int    // that got memories
}

// The counts are one string in state.json, "DATE SESSIONS PROMPTS" for each day, between commas, the oldest day first:
// every tool call reads that file and writes it, and what it does not need should cost it nothing.
const (
	betweenDays   = ","
	betweenCounts = " "
)

// maxCount keeps a count from a file that was edited within what can be added up.
const maxCount = 1_000_000

// CountSession counts a session that begins, on the day of now in its own zone.
func (s *State) CountSession(now time.Time) { s.count(now, func(d *Day) { d.Sessions++ }) }

// CountPrompt counts a prompt that got memories, on the day of now in its own zone.
func (s *State) CountPrompt(now time.Time) { s.count(now, func(d *Day) { d.Prompts++ }) }

func (s *State) count(now time.Time, add func(*Day)) {
	days, today := s.ByDay(), now.Format(time.DateOnly)
	i, found := slices.BinarySearchFunc(days, today, func(d Day, date string) int {
		return strings.Compare(d.Date, date)
	})
	if !found {
		days = slices.Insert(days, i, Day{Date: today})
	}
	add(&days[i])
	days = days[max(0, len(days)-MostDays):]
	packed := make([]string, len(days))
	for i, d := range days {
		packed[i] = fmt.Sprint(d.Date, betweenCounts, d.Sessions, betweenCounts, d.Prompts)
	}
	s.Days = strings.Join(packed, betweenDays)
}

// ByDay returns what was counted, the oldest day first. It skips what is malformed.
func (s *State) ByDay() []Day {
	var days []Day
	for packed := range strings.SplitSeq(s.Days, betweenDays) {
		if d, ok := parseDay(packed); ok {
			days = append(days, d)
		}
	}
	byDate := func(a, b Day) int { return strings.Compare(a.Date, b.Date) }
	slices.SortStableFunc(days, byDate)
	return slices.CompactFunc(days, func(a, b Day) bool { return a.Date == b.Date })
}

func parseDay(packed string) (d Day, ok bool) {
	date, counts, _ := strings.Cut(packed, betweenCounts)
	sessions, prompts, _ := strings.Cut(counts, betweenCounts)
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return d, false
	}
	d.Date = date
	for _, c := range []struct {
		text string
		to   *int
	}{{sessions, &d.Sessions}, {prompts, &d.Prompts}} {
		n, err := strconv.Atoi(c.text)
		if err != nil || n < 0 || n > maxCount {
			return d, false
		}
		*c.to = n
	}
	return d, true
}
