package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/memory/problems"
)

func (a *app) checkCommand() *cobra.Command {
	c := &cobra.Command{Use: "check", Args: noArguments()}
	withSecrets := c.Flags().Bool("secrets", false, "also look for credentials in all memories and archives")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *withSecrets {
			return a.checkSecrets(c.Context())
		}
		done := a.progress("checking the store")
		r, err := a.engine(lockWait).Check(c.Context())
		done()
		if err != nil {
			return err
		}
		r = problems.ForPeople(checkSteps()).Check(r)
		return a.answerCheck(r, r.OK, say(r.Summary), checkRows(r))
	}
	return c
}

func (a *app) checkSecrets(ctx context.Context) error {
	done := a.progress("looking for credentials in the store")
	r, err := a.engine(lockWait).CheckSecrets(ctx)
	done()
	if err != nil {
		return err
	}
	r = problems.ForPeople(checkSteps()).Secrets(r)
	rows := checkRows(r.CheckReport)
	for _, s := range r.Secrets {
		rows = append(rows, []string{"credential", fmt.Sprintf("%s:%d", cell(s.File), s.Line), s.Kind})
	}
	rows = moreRow(rows, "credential", r.Omitted["secrets"])
	for _, p := range r.Unscanned {
		rows = append(rows, []string{"not looked into", cell(p.File), cell(p.Reason)})
	}
	rows = moreRow(rows, "not looked into", r.Omitted["unscanned_files"])
	return a.answerCheck(r, r.OK, say(r.Summary), rows)
}

// checkSteps is nextSteps below a report, which lists what its summary counts.
func checkSteps() advice.Table {
	steps := nextSteps()
	steps[memory.KindRemarks] = ""
	steps[memory.KindForPerson] = "the reasons above say how"
	return steps
}

// answerCheck prints a report, as JSON or as rows, and fails when it found something.
func (a *app) answerCheck(report any, ok bool, summary string, rows [][]string) error {
	return verdict(a, report, nil, ok, func(any) error {
		if err := a.reasons(rows); err != nil {
			return err
		}
		return a.println(clean(summary))
	})
}

func checkRows(r api.CheckReport) [][]string {
	rows := moreRow(problemRows(r.Problems, ""), "problem", r.Omitted["problems"])
	return moreRow(append(rows, problemRows(r.Remarks, "remark: ")...), "remark", r.Omitted["remarks"])
}

// moreRow adds a row with the number of entries that were left out, if any were.
func moreRow(rows [][]string, what string, n int) [][]string {
	if n <= 0 {
		return rows
	}
	return append(rows, []string{what, "…", fmt.Sprintf("and %d more", n)})
}

func problemRows(list []api.Problem, mark string) [][]string {
	return each(list, func(p api.Problem) []string {
		return []string{mark + p.Kind, cell(p.Where), cell(say(p.Reason))}
	})
}

func (a *app) fixCommand() *cobra.Command {
	var o api.FixOptions
	c := &cobra.Command{Use: "fix", Args: noArguments()}
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "show what would be done, but do not do it")
	archive := c.Flags().Bool("archive-orphans", true,
		"move unreadable memory files to the archives; if false, delete them")
	c.Flags().BoolVar(&o.CleanOrphanedArchives, "clean-orphaned-archives", false,
		"delete archive files that are not memories")
	c.Flags().BoolVar(&o.Adopt, "adopt", false,
		"give memories whose ids do not have 8 hex digits such ids, and update the links to them")
	c.RunE = func(c *cobra.Command, _ []string) error {
		o.RemoveUnreadable = !*archive
		done := a.progress("checking the store")
		r, err := a.engine(lockWait).Fix(c.Context(), o)
		done()
		if err != nil {
			return err
		}
		r = problems.ForPeople(nextSteps()).Fix(r)
		return verdict(a, r, nil, len(r.Left) == 0, a.printFix)
	}
	return c
}

func (a *app) printFix(r api.FixReport) error {
	rows := each(r.Actions, func(action api.FixAction) []string {
		return []string{action.Action, cell(action.Target), cell(action.Reason)}
	})
	rows = moreRow(rows, "action", r.Omitted["actions"])
	for _, p := range r.Left {
		rows = append(rows, []string{"left", cell(p.Where), cell(say(p.Reason))})
	}
	rows = moreRow(rows, "left", r.Omitted["left"])
	if err := a.reasons(rows); err != nil {
		return err
	}
	return a.println(cell(r.Summary))
}
