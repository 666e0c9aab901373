package conversation

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// When returns the periods that the date words of an English question name, seen from a time: "yesterday", "last week",
// "on Monday", "in June", "2 months ago", "2026-06-05". The first is what the words say; the others are what they may
// also mean, such as the last seven days. None: there is no such word, or it is about the future. Days are
// those of UTC.
func When(question string, now time.Time) []Period {
	now = now.UTC()
	for _, word := range strings.Fields(question) {
		if day, err := time.Parse(time.DateOnly, strings.Trim(word, ".,;:!?()\"'")); err == nil {
			return []Period{days(day, 1)}
		}
	}
	ws := words(question)
	for i := range ws {
		before := ""
		if i > 0 {
			before = ws[i-1]
		}
		if slices.Contains([]string{"next", "every", "each", "coming"}, before) {
			continue
		}
		if found := periods(before, ws[i:], now); found != nil {
			return found
		}
	}
	return nil
}

// days returns n days from the one of a time on.
func days(of time.Time, n int) Period {
	from := time.Date(of.Year(), of.Month(), of.Day(), 0, 0, 0, 0, time.UTC)
	return Period{from, from.AddDate(0, 0, n)}
}

// periods returns the periods that words begin to name.
func periods(before string, ws []string, now time.Time) []Period {
	switch {
	case has(ws[:1], "today", "tonight"):
		return []Period{days(now, 1)}
	case begins(ws, "this morning", "this afternoon", "this evening"):
		return []Period{days(now, 1)}
	case begins(ws, "day before yesterday"):
		return []Period{days(now.AddDate(0, 0, -2), 1)}
	case begins(ws, "yesterday", "last night"):
		return []Period{days(now.AddDate(0, 0, -1), 1)}
	case begins(ws, "recently", "lately"):
		return []Period{back("week", 2, now)}
	case begins(ws, "last", "past", "this") && len(ws) > 1:
		return lasting(ws, now)
	}
	if n, ok := count(ws[0]); ok && len(ws) > 2 && ws[2] == "ago" {
		return ago(strings.TrimSuffix(ws[1], "s"), n, now)
	}
	if day := slices.Index(weekdays(), ws[0]); day >= 0 {
		since := (int(now.Weekday()) - day + 7) % 7
		if since == 0 { // today may be meant, but then one would say so
			return []Period{days(now.AddDate(0, 0, -7), 1), days(now, 1)}
		}
		return []Period{days(now.AddDate(0, 0, -since), 1)}
	}
	if month := slices.Index(months(), ws[0]); month >= 0 {
		return monthOf(before, ws, time.Month(month+1), now)
	}
	if year, err := strconv.Atoi(ws[0]); err == nil && year >= 1900 && year <= now.Year() &&
		slices.Contains([]string{"in", "of", "during", "since"}, before) {
		from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		return []Period{{from, from.AddDate(1, 0, 0)}}
	}
	return nil
}

func begins(ws []string, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool {
		_, ok := after(ws, p)
		return ok
	})
}

func weekdays() []string {
	return []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
}

func months() []string {
	return []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
		"november", "december"}
}

// count returns the number that a word is.
func count(word string) (int, bool) {
	if n, err := strconv.Atoi(word); err == nil && n > 0 && n < 1000 {
		return n, true
	}
	n := slices.Index([]string{"", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}, word)
	switch word {
	case "an", "one":
		n = 1
	case "couple", "few":
		n = 3
	}
	return n, n > 0
}

// back returns the last n units up to now and the end of the day.
func back(unit string, n int, now time.Time) Period {
	p := days(now, 1)
	p.From = later(p.From, unit, -n)
	return p
}

// later returns a time n units later; the zero time for what is no unit.
func later(at time.Time, unit string, n int) time.Time {
	switch unit {
	case "day":
		return at.AddDate(0, 0, n)
	case "week":
		return at.AddDate(0, 0, 7*n)
	case "month":
		return at.AddDate(0, n, 0)
	case "year":
		return at.AddDate(n, 0, 0)
	}
	return time.Time{}
}

// lasting returns what words name that begin with last, past or this.
func lasting(ws []string, now time.Time) []Period {
	unit := strings.TrimSuffix(ws[1], "s")
	if n, ok := count(unit); ok && len(ws) > 2 { // "the last 3 days"
		unit = strings.TrimSuffix(ws[2], "s")
		if p := back(unit, n, now); !p.From.IsZero() {
			return []Period{p}
		}
		return nil
	}
	today := days(now, 1).From
	var from time.Time
	switch unit {
	case "week":
		from = today.AddDate(0, 0, -(int(now.Weekday())+6)%7)
	case "month":
		from = today.AddDate(0, 0, 1-now.Day())
	case "year":
		from = time.Date(now.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	default:
		return nil // "last monday" is found at its day
	}
	if ws[0] == "this" {
		return []Period{{from, later(from, unit, 1)}}
	}
	return []Period{{later(from, unit, -1), from}, back(unit, 1, now)}
}

// ago returns the day, week, month or year n of them ago, as exactly as one remembers it.
func ago(unit string, n int, now time.Time) []Period {
	switch unit {
	case "day":
		return []Period{days(now.AddDate(0, 0, -n), 1)}
	case "week":
		return []Period{days(now.AddDate(0, 0, -7*n-3), 7)}
	case "month":
		return []Period{days(now.AddDate(0, -n, -15), 31)}
	case "year":
		return []Period{days(now.AddDate(-n, -6, 0), 365)}
	}
	return nil
}

// monthOf returns the latest month of a name, or a day of it, unless the word is a verb.
func monthOf(before string, ws []string, month time.Month, now time.Time) []Period {
	day, year, dated := 0, now.Year(), false
	if month > now.Month() {
		year--
	}
	for _, w := range append(slices.Clone(ws[1:min(len(ws), 3)]), before) {
		n, err := strconv.Atoi(strings.TrimRight(w, "stndrh"))
		switch {
		case err == nil && n >= 1 && n <= 31:
			day, dated = n, true
		case err == nil && n >= 1900 && n <= 9999:
			year, dated = n, true
		}
	}
	prepositions := []string{"in", "last", "of", "since", "during", "this", "early", "late", "until", "from", "on"}
	ambiguous := month == time.May || month == time.March
	if ambiguous && !dated && !slices.Contains(prepositions, before) {
		return nil
	}
	if day > 0 {
		return []Period{days(time.Date(year, month, day, 0, 0, 0, 0, time.UTC), 1)}
	}
	from := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return []Period{{from, from.AddDate(0, 1, 0)}}
}
