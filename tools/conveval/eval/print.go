package eval

import (
	"fmt"
	"io"
	"strings"
)

// Print writes the means as a table.
func (r Report) Print(w io.Writer, title string, categories []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d memories, %d turns\n", title, r.Memories, r.Turns)
	fmt.Fprintf(&b, "  %-26s %5s %6s %6s %6s", "category", "n", "R@5", "R@10", "MRR")
	for _, budget := range Budgets() {
		fmt.Fprintf(&b, " | %4d: %6s %6s %6s", budget, "recall", "any", "all")
	}
	b.WriteByte('\n')
	for _, c := range categories {
		r.By[c].print(&b, c)
	}
	r.Answered.print(&b, "with an answer")
	fmt.Fprintf(&b, "  questions that get a context, by threshold:\n  %-26s", "")
	for _, t := range Thresholds() {
		fmt.Fprintf(&b, " %6.2f", t)
	}
	b.WriteByte('\n')
	for _, c := range categories {
		if r.By[c].Composed[Budgets()[0]].Tokens == 0 { // without an answer
			r.By[c].contexts(&b, c)
		}
	}
	r.Answered.contexts(&b, "with an answer")
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Figures) print(b *strings.Builder, name string) {
	n := float64(f.N)
	if f.N == 0 || f.Composed[Budgets()[0]].Tokens == 0 && f.MRR == 0 {
		return
	}
	fmt.Fprintf(b, "  %-26s %5d %6.3f %6.3f %6.3f", name, f.N, f.R5/n, f.R10/n, f.MRR/n)
	for _, budget := range Budgets() {
		c := f.Composed[budget]
		fmt.Fprintf(b, " | %5s %6.3f %6.3f %6.3f", "", c.Recall/n, c.Any/n, c.All/n)
	}
	b.WriteByte('\n')
}

func (f *Figures) contexts(b *strings.Builder, name string) {
	if f.N == 0 {
		return
	}
	fmt.Fprintf(b, "  %-26s", name)
	for _, t := range Thresholds() {
		fmt.Fprintf(b, " %6.3f", float64(f.Context[t])/float64(f.N))
	}
	b.WriteByte('\n')
}
