package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// kindValue is the value of --kind.
type kindValue memory.Category

// String, Set and Type make it the value of a flag.
func (v *kindValue) String() string { return string(*v) }

// Type names the value in help texts.
func (v *kindValue) Type() string { return "kind" }

// Set parses what was given.
func (v *kindValue) Set(s string) error {
	category, err := memory.ParseCategory(s)
	*v = kindValue(category)
	return err
}

// kindFlag adds --kind to a command.
func kindFlag(c *cobra.Command, to *memory.Category, help string) {
	c.Flags().Var((*kindValue)(to), "kind", help)
}

// importanceValue is the value of --importance.
type importanceValue memory.Importance

// String, Set and Type make it the value of a flag.
func (v *importanceValue) String() string { return string(*v) }

// Type names the value in help texts.
func (v *importanceValue) Type() string { return "string" }

// Set parses what was given; "" is as good as no flag.
func (v *importanceValue) Set(s string) error {
	if s == "" {
		*v = ""
		return nil
	}
	level, err := memory.ParseImportance(s)
	*v = importanceValue(level)
	return err
}

// importanceFlag adds --importance to a command.
func importanceFlag(c *cobra.Command, to *memory.Importance, help string) {
	c.Flags().Var((*importanceValue)(to), "importance", help)
}

const (
	onlyOfKind = "only memories of this kind: " + memory.CategoryNames
	setKind    = "set the kind: " + memory.CategoryNames + `; "" for none`
)

// sureFlag adds --confidence to a command, and returns what gives its value, or nil.
func sureFlag(c *cobra.Command, help string) func() *float64 {
	confidence := c.Flags().Float64("confidence", 1, help)
	return func() *float64 {
		if c.Flags().Changed("confidence") {
			return confidence
		}
		return nil
	}
}

// kindFlags adds --kind and --confidence to a command that changes a memory, and returns
// what puts them into a patch.
func kindFlags(c *cobra.Command) func(*api.Patch) {
	var kind memory.Category
	kindFlag(c, &kind, setKind)
	sure := sureFlag(c, "set the confidence, 0 to 1; below 0.7 is shown as unsure")
	return func(p *api.Patch) {
		if c.Flags().Changed("kind") {
			p.Category = &kind
		}
		p.Confidence = sure()
	}
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

// byKind prints a listing in sections, one for each kind that it has, and last what has
// none.
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
		name := string(category)
		if name == "" {
			name = "none"
		}
		heading := fmt.Sprintf("%s (%d)", name, n)
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
func agentFlag(c *cobra.Command, to *string, help string) {
	c.Flags().StringVar(to, "agent", "", help)
}

// roleFlags is [kindFlags] with --agent.
func roleFlags(c *cobra.Command) func(*api.Patch) {
	var agent string
	agentFlag(c, &agent, `set the agent for whose sessions the memory is; "" for all`)
	kinds := kindFlags(c)
	return func(p *api.Patch) {
		kinds(p)
		if c.Flags().Changed("agent") {
			p.Agent = &agent
		}
	}
}

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
