package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) archivesPruneCommand() *cobra.Command {
	var older string
	var dryRun, yes bool
	c := &cobra.Command{Use: "prune --older-than AGE | ID..."}
	c.Flags().StringVar(&older, "older-than", "", "remove archives older than `AGE`: 180d, 26w or 72h")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done and why, but do not do it")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask; required without a terminal")
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := wholeIDs(given); err != nil {
			return err
		}
		o, err := pruneOptions(older, given)
		if err != nil {
			return err
		}
		o.DryRun = dryRun
		if !dryRun && !yes {
			if err := a.confirmPrune(c.Context(), o); err != nil {
				return err
			}
		}
		done := a.progress("reading the archives")
		r, err := a.engine(lockWait).PruneArchives(c.Context(), o)
		done()
		return answer(a, r, err, a.printPrune)
	}
	return c
}

// pruneOptions returns which archives are meant.
func pruneOptions(older string, ids []string) (api.PruneOptions, error) {
	switch {
	case older == "" && len(ids) == 0:
		return api.PruneOptions{}, invalid("say how old archives must be, as in --older-than 180d, or give ids",
			"--older-than is missing")
	case older != "" && len(ids) > 0:
		return api.PruneOptions{}, invalid("give one of them", "--older-than and ids are two ways to choose archives")
	case older == "":
		return api.PruneOptions{IDs: ids}, nil
	}
	age, err := api.ParseAge(older)
	return api.PruneOptions{OlderThan: age}, err
}

// confirmPrune shows what would be removed and asks. Without a terminal it refuses.
func (a *app) confirmPrune(ctx context.Context, o api.PruneOptions) error {
	refused := invalid("--dry-run shows what would go, and --yes does it", "archives are the last copy")
	if !a.asks() {
		return refused
	}
	o.DryRun = true
	plan, err := a.engine(lockWait).PruneArchives(ctx, o)
	if err != nil || plan.Removed == 0 {
		return err
	}
	for _, s := range plan.Steps {
		if s.Action == memory.PruneRemove {
			fmt.Fprintf(a.stderr, "%s %s: %s\n", s.ID, markedTopic(s.Topic, s.Foreign), cell(s.Reason))
		}
	}
	if !a.confirm(fmt.Sprintf("Permanently remove %d of %d archives? Git history keeps what was committed.",
		plan.Removed, plan.Archives)) {
		return refused
	}
	return nil
}

func (a *app) printPrune(r api.PruneReport) error {
	return a.table("ID|ACTION|TOPIC|REASON", rowsOf(r.Steps, func(s memory.PruneStep) []string {
		return a.markedRow([]string{string(s.ID), s.Action, cell(s.Topic), cell(s.Reason)}, 2, s.Foreign)
	}), r.Summary)
}
