package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) archivesCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{Use: "archives [QUESTION...]"}
	c.AddCommand(a.archivesListCommand(), a.archivesPruneCommand())
	c.Flags().IntVar(&limit, "limit", 10, "maximum number of search results, 1 to 1000")
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := checkRange("--limit", limit, 1, 1000); err != nil {
			return err
		}
		if len(given) == 1 {
			c.SuggestionsMinimumDistance = 1
			if meant := c.SuggestionsFor(given[0]); len(meant) > 0 {
				return invalid(fmt.Sprintf("did you mean %q? To search for the word: ltm recall --archives %s",
					"ltm archives "+meant[0], given[0]),
					"there is no command %q", "archives "+given[0])
			}
		}
		e := a.engine(lockWait)
		done := a.progress("searching the archives")
		var r api.ArchiveRecall
		var err error
		if len(given) == 0 {
			r, err = e.ListArchives(c.Context())
		} else {
			r, err = e.SearchArchives(c.Context(), strings.Join(given, " "), limit)
		}
		done()
		return answer(a, r, err, a.printArchives)
	}
	return c
}

func (a *app) printArchives(r api.ArchiveRecall) error {
	rows := each(r.Archives, func(h api.ArchiveHit) []string {
		return a.markedRow([]string{string(h.ID), h.State(), tagList(h.Tags), cell(h.Topic),
			field(strings.TrimSpace(since(h.ArchivedAt) + supersededBy(h.SupersededBy)))}, 3, h.Foreign)
	})
	return a.tableOr("nothing found in the archives", "ID|STATE|TAGS|TOPIC|SINCE", rows)
}

// supersededBy names the memories that supersede one, behind since when that is so.
func supersededBy(ids []memory.ID) string {
	if len(ids) == 0 {
		return ""
	}
	return " by " + memory.JoinIDs(ids)
}

func (a *app) archivesPruneCommand() *cobra.Command {
	var older string
	var dryRun, yes bool
	c := &cobra.Command{Use: "prune --older-than AGE | ID..."}
	c.Flags().StringVar(&older, "older-than", "", "remove archives older than `AGE`: 180d, 26w or 72h")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done and why, but do not do it")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask; required without a terminal")
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
		done := a.progress("reading the archives")
		r, err := a.engine(lockWait).PruneArchives(c.Context(), o)
		done()
		return answer(a, r, err, a.printPrune)
	}
	return c
}

// pruneOptions returns which archives are meant.
func pruneOptions(older string, ids []string) (api.PruneOptions, error) {
	switch {
	case older == "" && len(ids) == 0:
		return api.PruneOptions{}, invalid("say how old archives must be, as in --older-than 180d, or give ids",
			"--older-than is missing")
	case older != "" && len(ids) > 0:
		return api.PruneOptions{}, invalid("give one of them", "--older-than and ids are two ways to choose archives")
	case older == "":
		return api.PruneOptions{IDs: ids}, nil
	}
	age, err := api.ParseAge(older)
	return api.PruneOptions{OlderThan: age}, err
}

// confirmPrune shows what would be removed and asks. Without a terminal it refuses.
func (a *app) confirmPrune(ctx context.Context, o api.PruneOptions) error {
	refused := invalid("--dry-run shows what would go, and --yes does it", "archives are the last copy")
	if !a.asks() {
		return refused
	}
	o.DryRun = true
	plan, err := a.engine(lockWait).PruneArchives(ctx, o)
	if err != nil || plan.Removed == 0 {
		return err
	}
	for _, s := range plan.Steps {
		if s.Action == memory.PruneRemove {
			fmt.Fprintf(a.stderr, "%s %s: %s\n", s.ID, markedTopic(s.Topic, s.Foreign), cell(s.Reason))
		}
	}
	if !a.confirm(fmt.Sprintf("Permanently remove %d of %d archives? Git history keeps what was committed.",
		plan.Removed, plan.Archives)) {
		return refused
	}
	return nil
}

func (a *app) printPrune(r api.PruneReport) error {
	return a.table("ID|ACTION|TOPIC|REASON", each(r.Steps, func(s memory.PruneStep) []string {
		return a.markedRow([]string{string(s.ID), s.Action, cell(s.Topic), cell(s.Reason)}, 2, s.Foreign)
	}), r.Summary)
}

func (a *app) restoreCommand() *cobra.Command {
	var importance string
	c := &cobra.Command{Use: "restore ID...", Args: arguments(anyNumber, anID)}
	c.Flags().StringVar(&importance, "importance", "", "importance to set: critical, important, normal or low")
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.withIDs(c.Context(), given, receiptList{[]api.Receipt{}}, func(e *engine.Engine, s selection) error {
			receipts, err := e.RestoreAll(c.Context(), s.ids, importance)
			if err != nil {
				return err
			}
			return printReceipts(a, s, receipts)
		})
	}
	return c
}

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
	rows := each(r.Steps, func(s memory.EvictionStep) []string {
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
