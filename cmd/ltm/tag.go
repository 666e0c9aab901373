package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory/api"
)

// tagsValue is the value of --tag. The flag can be repeated and takes several tags, separated
// by commas; all of them count.
type tagsValue []string

// String, Set and Type make it the value of a flag.
func (v *tagsValue) String() string { return strings.Join(*v, ",") }

// Type names the value in help texts.
func (v *tagsValue) Type() string { return "tag" }

// GetSlice tells completion that the flag can be repeated.
func (v *tagsValue) GetSlice() []string { return *v }

// Set adds what was given.
func (v *tagsValue) Set(s string) error {
	*v = append(*v, splitTags(s)...)
	return nil
}

// splitTags returns the tags in a list separated by commas.
func splitTags(s string) []string {
	tags := []string{}
	for tag := range strings.SplitSeq(s, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// tagFlag adds --tag to a command.
func tagFlag(c *cobra.Command, tags *[]string, help string) {
	c.Flags().Var((*tagsValue)(tags), "tag", help)
}

func (a *app) tagCommand() *cobra.Command {
	c := &cobra.Command{Use: "tag"}
	c.Args = onlyCommands
	c.RunE = func(c *cobra.Command, _ []string) error { return a.listTags(c) }
	c.AddCommand(a.tagListCommand(), a.tagRenameCommand(),
		a.tagChangeCommand("add", "Add tags to memories", nil,
			func(e *engine.Engine, ctx context.Context, ids, tags []string) ([]api.Receipt, error) {
				return e.Retag(ctx, ids, tags, nil)
			}),
		a.tagChangeCommand("rm", "Remove tags from memories", []string{"remove"},
			func(e *engine.Engine, ctx context.Context, ids, tags []string) ([]api.Receipt, error) {
				return e.Retag(ctx, ids, nil, tags)
			}))
	return c
}

// tagReport is what the list of tags prints for programs.
type tagReport struct {
	Tags []api.TagCount `json:"tags"`
}

func (a *app) tagListCommand() *cobra.Command {
	c := &cobra.Command{Use: "list", Aliases: []string{"ls"}, Args: noArguments()}
	c.RunE = func(c *cobra.Command, _ []string) error { return a.listTags(c) }
	return c
}

func (a *app) listTags(c *cobra.Command) error {
	tags, err := a.engine(lockWait).Tags(c.Context())
	return answer(a, tagReport{tags}, err, func(tagReport) error {
		return a.tableOr("no tags", "TAG|MEMORIES", rowsOf(tags, func(t api.TagCount) []string {
			return []string{cell(t.Tag), fmt.Sprint(t.Memories)}
		}))
	})
}

// tagChangeCommand returns tag add or tag rm.
func (a *app) tagChangeCommand(name, short string, aliases []string,
	change func(*engine.Engine, context.Context, []string, []string) ([]api.Receipt, error)) *cobra.Command {
	c := &cobra.Command{Use: name + " TAG ID...", Aliases: aliases, Args: arguments(anyNumber, aTag, anID)}
	c.RunE = func(c *cobra.Command, given []string) error {
		tags := splitTags(given[0])
		if len(tags) == 0 {
			return invalid("a tag is a word of at most 50 characters, several have commas between", "%q is not a tag",
				given[0])
		}
		return a.changeIDs(c.Context(), given[1:], func(e *engine.Engine, ids []string) ([]api.Receipt, error) {
			return change(e, c.Context(), ids, tags)
		})
	}
	return c
}

func (a *app) tagRenameCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "rename OLD NEW [ID...]",
		Aliases: []string{"mv"},
		Args:    arguments(anyNumber, aTag, newName),
	}
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.changeIDs(c.Context(), given[2:], func(e *engine.Engine, ids []string) ([]api.Receipt, error) {
			return e.RenameTag(c.Context(), given[0], given[1], ids)
		})
	}
	return c
}
