package main

import (
	"github.com/spf13/cobra"

	"ltm/memory/api"
	"ltm/memory/problems"
)

func (a *app) fixCommand() *cobra.Command {
	var o api.FixOptions
	c := &cobra.Command{
		Use:   "fix",
		Short: "Repair the problems that check finds",
		Long: `Repair the problems that "ltm check" finds. Nothing is deleted unless a flag says so. The exit
status is 1 if there are problems left that need a person.`,
		Args: noArguments(),
	}
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
		err = answer(a, r, nil, a.printFix)
		if err == nil && len(r.Left) > 0 {
			err = errQuiet
		}
		return err
	}
	return c
}

func (a *app) printFix(r api.FixReport) error {
	var rows [][]string
	for _, action := range r.Actions {
		rows = append(rows, []string{action.Action, cell(action.Target), cell(action.Reason)})
	}
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
