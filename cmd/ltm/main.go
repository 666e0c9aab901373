//go:build !manual

// Command ltm is the long-term memory of Claude Code: an MCP server, a hook runner and a command line. See README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"ltm/internal/hookguard"
)

// endings returns the signals that end the program. SIGHUP ends the server, unless it was started with SIGHUP ignored.
func endings(args []string) []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if len(args) > 0 && args[0] == mcpCommandName && !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// hurriedGC is the garbage collection target of processes that end within moments, in
// percent: to collect earlier would only take time.
const hurriedGC = 400

// hurry sets the garbage collector's target for every process but a server.
func hurry(args []string) {
	if len(args) == 0 || args[0] != mcpCommandName {
		debug.SetGCPercent(hurriedGC)
	}
}

func main() {
	ctx := context.Background()
	hurry(os.Args[1:])
	if len(os.Args) == 1 || os.Args[1] == hookCommand {
		// A hook lives for a few milliseconds and may be killed at any point, so it
		// does not need the threads that handling signals takes.
		os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, hookguard.Contain(), os.Getenv))
	}
	if isStatusLine(os.Args[1:]) {
		os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	ctx, stop := signal.NotifyContext(ctx, endings(os.Args[1:])...)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
