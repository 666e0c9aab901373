package page

import (
	"math"

	"ltm/memory/api"
)

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
