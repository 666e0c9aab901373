package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

func (a *app) listCommand() *cobra.Command {
	var f api.ListFilter
	var phase string
	c := &cobra.Command{Use: "list", Args: noArguments()}
	c.Flags().StringVar(&phase, "phase", "", "only memories in this phase: "+memory.PhaseNames)
	tagFlag(c, &f.Tags, "only memories with this tag; if repeated, with all of them")
	importanceFlag(c, &f.Importance, "only memories of this importance: critical, important, normal or low")
	kindFlag(c, &f.Category, onlyOfKind)
	agentFlag(c, &f.Agent, onlyOfAgent)
	grouped := groupFlag(c)
	c.Flags().StringVar(&f.Keyword, "keyword", "", "only memories with this text in their topic or tags")
	c.Flags().IntVar(&f.Limit, "limit", 50, "maximum number of memories to show, up to 100000; 0 for all")
	c.Flags().IntVar(&f.Offset, "offset", 0, "number of memories to skip")
	long := c.Flags().Bool("long", false, "also show difficulty, last access and authors")
	include, order := includeFlags(c), orderFlags(c, &f)
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if f.Include, err = include(); err != nil {
			return err
		}
		if err := order(); err != nil {
			return err
		}
		if phase != "" {
			p, err := memory.ParsePhase(phase)
			if err != nil {
				return err
			}
			f.Phase = &p
		}
		inGroups, err := grouped()
		if err != nil {
			return err
		}
		if err := checkRange("--limit", f.Limit, 0, 100000); err != nil {
			return err
		}
		f.Limit = cmp.Or(f.Limit, everything)
		if err := checkRange("--offset", f.Offset, 0, 1<<30); err != nil {
			return err
		}
		done := a.progress("reading the memories")
		f.Scope = a.scope
		list, err := a.shelves(lockWait).List(c.Context(), f)
		done()
		if err != nil {
			return err
		}
		if !a.asJSON {
			a.sayLeftOut(f, list)
		}
		print := a.listPrinter(c.Context(), f.Include, *long)
		if inGroups && !a.asJSON {
			return a.byKind(list, print)
		}
		return print(list)
	}
	return c
}

// sayLeftOut says which memories a listing does not have, and how to get them.
func (a *app) sayLeftOut(f api.ListFilter, list api.Listing) {
	if n := list.OfAgents; n > 0 {
		fmt.Fprintf(a.stderr, "not listed, because for sessions of an agent: %d; --agent NAME lists them\n", n)
	}
	if f.Phase != nil && *f.Phase == memory.Removed {
		fmt.Fprintln(a.stderr, "what was forgotten or superseded: ltm list --archives")
	}
}

// listPrinter returns what prints a listing.
func (a *app) listPrinter(ctx context.Context, include api.Include, long bool) func(api.Listing) error {
	switch {
	case long:
		return func(l api.Listing) error { return a.listWithAuthors(ctx, l) }
	case a.asJSON:
		return func(l api.Listing) error { return a.printJSON(l) }
	case include != api.IncludeActive: // a row says which archives, and since when
		return func(l api.Listing) error {
			return a.printListing(l, "archives", "id state prio since tags topic", "id state prio since kind topic",
				nil)
		}
	}
	rich := "id phase prio level kind age title"
	if a.screen().Width >= tagsWidth {
		rich += " tags"
	}
	return func(l api.Listing) error {
		return a.printListing(l, "memories", "id state prio age tags topic", rich, nil)
	}
}

// everything is a limit that no listing reaches.
const everything = math.MaxInt32

// orderFlags adds --sort, --reverse and --since to a command, and returns a function that reads them into the filter.
func orderFlags(c *cobra.Command, f *api.ListFilter) func() error {
	var order, since string
	c.Flags().StringVar(&order, "sort", string(api.ByPriority),
		"sort by priority (highest first), age (newest first), used (latest first) or topic")
	c.Flags().BoolVar(&f.Reverse, "reverse", false, "reverse the order")
	c.Flags().StringVar(&since, "since", "",
		"only memories stored since `WHEN`: an age (7d, 2w, 36h) or a date (2026-01-31)")
	return func() (err error) {
		if f.Order, err = api.ParseOrder(order); err != nil || since == "" {
			return err
		}
		f.Since, err = sinceWhen(time.Now(), since)
		return err
	}
}

// sinceWhen parses an age or a date.
func sinceWhen(now time.Time, text string) (time.Time, error) {
	if day, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(text), now.Location()); err == nil {
		return day, nil
	}
	age, err := api.ParseAge(text)
	if err != nil {
		return now, invalid(sinceAllowed, "--since takes an age or a day, not %q", text)
	}
	return now.Add(-age), nil
}

const sinceAllowed = `allowed: days ("7d"), weeks ("2w"), hours ("36h") or a day ("2026-01-31")`

// sinceAll is sinceWhen for a flag that also takes "all", which is the zero time.
func sinceAll(now time.Time, text string) (time.Time, error) {
	if text == "all" {
		return time.Time{}, nil
	}
	from, err := sinceWhen(now, text)
	if err != nil {
		err = advice.With(err, sinceAllowed+`, or "all"`)
	}
	return from, err
}

// includeFlags adds --archives and --all to a command, and returns what says which of them was given.
func includeFlags(c *cobra.Command) func() (api.Include, error) {
	archives := c.Flags().Bool("archives", false, "memories that are out of sight, forgotten or superseded")
	all := c.Flags().Bool("all", false, "those in sight, and those too")
	return func() (api.Include, error) {
		switch {
		case *archives && *all:
			return "", invalid("give one of them", "--archives and --all were both given")
		case *archives:
			return api.IncludeArchives, nil
		case *all:
			return api.IncludeAll, nil
		}
		return api.IncludeActive, nil
	}
}

// archivesListCommand is list --archives under another name.
func (a *app) archivesListCommand() *cobra.Command {
	c := a.listCommand()
	archives := c.Flags().Lookup("archives")
	archives.Hidden = true
	c.PreRunE = func(*cobra.Command, []string) error {
		if c.Flags().Changed("all") {
			return nil // as list --all, which has the archives too
		}
		return archives.Value.Set("true")
	}
	return c
}

// since says since when a memory is in the archives, as far as that is known.
func since(at *time.Time) string {
	if at == nil {
		return ""
	}
	return day(*at)
}
