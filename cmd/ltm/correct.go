package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) correctCommand() *cobra.Command {
	var d api.Draft
	var difficulty float64
	var links linkFlags
	c := &cobra.Command{
		Use:   "correct ID [CONTENT | -]",
		Short: "Replace a memory that no longer holds by a new one",
		Long: `Replace a memory that no longer holds by a new one, which supersedes it. The old memory is archived.
The new one has its topic, tags, aliases, importance, kind and agent unless they are given. "-" reads the
content from standard input. Without CONTENT, your editor opens with the old text if ltm runs on a terminal;
otherwise the content is read from standard input.

To fix a slip in a memory that still holds, use "ltm update" or "ltm edit".`,
		Args: arguments(2, anID),
	}
	c.Flags().StringVar(&d.Topic, "topic", "", "new topic")
	c.Flags().StringVar(&d.Summary, "summary", "", "what it is about (default: the content's first paragraph)")
	tagFlag(c, &d.Tags, `new tags; "" for none`)
	aliasFlag(c, &d.Aliases, `new aliases; "" for none`)
	importanceFlag(c, &d.Importance, "critical, important, normal or low")
	kindFlag(c, &d.Category, "new kind: "+memory.CategoryNames+`; "" for none`)
	sure := sureFlag(c, "how sure it is, 0 to 1; below 0.7 is shown as unsure")
	agentFlag(c, &d.Agent, `the agent for whose sessions it is; "" for all`)
	links.addOthers(c)
	c.Flags().Float64Var(&difficulty, "difficulty", 0, "0 (easy) to 1 (very hard) (default: as of ltm remember)")
	c.Flags().BoolVar(&d.Redact, "redact", false, "mask credentials instead of refusing to store them")
	c.RunE = func(c *cobra.Command, given []string) error {
		e, old, err := a.corrected(c.Context(), given[0])
		if err != nil {
			return err
		}
		d.Session = a.getenv("CLAUDE_CODE_SESSION_ID")
		d.Told = d.Session == "" && (terminal.Is(a.stdin) || terminal.Is(a.stdout))
		inherit(c, &d, old)
		if d.Confidence = sure(); c.Flags().Changed("difficulty") {
			d.Difficulty = &difficulty
		}
		if err := links.find(c.Context(), e); err != nil {
			return err
		}
		d.Supersedes, d.Disputes, d.Related = []string{string(old.ID)}, links.disputes, links.related
		store := func(text string) error {
			if d.Content = text; len(given) == 1 && strings.TrimSpace(text) == strings.TrimSpace(old.Content) {
				return invalid("", "the text is the same")
			}
			return a.store(c.Context(), d)
		}
		if len(given) == 1 && a.canCompose() {
			return a.compose(old.Content, fmt.Sprintf("ltm correct %s -", old.ID), store)
		}
		text, err := a.content(strings.Join(given[1:], ""), len(given) == 2)
		if err != nil {
			return err
		}
		return store(text)
	}
	return c
}

// corrected returns the memory to correct and its store, from the archives if it is only there.
func (a *app) corrected(ctx context.Context, given string) (*engine.Engine, api.Detail, error) {
	e, id, err := a.oneID(ctx, given)
	if err != nil {
		return nil, api.Detail{}, err
	}
	old, err := e.Peek(ctx, id)
	if memory.KindOf(err) == memory.KindOnlyArchived {
		old, err = e.PeekArchive(ctx, id)
	}
	return e, old, err
}

// inherit fills in what was not given from the memory that is corrected.
func inherit(c *cobra.Command, d *api.Draft, old api.Detail) {
	if d.SameTopic = c.Flags().Changed("topic"); !d.SameTopic {
		d.Topic = old.Topic
	}
	if !c.Flags().Changed("tag") {
		d.Tags = old.Tags
	}
	if !c.Flags().Changed("alias") {
		d.Aliases = old.Aliases
	}
	if !c.Flags().Changed("kind") {
		d.Category = old.Category
	}
	if !c.Flags().Changed("agent") {
		d.Agent = old.Agent
	}
	if d.Importance == "" && !slices.ContainsFunc(d.Tags, memory.IsImportanceTag) {
		d.Importance = old.Importance
	}
}
