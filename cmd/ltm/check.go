package main

import (
	"context"
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
	withSecrets := c.Flags().Bool("secrets", false, "also look for credentials in every memory and archive")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *withSecrets {
			return a.checkSecrets(c.Context(), *asJSON)
		}
		done := a.progress("comparing the parts of the store")
		r, err := a.engine(lockWait).Check(c.Context())
		done()
		if err != nil {
			return err
		}
		return a.answerCheck(*asJSON, r, r.OK, r.Summary, checkRows(r))
	}
	return c
}

func (a *app) checkSecrets(ctx context.Context, asJSON bool) error {
	done := a.progress("looking for credentials in the store")
	r, err := a.engine(lockWait).CheckSecrets(ctx)
	done()
	if err != nil {
		return err
	}
	rows := checkRows(r.CheckReport)
	for _, s := range r.Secrets {
		rows = append(rows, []string{"credential", fmt.Sprintf("%s:%d", cell(s.File), s.Line), s.Kind})
	}
	for _, p := range r.Unscanned {
		rows = append(rows, []string{"not looked into", cell(p.File), cell(p.Reason)})
	}
	return a.answerCheck(asJSON, r, r.OK, r.Summary, rows)
}

// answerCheck prints a report, as JSON or as rows, and fails when it found
// something.
func (a *app) answerCheck(asJSON bool, report any, ok bool, summary string, rows [][]string) error {
	var err error
	if asJSON {
		err = a.printJSON(report)
	} else if err = a.table([]string{"PROBLEM", "WHERE", "REASON"}, rows); err == nil {
		_, err = fmt.Fprintln(a.stdout, clean(summary))
	}
	if err == nil && !ok {
		err = errQuiet
	}
	return err
}

func checkRows(r memory.CheckReport) [][]string {
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
	return rows
}
