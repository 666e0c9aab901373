// Command ltm is the long-term memory of Claude Code: an MCP server, a hook
// runner and a command line. See README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx := context.Background()
	if len(os.Args) > 1 && os.Args[1] == hookCommand {
		// A hook lives for a few milliseconds and may be killed at any point:
		// it does without the threads that handling signals takes.
		os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
