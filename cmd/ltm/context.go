package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

func (a *app) contextCommand() *cobra.Command {
	c := &cobra.Command{Use: "context", Args: noArguments()}
	var q api.ContextQuery
	agentFlag(c, &q.Agent, "as a session with the agent `NAME` gets it")
	c.Flags().StringVar(&q.Style, "style", "", "full or compact, instead of the setting context_style")
	c.Flags().IntVar(&q.Budget, "budget", 0, "the size in `TOKENS`, instead of the setting context_budget_tokens")
	whole := c.Flags().Int("whole", 0, "how many memories are shown whole, instead of the setting memories_to_load")
	c.Flags().StringVar(&q.Profile, "profile", "", "balanced or classic, instead of the setting priority_profile")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("whole") {
			q.Whole = whole
		}
		block, err := a.shelves(lockWait).NextContext(c.Context(), q)
		return answer(a, block, err, a.printContext)
	}
	return c
}

func (a *app) printContext(block api.Context) error {
	if block.Text == "" {
		fmt.Fprintln(a.stderr, "the next session starts without memories: "+emptyBecause(block))
		return nil
	}
	if err := a.println(block.Text); err != nil { // which is already safe, and has tags of its own
		return err
	}
	fmt.Fprintln(a.stderr, contextSummary(block))
	return nil
}

func emptyBecause(block api.Context) string {
	if block.Limit == "count" {
		return "memories_to_load is 0"
	}
	return "there are none to show"
}

// contextSummary says in one line how large a block is and what limited it.
func contextSummary(block api.Context) string {
	text := fmt.Sprintf("%d characters, about %d tokens; shown: %d of %d", block.Characters, block.Tokens,
		len(block.Memories), len(block.Memories)+block.NotShown)
	switch block.Limit {
	case "tokens":
		text += fmt.Sprintf("; the limit is context_budget_tokens (%d)", block.Budget.Tokens)
	case "client":
		text += fmt.Sprintf("; the limit is the client's, which shows at most %d characters, not "+
			"context_budget_tokens (%d)", block.Budget.Characters, block.Budget.Tokens)
	case "count":
		text += "; the limit is memories_to_load, others are shown by title"
	}
	return text
}

// budgetText is a budget in the status.
func budgetText(style any, b api.Budget) string {
	text := fmt.Sprintf("%v, at most %d tokens", style, b.Tokens)
	if b.ByClient {
		text += fmt.Sprintf("; the client's limit of %d characters is lower", b.Characters)
	}
	return text
}
