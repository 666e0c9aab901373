package main

import (
	"time"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/mcp"
	"ltm/store"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools to Claude Code over standard input and output",
		Args:  args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			s := store.New(a.place().Dir, time.Now)
			s.Watch()
			o := options(s, lockWait)
			o.ToModel = true
			e := engine.New(o)
			// The first question should find the index ready. What goes wrong
			// here goes wrong again, and is said, when something is asked.
			go func() { _ = e.Warm(c.Context()) }()
			return mcp.Serve(c.Context(), e, mcp.Options{
				Version: version, Session: a.getenv("CLAUDE_CODE_SESSION_ID"), Stdin: a.stdin, Stdout: a.stdout, Log: a.stderr,
			})
		},
	}
}
