// Command ltm is the long-term memory of Claude Code: an MCP server, a hook
// runner and a command line. See README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"ltm/internal/hookguard"
)

// endings returns the signals that end the context. SIGHUP ends the server's, unless
// it was started to ignore it.
func endings(args []string) []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if len(args) > 0 && args[0] == mcpCommandName && !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// hurriedGC is how much garbage a process may leave that ends within moments, in
// percent of what it uses: collecting it before would only take time.
const hurriedGC = 400

func main() {
	ctx := context.Background()
	if len(os.Args) < 2 || os.Args[1] != mcpCommandName {
		debug.SetGCPercent(hurriedGC)
	}
	if len(os.Args) > 1 && os.Args[1] == hookCommand {
		// A hook lives for a few milliseconds and may be killed at any point:
		// it does without the threads that handling signals takes.
		os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, hookguard.Contain(), os.Getenv))
	}
	ctx, stop := signal.NotifyContext(ctx, endings(os.Args[1:])...)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
