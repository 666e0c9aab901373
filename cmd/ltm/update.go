package main

import (
	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) updateCommand() *cobra.Command {
	var tags []string
	var p api.Patch
	c := &cobra.Command{Use: "update ID", Args: arguments(1, anID)}
	textFlag(c, &p.Topic, "topic", "replace the topic")
	textFlag(c, &p.Content, "content", `replace the content; "-" reads standard input`)
	textFlag(c, &p.Append, "append", `add text to the content; "-" reads standard input`)
	textFlag(c, &p.Summary, "summary", `replace the summary; "" uses the content's first paragraph`)
	tagFlag(c, &tags, `replace the tags; "" removes them all`)
	c.Flags().Var((*tagsValue)(&p.AddTags), "add-tag", "add tags")
	c.Flags().Var((*tagsValue)(&p.RemoveTags), "remove-tag", "remove tags")
	aliases := patchAliases(c)
	importanceFlag(c, &p.Importance, "set the importance: critical, important, normal or low")
	kindFlags(c, &p)
	textFlag(c, &p.Agent, "agent", `set the agent for whose sessions the memory is; "" for all`)
	links := a.patchLinks(c, &p)
	numberFlag(c, &p.Difficulty, "difficulty", "0", "set the difficulty, 0 to 1")
	c.Flags().BoolVar(&p.Redact, "redact", false, "mask credentials instead of refusing to store them")
	c.RunE = func(c *cobra.Command, given []string) error {
		for _, text := range []**string{&p.Content, &p.Append} {
			if *text == nil {
				continue
			}
			read, err := a.content(**text, true)
			if err != nil {
				return err
			}
			*text = &read
		}
		if c.Flags().Changed("tag") {
			p.Tags = &tags
		}
		p.Aliases = aliases()
		if c.Flags().Changed("importance") && p.Importance == "" {
			_, err := memory.ParseImportance("")
			return err
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
