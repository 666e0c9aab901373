package page

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

// functions are what templates call.
func (s *Site) functions() template.FuncMap {
	return template.FuncMap{
		"word":    explain(),
		"line":    safe.Line,
		"clip":    func(text string, most int) string { return safe.ClipLine(text, most) },
		"plain":   plain,
		"text":    safe.Text,
		"textOf":  func(text string) string { return safe.Text(clipBytes(text, mostShownText)) },
		"plural":  countOf,
		"number":  number,
		"join":    func(all []string) string { return strings.Join(all, ", ") },
		"score":   func(v float64) string { return fmt.Sprintf("%.2f", v) },
		"points":  func(v float64) string { return strings.Replace(fmt.Sprintf("%+.2f", v), "-", "−", 1) },
		"time":    func(v any) shownTime { return timeOf(s.zone(), v) },
		"note":    func(n memory.Note) string { return nextSteps().Say(n) },
		"bar":     barOf,
		"add":     func(a, b int) int { return a + b },
		"shortID": func(hash string) string { return hash[:min(10, len(hash))] },
		"phase":   phaseName,
		"facts":   factsOf,
		"state":   func(reason string) string { return memory.State(memory.Removed, true, reason) },
		"some":    someOf,
		"says":    sentence,
		"said":    func(root string, b doneBar) saidBar { return saidBar{root, b} },
	}
}

// shownFact is a fact about a memory, and what a style sheet calls it.
type shownFact struct{ Class, Text string }

// factsOf returns what a memory says of itself.
func factsOf(m api.Marks) []shownFact {
	var all []shownFact
	for _, f := range m.Facts() {
		shown := shownFact{f.Name, f.Name + " " + safe.ClipLine(f.Value, 40)}
		switch f.Name {
		case "importance":
			shown = shownFact{"importance-" + f.Value, f.Value}
		case "kind":
			shown.Text = f.Value
		case "confidence":
			shown = shownFact{"unsure", fmt.Sprintf("%.2f sure", *m.Confidence)}
		}
		all = append(all, shown)
	}
	return all
}

// number writes a whole number with its thousands apart.
func number(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// shownTime is a time in a page: for machines, and for readers whose browser runs no script.
type shownTime struct{ Machine, Text string }

// timeOf takes the ways in which answers have times. The script shows them in the reader's zone.
func timeOf(zone *time.Location, v any) shownTime {
	var at time.Time
	switch v := v.(type) {
	case time.Time:
		at = v
	case *time.Time:
		if v != nil {
			at = *v
		}
	case api.Time:
		at = v.Time
	}
	if at.IsZero() {
		return shownTime{}
	}
	return shownIn(zone, at)
}

// countOf writes a number with its noun.
func countOf(n int, one, many string) string {
	if n != 1 {
		one = many
	}
	return number(n) + " " + one
}

// sentence begins a text with a capital letter, unless that is a name, and ends it with a period.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return text
	}
	word, _, _ := strings.Cut(text, " ")
	if !strings.ContainsAny(word, "_./\"=0123456789") && word != "ltm" {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if !strings.ContainsAny(text[len(text)-1:], ".:!?") {
		text += "."
	}
	return text
}

// topics is the first of some memories, and how many more there are.
type topics struct {
	Root string
	Rows []nextRow
	More int
}

func someOf(root string, rows []nextRow) topics {
	n := min(len(rows), mostLeft)
	return topics{root, rows[:n], len(rows) - n}
}

// mostShownText is how much of a memory's text a row shows, in bytes.
const mostShownText = 1200

// saidBar is what a bar says, and the relative address of the start page, for its links.
type saidBar struct {
	Root string
	Bar  doneBar
}

func phaseName(p memory.Phase) string { return p.String() }

// bar is a score as a stacked bar: a part for each term.
type bar struct {
	Name  string
	Score float64
	Parts []barPart
	Terms []barTerm
}

// barPart is a part of a bar, in thousandths of its width.
type barPart struct {
	X, Width int
	Term     int // its number, from 0, which decides its color
	Title    string
}

// barTerm is a line of the arithmetic.
type barTerm struct {
	api.Term
	Number int
}

// barWidth is the width of the value 1.
const barWidth = 1000

// barOf returns the bar of a score. Terms that take something away have a line, but no part.
func barOf(name string, score float64, terms []api.Term) bar {
	b := bar{Name: name, Score: score}
	if len(terms) == 0 {
		b.Parts = []barPart{{Width: min(max(0, int(math.Round(score*barWidth))), barWidth), Title: name}}
	}
	at := 0
	for i, t := range terms {
		b.Terms = append(b.Terms, barTerm{t, i})
		width := min(int(math.Round(t.Points*barWidth)), barWidth-at)
		if width <= 0 {
			continue
		}
		b.Parts = append(b.Parts, barPart{X: at, Width: width, Term: i, Title: t.Name})
		at += width
	}
	return b
}
