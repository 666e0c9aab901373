package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

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
