package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ltm/memory"
)

func (a *app) recallCommand() *cobra.Command {
	var q memory.Query
	c := &cobra.Command{
		Use:   "recall QUESTION...",
		Short: "Find the memories that answer a question",
		Args:  args(cobra.MinimumNArgs(1)),
	}
	c.Flags().IntVar(&q.Limit, "limit", 10, "most hits to show, 1 to 1000")
	c.Flags().StringVar(&q.Tag, "tag", "", "only memories with this tag")
	c.Flags().Float64Var(&q.MinScore, "min-score", 0, "leave out weaker hits, 0 to 1")
	c.Flags().BoolVar(&q.Explain, "explain", false, "show where each score comes from")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		q.Text = strings.Join(given, " ")
		if err := checkRange("--limit", q.Limit, 1, 1000); err != nil {
			return err
		}
		if q.MinScore < 0 || q.MinScore > 1 {
			return memory.Errorf(memory.CodeInvalid, "--min-score takes a number from 0 to 1", "%v is not a score", q.MinScore)
		}
		r, err := a.engine(lockWait).Recall(c.Context(), q)
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(r)
		}
		return a.printHits(r)
	}
	return c
}

func (a *app) printHits(r memory.Recall) error {
	if len(r.Memories) == 0 {
		fmt.Fprintln(a.stderr, "nothing found; ltm archives searches what was evicted or forgotten")
		return nil
	}
	if !isTerminal(a.stdout) {
		for _, h := range r.Memories {
			if err := a.println(strings.Join([]string{string(h.ID), score(h.Score), cell(h.Topic), cell(h.Summary)}, "\t")); err != nil {
				return err
			}
			a.printExplanation(h)
		}
		return nil
	}
	for _, h := range r.Memories {
		if err := a.println(fmt.Sprintf("%s  %s  %s", h.ID, score(h.Score), cell(h.Topic)), "    "+cell(h.Summary)); err != nil {
			return err
		}
		a.printExplanation(h)
	}
	if r.Total > len(r.Memories) {
		return a.println(fmt.Sprintf("%d of %d", len(r.Memories), r.Total))
	}
	return nil
}

func (a *app) printExplanation(h memory.Hit) {
	if h.Explanation != "" {
		fmt.Fprintln(a.stdout, "    "+strings.ReplaceAll(h.Explanation, "\n", "\n    "))
	}
}

// checkRange refuses a number outside of its bounds.
func checkRange(flag string, v, least, most int) error {
	if v < least || v > most {
		return memory.Errorf(memory.CodeInvalid, fmt.Sprintf("%s takes a whole number from %d to %d", flag, least, most), "%d is out of range", v)
	}
	return nil
}
