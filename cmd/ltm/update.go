package main

import (
	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) updateCommand() *cobra.Command {
	var topic, content, more, summary string
	var tags []string
	var difficulty float64
	var p api.Patch
	c := &cobra.Command{Use: "update ID", Args: arguments(1, anID)}
	c.Flags().StringVar(&topic, "topic", "", "replace the topic")
	c.Flags().StringVar(&content, "content", "", `replace the content; "-" reads standard input`)
	c.Flags().StringVar(&more, "append", "", `add text to the content; "-" reads standard input`)
	c.Flags().StringVar(&summary, "summary", "", `replace the summary; "" uses the content's first paragraph`)
	tagFlag(c, &tags, `replace the tags; "" removes them all`)
	c.Flags().Var((*tagsValue)(&p.AddTags), "add-tag", "add tags")
	c.Flags().Var((*tagsValue)(&p.RemoveTags), "remove-tag", "remove tags")
	aliases := patchAliases(c)
	importanceFlag(c, &p.Importance, "set the importance: critical, important, normal or low")
	kinds := roleFlags(c)
	links := a.patchLinks(c, &p)
	c.Flags().Float64Var(&difficulty, "difficulty", 0, "set the difficulty, 0 to 1")
	c.Flags().BoolVar(&p.Redact, "redact", false, "mask credentials instead of refusing to store them")
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
		p.Aliases = aliases()
		if c.Flags().Changed("importance") && p.Importance == "" {
			_, err := memory.ParseImportance("")
			return err
		}
		kinds(&p)
		if c.Flags().Changed("difficulty") {
			p.Difficulty = &difficulty
		}
		e, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		if err := links(e); err != nil {
			return err
		}
		r, err := e.Update(c.Context(), id, p)
		return answer(a, r, err, a.printReceipt)
	}
	return c
}
