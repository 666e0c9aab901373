package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/mcp"
	"ltm/store"
)

const mcpCommandName = "mcp"

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:  mcpCommandName,
		Args: noArguments(),
		RunE: func(c *cobra.Command, _ []string) error {
			if terminal.Is(a.stdin) {
				fmt.Fprintln(a.stderr,
					"ltm mcp: waiting for an MCP client's messages on standard input; "+
						"Claude Code starts this by itself, Ctrl-D ends it")
			}
			served := func(place locate.Place) *engine.Engine {
				s := store.New(place.Places, time.Now)
				s.Serve()
				o := a.options(s, lockWait, place)
				o.ToModel, o.ByModel = true, true
				return engine.New(o)
			}
			var person *engine.Engine
			if shelf := a.shelf(); shelf.None == "" {
				person = served(shelf.Place)
			}
			project := served(a.place())
			packets := a.env().Packets(store.New(a.place().Places, time.Now), a.place(), lockWait)
			packets.Engine = project
			e := engine.NewShelves(project, person, a.shelfError())
			// The first question should find the index ready. An error here occurs
			// again, and is reported, when something is asked.
			go func() { _ = e.Warm(c.Context()) }()
			defer e.CountAccesses(context.WithoutCancel(c.Context()))
			return mcp.Serve(c.Context(), e, mcp.Options{
				Version: version, Session: a.getenv("CLAUDE_CODE_SESSION_ID"), Stdin: fromClient(a.stdin),
				Stdout: a.stdout, Log: a.stderr, Packets: packets,
			})
		},
	}
}
