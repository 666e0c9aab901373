package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ltm/server/conversation/client"
	"ltm/server/conversation/mcp"
)

// mcpCommand offers a user's memory to a model.
func (a *app) mcpCommand() *cobra.Command {
	c := &cobra.Command{Use: "mcp", Args: arguments(0)}
	url := c.Flags().String("url", "http://"+defaultAddr, "the server's `ADDRESS`")
	file := c.Flags().String("key-file", "", "the `FILE` with the application's key")
	user := c.Flags().String("user", "", "the `NAME` of the user, as the application names them")
	agent := c.Flags().String("agent", "", "the `NAME` of the agent that writes; it is kept with what is added")
	thread := c.Flags().String("thread", "", "the `ID` of the user's thread that is added to; without it, a new one is")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *file == "" || *user == "" {
			return invalid("they say which application and whose memory it is", "--key-file or --user is missing")
		}
		key, err := os.ReadFile(*file)
		if err != nil {
			return failed("cannot read the key", err)
		}
		memory, err := client.New(client.Options{URL: *url, Key: strings.TrimSpace(string(key))})
		if err != nil {
			return &fault{status: exitInvalid, message: "cannot ask the server", cause: err}
		}
		o := mcp.Options{Version: version, User: *user, Agent: *agent, Thread: *thread}
		if err := mcp.Serve(c.Context(), memory, o, a.stdin, a.stdout); err != nil {
			return failed("the tools ended", err)
		}
		return nil
	}
	return c
}
