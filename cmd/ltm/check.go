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
	return append(problemRows(r.Problems, ""), problemRows(r.Remarks, "remark: ")...)
}

func problemRows(problems []memory.Problem, mark string) [][]string {
	var rows [][]string
	for _, p := range problems {
		rows = append(rows, []string{mark + p.Kind, cell(p.Where), cell(p.Reason)})
	}
	return rows
}
