package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// parsed is the value of a flag that take reads.
type parsed struct {
	take          func(string) error
	kind, without string // its name in help texts, and how it looks without the flag
}

// String, Set and Type make it the value of a flag.
func (v parsed) String() string { return v.without }

// Type names the value in help texts.
func (v parsed) Type() string { return v.kind }

// Set parses what was given.
func (v parsed) Set(s string) error { return v.take(s) }

// listValue is the value of a flag that takes several words, separated by commas, and can be repeated: all of them
// count.
type listValue struct {
	to   *[]string
	kind string
}

// String, Set and Type make it the value of a flag.
func (v listValue) String() string { return strings.Join(*v.to, ",") }

// Type names the value in help texts.
func (v listValue) Type() string { return v.kind }

// GetSlice tells completion that the flag can be repeated.
func (v listValue) GetSlice() []string { return *v.to }

// Set adds what was given.
func (v listValue) Set(s string) error {
	*v.to = append(*v.to, splitList(s)...)
	return nil
}

// splitList returns the words in a list separated by commas.
func splitList(s string) []string {
	words := []string{}
	for word := range strings.SplitSeq(s, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

// tagFlag adds --tag to a command.
func tagFlag(c *cobra.Command, tags *[]string, help string) {
	c.Flags().Var(listValue{tags, "tag"}, "tag", help)
}

// kindFlag adds --kind to a command.
func kindFlag(c *cobra.Command, to *memory.Category, help string) {
	take := func(s string) (err error) {
		*to, err = memory.ParseCategory(s)
		return err
	}
	c.Flags().Var(parsed{take, "kind", ""}, "kind", help)
}

const onlyOfKind = "only memories of this kind: " + memory.CategoryNames

// importanceFlag adds --importance to a command; "" is as good as no flag.
func importanceFlag(c *cobra.Command, to *memory.Importance, help string) {
	take := func(s string) (err error) {
		if *to = ""; s != "" {
			*to, err = memory.ParseImportance(s)
		}
		return err
	}
	c.Flags().Var(parsed{take, "string", ""}, "importance", help)
}

// textFlag adds a flag whose text stays nil unless it is given.
func textFlag(c *cobra.Command, to **string, name, help string) {
	take := func(s string) error {
		*to = &s
		return nil
	}
	c.Flags().Var(parsed{take, "string", ""}, name, help)
}

// numberFlag adds a flag whose number stays nil unless it is given; without is shown as its default.
func numberFlag(c *cobra.Command, to **float64, name, without, help string) {
	take := func(s string) error {
		v, err := strconv.ParseFloat(s, 64)
		*to = &v
		return err
	}
	c.Flags().Var(parsed{take, "float64", without}, name, help)
}

// kindFlags adds --kind and --confidence to a command that changes a memory.
func kindFlags(c *cobra.Command, p *api.Patch) {
	take := func(s string) error {
		kind, err := memory.ParseCategory(s)
		p.Category = &kind
		return err
	}
	c.Flags().Var(parsed{take, "kind", ""}, "kind", "set the kind: "+memory.CategoryNames+`; "" for none`)
	numberFlag(c, &p.Confidence, "confidence", "1", "set the confidence, 0 to 1; below 0.7 is shown as unsure")
}

// alsoNamed makes --impact another name of --importance, and --tags one of --tag.
func alsoNamed(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "impact":
		name = "importance"
	case "tags":
		name = "tag"
	}
	return pflag.NormalizedName(name)
}

// withKind returns a memory's file with the kind and confidence of a patch, to edit.
func withKind(id memory.ID, file []byte, p api.Patch) ([]byte, error) {
	if p.Category == nil && p.Confidence == nil {
		return file, nil
	}
	f, err := memfile.Parse(file)
	if err != nil {
		return nil, advice.With(memory.NewError(memory.CodeUnreadable, memory.KindRewriteFails, string(id),
			"%s cannot be read: %v", id.File(), err), "edit it without --kind and --confidence")
	}
	m := f.Memory
	if err := p.Apply(&m); err != nil {
		return nil, err
	}
	if m.ID == "" {
		f.Memory.ID, m.ID = id, id // the file's name gives it
	}
	return f.With(m)
}

// groupFlag adds --by to a command, and returns what reports whether to group by kind.
func groupFlag(c *cobra.Command) func() (bool, error) {
	by := c.Flags().String("by", "", `"kind" groups the memories by kind`)
	return func() (bool, error) {
		if *by != "" && *by != "kind" {
			return false, invalid("allowed: kind", "%q is not a grouping", *by)
		}
		return *by != "", nil
	}
}

// byKind prints a listing in sections, one for each kind that it has, and last what has none.
func (a *app) byKind(list api.Listing, print func(api.Listing) error) error {
	if len(list.Memories) == 0 {
		return print(list)
	}
	printed := 0
	for _, category := range append(memory.Categories(), "") {
		section := api.Listing{}
		for _, m := range list.Memories {
			if m.Category == category {
				m.Category = "" // the heading says it
				section.Memories = append(section.Memories, m)
			}
		}
		n := len(section.Memories)
		if n == 0 {
			continue
		}
		heading := fmt.Sprintf("%s (%d)", cmp.Or(category, "none"), n)
		if printed > 0 {
			heading = "\n" + heading
		}
		if err := a.println(heading); err != nil {
			return err
		}
		printed += n
		section.Total = n
		if err := print(section); err != nil {
			return err
		}
	}
	if list.HasMore {
		fmt.Fprintf(a.stderr, "%d of %d; --offset shows more\n", printed, list.Total)
	}
	return nil
}

// onlyOfAgent describes --agent of commands that find memories.
const onlyOfAgent = "only memories that are for sessions of the agent `NAME`"

// agentFlag adds --agent to a command.
func agentFlag(c *cobra.Command, to *string, help string) { c.Flags().StringVar(to, "agent", "", help) }

// completeAgents offers the names of agents that memories are for.
func (a *app) completeAgents(_ []string, begun string) []string {
	list, err := a.engine(lockWait).List(context.Background(), api.ListFilter{Include: api.IncludeAll, AnyAgent: true,
		Limit: everything})
	if err != nil {
		return nil
	}
	var offers []string
	for _, m := range list.Memories {
		name := cell(m.Agent)
		if name != "" && strings.HasPrefix(name, begun) && !slices.Contains(offers, name) &&
			len(offers) < mostCompleted {
			offers = append(offers, name)
		}
	}
	slices.Sort(offers)
	return offers
}
