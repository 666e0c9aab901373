package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) correctCommand() *cobra.Command {
	s := storing{app: a}
	c := &cobra.Command{Use: "correct ID [CONTENT | -]", Args: arguments(2, anID)}
	s.addFlags(c, "as of ltm remember")
	d := &s.draft
	c.Flags().StringVar(&d.Topic, "topic", "", "new topic")
	tagFlag(c, &d.Tags, `new tags; "" for none`)
	aliasFlag(c, &d.Aliases, `new aliases; "" for none`)
	kindFlag(c, &d.Category, "new kind: "+memory.CategoryNames+`; "" for none`)
	agentFlag(c, &d.Agent, `the agent for whose sessions it is; "" for all`)
	c.RunE = func(c *cobra.Command, given []string) error {
		e, old, err := a.corrected(c.Context(), given[0])
		if err != nil {
			return err
		}
		inherit(c, d, old)
		d.Supersedes = []string{string(old.ID)}
		return s.run(c, e, given[1:], old.Content, fmt.Sprintf("ltm correct %s -", old.ID))
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
