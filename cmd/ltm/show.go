package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) showCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show a memory in full",
		Args:  args(cobra.ExactArgs(1)),
	}
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		d, err := a.engine(lockWait).Get(c.Context(), given[0])
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(d)
		}
		lines := []string{
			clean(d.Topic), "",
			fmt.Sprintf("id          %s", d.ID),
			fmt.Sprintf("phase       %s", d.Phase),
			fmt.Sprintf("priority    %s", score(d.Priority)),
			fmt.Sprintf("difficulty  %s", score(d.Difficulty)),
			fmt.Sprintf("tags        %s", tagList(d.Tags)),
			fmt.Sprintf("created     %s (session %d)", day(d.CreatedAt), d.CreatedSession),
			fmt.Sprintf("accessed    %d times", d.AccessCount),
			fmt.Sprintf("archived    %v", d.Archived),
			"", "Summary", "", clean(d.Summary),
		}
		if d.Content != "" {
			lines = append(lines, "", "Content", "", clean(d.Content))
		}
		return a.println(lines...)
	}
	return c
}
