package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ltm/api"
	"ltm/internal/terminal"
	"ltm/memory"
)

func (a *app) archivesPruneCommand() *cobra.Command {
	var older string
	var dryRun, yes bool
	c := &cobra.Command{
		Use:   "prune --older-than AGE | ID...",
		Short: "Remove archives for good: old ones, or those of these memories",
		Long: `Remove archives that are older than AGE (180d, 26w or 72h), or those of the memories that are named. It asks first;
without a terminal it needs --yes.

An archive is the last copy of a memory in the store; git's history still has those that were committed, and so has
every clone. Kept in any case: archives of memories that are active and reduced, for they hold the full text, and,
unless they are named, critical ones. The age of an archive without a stub that says when is that of its file in this
clone.`,
	}
	c.Flags().StringVar(&older, "older-than", "", "how old an archive must be: 180d, 26w or 72h")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only show what would be done, and why")
	c.Flags().BoolVar(&yes, "yes", false, "remove without asking; needed without a terminal")
	asJSON := jsonFlag(c)
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
		done := a.progress("looking at the archives")
		r, err := a.engine(lockWait).PruneArchives(c.Context(), o)
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

// pruneOptions says which archives are meant.
func pruneOptions(older string, ids []string) (api.PruneOptions, error) {
	switch {
	case older == "" && len(ids) == 0:
		return api.PruneOptions{}, memory.Errorf(memory.CodeInvalid, "say how old archives must be, as in --older-than 180d, or give ids; nothing was changed", "--older-than is missing")
	case older != "" && len(ids) > 0:
		return api.PruneOptions{}, memory.Errorf(memory.CodeInvalid, "give one of them; nothing was changed", "--older-than and ids are two ways to choose archives")
	case older == "":
		return api.PruneOptions{IDs: ids}, nil
	}
	age, err := api.ParseAge(older)
	return api.PruneOptions{OlderThan: age}, err
}

// confirmPrune shows what would be removed, and asks. Without a terminal it refuses.
func (a *app) confirmPrune(ctx context.Context, o api.PruneOptions) error {
	refused := memory.Errorf(memory.CodeInvalid, "--dry-run shows what would go, and --yes does it; nothing was changed", "archives are the last copy")
	if !terminal.Is(a.stdin) || !terminal.Is(a.stderr) {
		return refused
	}
	o.DryRun = true
	plan, err := a.engine(lockWait).PruneArchives(ctx, o)
	if err != nil || plan.Removed == 0 {
		return err
	}
	for _, s := range plan.Steps {
		if s.Action == memory.PruneRemove {
			fmt.Fprintf(a.stderr, "%s %s: %s\n", s.ID, cell(s.Topic), cell(s.Reason))
		}
	}
	if !a.confirm(fmt.Sprintf("Remove %d of %d archives for good? Git's history keeps what was committed.", plan.Removed, plan.Archives)) {
		return refused
	}
	return nil
}

func (a *app) printPrune(r api.PruneReport) error {
	rows := make([][]string, 0, len(r.Steps))
	for _, s := range r.Steps {
		rows = append(rows, []string{string(s.ID), s.Action, cell(s.Topic), cell(s.Reason)})
	}
	if err := a.table([]string{"ID", "WHAT", "TOPIC", "REASON"}, rows); err != nil {
		return err
	}
	return a.println(r.Summary)
}
