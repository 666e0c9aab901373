package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory"
)

func (a *app) checkCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "check",
		Short: "Compare the parts of the store; exits with 1 when they disagree",
		Args:  args(cobra.NoArgs),
	}
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		done := a.progress("comparing the parts of the store")
		r, err := a.engine(lockWait).Check(c.Context())
		done()
		if err != nil {
			return err
		}
		if *asJSON {
			err = a.printJSON(r)
		} else {
			err = a.printCheck(r)
		}
		if err == nil && !r.OK {
			err = errQuiet
		}
		return err
	}
	return c
}

func (a *app) printCheck(r memory.CheckReport) error {
	var rows [][]string
	for _, p := range r.UnreadableFiles {
		rows = append(rows, []string{"unreadable", cell(p.File), cell(p.Reason)})
	}
	for _, f := range r.Conflicts {
		rows = append(rows, []string{"unsettled merge", f, "our side is served until somebody settles it"})
	}
	for _, f := range r.OrphanedFiles {
		rows = append(rows, []string{"not in the index", f, ""})
	}
	for _, id := range r.StaleEntries {
		rows = append(rows, []string{"stale in the index", string(id), ""})
	}
	for _, id := range r.MissingFiles {
		rows = append(rows, []string{"without a file", string(id), ""})
	}
	for _, id := range r.OrphanedStats {
		rows = append(rows, []string{"stats without a file", string(id), ""})
	}
	for _, f := range r.OrphanedArchives {
		rows = append(rows, []string{"archive out of index", cell(f), ""})
	}
	if err := a.table([]string{"PROBLEM", "WHERE", "REASON"}, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.stdout, clean(r.Summary))
	return err
}
