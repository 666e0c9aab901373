package main

import (
	"github.com/spf13/cobra"

	"ltm/memory"
)

func (a *app) archivesPruneCommand() *cobra.Command {
	var older string
	var dryRun, yes bool
	c := &cobra.Command{
		Use:   "prune --older-than AGE",
		Short: "Remove old archives for good",
		Long: `Remove archives that are older than AGE: 180d, 26w or 72h.

An archive is the last copy of a memory in the store; git history still has those that were committed. Kept in
any case: archives of memories that are active and reduced, for they hold the full text, and critical ones. The
age of an archive without a stub that says when is that of its file in this clone.`,
		Args: args(cobra.NoArgs),
	}
	c.Flags().StringVar(&older, "older-than", "", "how old an archive must be: 180d, 26w or 72h")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only show what would be done, and why")
	c.Flags().BoolVar(&yes, "yes", false, "remove without asking; needed unless --dry-run is given")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if older == "" {
			return memory.Errorf(memory.CodeInvalid, "say how old archives must be, as in --older-than 180d; nothing was changed", "--older-than is missing")
		}
		age, err := memory.ParseAge(older)
		if err != nil {
			return err
		}
		if !dryRun && !yes {
			return memory.Errorf(memory.CodeInvalid, "--dry-run shows what would go, and --yes does it; nothing was changed", "archives are the last copy")
		}
		done := a.progress("looking at the archives")
		r, err := a.engine(lockWait).PruneArchives(c.Context(), memory.PruneOptions{OlderThan: age, DryRun: dryRun})
		done()
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(r)
		}
		return a.printPrune(r)
	}
	return c
}

func (a *app) printPrune(r memory.PruneReport) error {
	rows := make([][]string, 0, len(r.Steps))
	for _, s := range r.Steps {
		rows = append(rows, []string{string(s.ID), s.Action, cell(s.Topic), cell(s.Reason)})
	}
	if err := a.table([]string{"ID", "WHAT", "TOPIC", "REASON"}, rows); err != nil {
		return err
	}
	return a.println(r.Summary)
}
