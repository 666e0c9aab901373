package main

import (
	"github.com/spf13/cobra"

	"ltm/mcp"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools to Claude Code over standard input and output",
		Args:  args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return mcp.Serve(c.Context(), a.engine(lockWait), mcp.Options{
				Version: version, Session: a.getenv("CLAUDE_CODE_SESSION_ID"), Stdin: a.stdin, Stdout: a.stdout, Log: a.stderr,
			})
		},
	}
}
