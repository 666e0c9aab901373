package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory"
)

func (a *app) listCommand() *cobra.Command {
	var f memory.ListFilter
	var phase string
	c := &cobra.Command{
		Use:   "list",
		Short: "List memories in order of priority",
		Args:  args(cobra.NoArgs),
	}
	c.Flags().StringVar(&phase, "phase", "", "0 (full), 1 (hint) or 2 (abstract)")
	c.Flags().StringVar(&f.Tag, "tag", "", "only memories with this tag")
	c.Flags().StringVar(&f.Keyword, "keyword", "", "only memories with this text in topic or tags")
	c.Flags().IntVar(&f.Limit, "limit", 50, "most memories to show, 1 to 100000")
	c.Flags().IntVar(&f.Offset, "offset", 0, "memories to pass over")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if phase != "" {
			p, err := memory.ParsePhase(phase)
			if err != nil {
				return err
			}
			f.Phase = &p
		}
		if err := checkRange("--limit", f.Limit, 1, 100000); err != nil {
			return err
		}
		if err := checkRange("--offset", f.Offset, 0, 1<<30); err != nil {
			return err
		}
		list, err := a.engine(lockWait).List(c.Context(), f)
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(list)
		}
		return a.printList(list)
	}
	return c
}

func (a *app) printList(list memory.Listing) error {
	if list.Total == 0 {
		fmt.Fprintln(a.stderr, "no memories")
		return nil
	}
	rows := make([][]string, 0, len(list.Memories))
	for _, m := range list.Memories {
		rows = append(rows, []string{string(m.ID), m.Phase.String(), score(m.Priority), day(m.CreatedAt), tagList(m.Tags), cell(m.Topic)})
	}
	if err := a.table([]string{"ID", "PHASE", "PRIORITY", "CREATED", "TAGS", "TOPIC"}, rows); err != nil {
		return err
	}
	if list.HasMore {
		fmt.Fprintf(a.stderr, "%d of %d; --offset shows the next\n", len(list.Memories), list.Total)
	}
	return nil
}
