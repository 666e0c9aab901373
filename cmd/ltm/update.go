package main

import (
	"github.com/spf13/cobra"

	"ltm/api"
	"ltm/memory"
)

func (a *app) updateCommand() *cobra.Command {
	var topic, content, more, summary, importance string
	var tags []string
	var difficulty float64
	var p api.Patch
	c := &cobra.Command{
		Use:   "update ID",
		Short: "Change a memory's topic, content, summary, tags, importance or difficulty",
		Args:  args(cobra.ExactArgs(1)),
	}
	c.Flags().StringVar(&topic, "topic", "", "new topic")
	c.Flags().StringVar(&content, "content", "", `new content instead of the old one; "-" reads standard input`)
	c.Flags().StringVar(&more, "append", "", `text to add to the content; "-" reads standard input`)
	c.Flags().StringVar(&summary, "summary", "", `new summary; "" takes the content's first paragraph`)
	tagFlag(c, &tags, `new tags instead of the old ones; "" removes all`)
	c.Flags().Var((*tagsValue)(&p.AddTags), "add-tag", "tags to add")
	c.Flags().Var((*tagsValue)(&p.RemoveTags), "remove-tag", "tags to remove")
	c.Flags().StringVar(&importance, "importance", "", "critical, important, normal or low")
	c.Flags().Float64Var(&difficulty, "difficulty", 0, "new difficulty, 0 to 1")
	c.Flags().BoolVar(&p.Redact, "redact", false, "mask credentials instead of refusing them")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		if c.Flags().Changed("topic") {
			p.Topic = &topic
		}
		if c.Flags().Changed("summary") {
			p.Summary = &summary
		}
		for _, text := range []struct {
			flag, value string
			to          **string
		}{{"content", content, &p.Content}, {"append", more, &p.Append}} {
			if !c.Flags().Changed(text.flag) {
				continue
			}
			given, err := a.content(text.value, true)
			if err != nil {
				return err
			}
			*text.to = &given
		}
		if c.Flags().Changed("tag") {
			p.Tags = &tags
		}
		if c.Flags().Changed("importance") {
			level, err := memory.ParseImportance(importance)
			if err != nil {
				return err
			}
			p.Importance = level
		}
		if c.Flags().Changed("difficulty") {
			p.Difficulty = &difficulty
		}
		e := a.engine(lockWait)
		id, err := a.oneID(c.Context(), e, given[0])
		if err != nil {
			return err
		}
		r, err := e.Update(c.Context(), id, p)
		if err != nil {
			return err
		}
		return a.printReceipt(r, *asJSON)
	}
	return c
}
