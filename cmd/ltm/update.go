package main

import (
	"github.com/spf13/cobra"

	"ltm/memory"
)

func (a *app) updateCommand() *cobra.Command {
	var topic, content string
	var tags []string
	var difficulty float64
	var p memory.Patch
	c := &cobra.Command{
		Use:   "update ID",
		Short: "Change a memory's topic, content, tags or difficulty",
		Args:  args(cobra.ExactArgs(1)),
	}
	c.Flags().StringVar(&topic, "topic", "", "new topic")
	c.Flags().StringVar(&content, "content", "", `new content; "-" reads standard input`)
	c.Flags().StringSliceVar(&tags, "tag", nil, `new tags instead of the old ones; "" removes all`)
	c.Flags().Float64Var(&difficulty, "difficulty", 0, "new difficulty, 0 to 1")
	c.Flags().BoolVar(&p.Redact, "redact", false, "mask credentials instead of refusing them")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		if c.Flags().Changed("topic") {
			p.Topic = &topic
		}
		if c.Flags().Changed("content") {
			text, err := a.content(content, true)
			if err != nil {
				return err
			}
			p.Content = &text
		}
		if c.Flags().Changed("tag") {
			p.Tags = &tags
		}
		if c.Flags().Changed("difficulty") {
			p.Difficulty = &difficulty
		}
		r, err := a.engine(lockWait).Update(c.Context(), given[0], p)
		if err != nil {
			return err
		}
		return a.printReceipt(r, *asJSON)
	}
	return c
}
