package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/gitstore"
	"ltm/engine/achievements"
	"ltm/internal/git/gitcmd"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) achievementsCommand() *cobra.Command {
	var since string
	var span gitstore.Span
	var dryRun, yes bool
	c := &cobra.Command{Use: "achievements", Args: noArguments()}
	c.Flags().StringVar(&since, "since", "30d",
		"look at commits since `WHEN`: an age (7d, 2w, 36h), a date (2026-01-31), or all")
	c.Flags().BoolVar(&span.Everyone, "all", false, "look at the commits of all authors")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be stored, but do not store it")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask; required without a terminal")
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if span.Since, err = sinceAll(time.Now(), since); err != nil {
			return err
		}
		if !dryRun && !yes && !a.asks() {
			return unasked()
		}
		r, err := a.achieve(c.Context(), span, func(plan api.Achievements) (bool, error) {
			if dryRun || len(plan.Achievements) == 0 {
				return false, nil
			}
			return true, a.confirmAchievements(plan, yes)
		})
		r.DryRun = dryRun
		return answer(a, r, err, a.printAchievements)
	}
	return c
}

// achieve finds achievements, and stores them if agree says so.
func (a *app) achieve(ctx context.Context, span gitstore.Span,
	agree func(api.Achievements) (bool, error)) (api.Achievements, error) {
	done := a.progress("reading git's history")
	defer done()
	git, e := a.git(a.place()), a.engine(lockWait)
	commits, all, err := git.History(ctx, span)
	if err != nil {
		return api.Achievements{}, noHistory(err)
	}
	if len(commits) == 0 && all > 0 {
		done()
		a.notice(fmt.Sprintf("0 of %s yours, by git's user.email; --all looks at those of all authors",
			plural.Of(all, "commit is", "commits are")))
	}
	fresh, o, err := e.Unknown(ctx, achievements.Find(commits))
	if err != nil {
		return api.Achievements{}, err
	}
	hashes := make([]string, 0, len(fresh))
	for _, f := range fresh {
		if f.Tag == "" {
			hashes = append(hashes, f.Commit)
		}
	}
	patches, err := git.PatchIDs(ctx, hashes)
	if err != nil {
		return api.Achievements{}, noHistory(err)
	}
	o.DryRun = true
	plan, err := e.Achieve(ctx, fresh, patches, o)
	done()
	if err == nil {
		var yes bool
		if yes, err = agree(plan); yes && err == nil {
			o.DryRun = false
			plan, err = e.Achieve(ctx, fresh, patches, o)
		}
	}
	return plan, err
}

// noHistory is the error about a history that cannot be read.
func noHistory(err error) error {
	switch {
	case errors.Is(err, gitstore.ErrNoEmail):
		return invalid("--all looks at the commits of all authors", "%s", err)
	case errors.Is(err, gitcmd.ErrNoTree):
		return invalid("achievements come from git's history", "the project is not in a git work tree")
	}
	return unusable("", "cannot read git's history", err)
}

func unasked() error {
	return invalid("--dry-run shows them, and --yes stores them", "achievements are stored after a confirmation")
}

// confirmAchievements shows what would be stored and asks.
func (a *app) confirmAchievements(plan api.Achievements, yes bool) error {
	if yes {
		return nil
	}
	for _, m := range plan.Achievements {
		fmt.Fprintf(a.stderr, "%s %s (%s)\n", m.ID, cell(m.Topic), m.Why)
	}
	if !a.confirm(fmt.Sprintf("Store %d memories?", len(plan.Achievements))) {
		return unasked()
	}
	return nil
}

func (a *app) printAchievements(r api.Achievements) error {
	return a.table("ID|COMMIT|DATE|LEVEL|FOUND AS|TOPIC", each(r.Achievements, func(m api.Achievement) []string {
		level := cmp.Or(m.Importance, memory.Normal)
		return []string{string(m.ID), m.Commit[:min(12, len(m.Commit))], day(m.CreatedAt.Time), string(level), m.Why,
			cell(m.Topic)}
	}), r.Summary)
}
