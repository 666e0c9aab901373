package main

import (
	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) evictCommand() *cobra.Command {
	var dryRun bool
	c := &cobra.Command{Use: "evict", Args: noArguments()}
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
	c := &cobra.Command{Use: "fade --write | --dry-run", Args: noArguments()}
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
