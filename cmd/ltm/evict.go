package main

import (
	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) evictCommand() *cobra.Command {
	var dryRun bool
	c := &cobra.Command{
		Use:   "evict",
		Short: "Fade the memories of lowest priority if there are too many",
		Long: `Fade the memories of lowest priority by one phase if there are more than max_memories and, with
the setting decay, those that were not opened for long. The phases are whole, hint, abstract and out of
sight. Memories fade in this clone's view, and their files keep the full text; with the team setting
"fading files", they fade in the files. "ltm restore" brings one back in full.`,
		Args: noArguments(),
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done and why, but do not do it")
	c.RunE = func(c *cobra.Command, _ []string) error {
		done := a.progress("reading the memories")
		r, err := a.engine(lockWait).Evict(c.Context(), api.EvictOptions{DryRun: dryRun})
		done()
		return answer(a, r, err, a.printEviction)
	}
	return c
}

func (a *app) printEviction(r api.EvictionReport) error {
	rows := rowsOf(r.Steps, func(s memory.EvictionStep) []string {
		return a.markedRow([]string{string(s.ID), s.From.String() + " → " + s.To.String(), score(s.Priority),
			cell(s.Topic), s.Reason}, 3, s.Foreign)
	})
	return a.table("ID|PHASE|PRIORITY|TOPIC|REASON", rows, clean(say(r.Reason)))
}

func (a *app) fadeCommand() *cobra.Command {
	var write, dryRun bool
	c := &cobra.Command{
		Use:   "fade --write | --dry-run",
		Short: "Write the phases of this clone's memories to their files",
		Long: `Memories fade in the view of each clone, and their files keep the full text. This command writes the
phases of this clone's view to the files once, as a change to review and commit. The full texts go
to the archives first.`,
		Args: noArguments(),
	}
	c.Flags().BoolVar(&write, "write", false, "write to the files")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done, but do not do it")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if write == dryRun {
			return invalid("--dry-run shows what would change, and --write does it",
				"give one of --write and --dry-run")
		}
		r, err := a.engine(lockWait).WriteFading(c.Context(), api.EvictOptions{DryRun: dryRun})
		return answer(a, r, err, a.printEviction)
	}
	return c
}
