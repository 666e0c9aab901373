package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

func (a *app) whyCommand() *cobra.Command {
	c := &cobra.Command{Use: "why ID", Args: arguments(1, anID)}
	c.RunE = func(c *cobra.Command, given []string) error {
		_, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		why, err := a.shelves(lockWait).Why(c.Context(), id, a.scope)
		return answer(a, why, err, a.printWhy)
	}
	return c
}

func (a *app) printWhy(w api.Why) error {
	head := fmt.Sprintf("%s %s", w.ID, markedTopic(w.Topic, w.Foreign))
	if w.Scope != "" {
		head += " (" + string(w.Scope) + ")"
	}
	lines := []string{head, "", "priority    " + score(w.Priority)}
	lines = append(lines, termLines(w.PriorityTerms)...)
	lines = append(lines, "difficulty  "+score(w.Difficulty))
	lines = append(lines, termLines(w.DifficultyTerms)...)
	lines = append(lines, "")
	for _, note := range w.Notes {
		lines = append(lines, clean(note))
	}
	return a.println(lines...)
}

// termLines shows the arithmetic of a score, one term per line: what is left for the term to take a
// share of, if that is how it counts, its weight and its value.
func termLines(terms []api.Term) []string {
	lines := make([]string, 0, len(terms))
	for _, t := range terms {
		rest := ""
		if t.Rest != 0 {
			rest = fmt.Sprintf("%.2f × ", t.Rest)
		}
		lines = append(lines, fmt.Sprintf("  %+.2f = %s%.2f × %.2f %s", t.Points, rest, t.Weight, t.Value, t.Name))
	}
	return lines
}
