package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/engine/person"
	"ltm/hooks"
	"ltm/mcp"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/setup"
	"ltm/store"
	"ltm/text/safe"
)

const hookCommand = "hook"

// maxHookError is the maximum length of the line that a failed hook writes, in characters.
const maxHookError = 500

// hookUsage documents the hook command. Run handles the command before cobra does, because
// hooks run at every tool call and must not exit with 2.
func (a *app) hookUsage() *cobra.Command {
	return &cobra.Command{
		Use:       "hook EVENT",
		ValidArgs: hooks.Events(),
		RunE: func(c *cobra.Command, given []string) error { // after a flag such as -C
			if a.runHook(c.Context(), given) != exitOK {
				return errQuiet
			}
			return nil
		},
	}
}

// isHook reports whether the arguments are an event to handle rather than a request for help.
func isHook(args []string) bool {
	return len(args) > 0 && args[0] == hookCommand && !(len(args) == 2 && (args[1] == "--help" || args[1] == "-h"))
}

// runHook handles one event. Any failure is one line on standard error and status 1: the
// client shows the line and goes on.
func (a *app) runHook(ctx context.Context, args []string) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(a.stderr, "ltm hook: internal error: %v\n", p)
			status = exitFailure
		}
	}()
	if err := a.handleEvent(ctx, args); err != nil {
		fmt.Fprintf(a.stderr, "ltm hook: %s\n", safe.Clip(cell(hooks.NextSteps().Tell(err, advice.Reading)),
			maxHookError))
		return exitFailure
	}
	return exitOK
}

// hooked returns the stores that an event is about. The blocks of sessions and prompts have the person's
// memories, which fade by the ends of sessions: the hooks of tools do not even look for them.
func (a *app) hooked(event string, tell func(memory.Note)) hooks.Engine {
	hookEngine := func(place locate.Place) *engine.Engine {
		o := a.options(store.New(place.Places, time.Now), hookLockWait, place)
		o.Notice, o.ByModel = tell, true
		o.Signer, o.Hurried = a.env().HookSigner(place), true
		o.Files = a.env().WorkTree(place, false)
		if !place.Own && slices.Contains([]string{hooks.SessionStart, hooks.PreCompact, hooks.PostCompact,
			hooks.SessionEnd}, event) {
			o.Packets = a.env().Packets(o.Store, place, hookLockWait)
		}
		return engine.New(o)
	}
	project := hookEngine(a.place())
	if !slices.Contains([]string{hooks.SessionStart, hooks.UserPromptSubmit, hooks.SubagentStart, hooks.SessionEnd},
		event) {
		return person.NewShelves(project, nil, nil)
	}
	if _, err := os.Stat(a.env().PersonDir()); errors.Is(err, fs.ErrNotExist) {
		return person.NewShelves(project, nil, nil)
	}
	shelf := a.shelf()
	if shelf.None == "" {
		return person.NewShelves(project, hookEngine(shelf.Place), nil)
	}
	if event == hooks.SessionStart && a.hasShelf(shelf) {
		tell(memory.Advise(memory.KindUserNone, "", "your own memories are left out here: "+shelf.None))
	}
	return person.NewShelves(project, nil, nil)
}

// sharedTwice says how to remove a second registration beside the team's hooks.
const sharedTwice = `"ltm init" removes those in .claude/settings.local.json if ltm is on the PATH`

// ownHooks returns where the person has hooks of their own, to which those of the team leave the work, or "".
func (a *app) ownHooks() string {
	return setup.Look(setup.Where{Project: a.projectDir(), Config: a.env().ClientConfig()}).OwnHooks()
}

func (a *app) handleEvent(ctx context.Context, args []string) error {
	shared := len(args) == 2 && args[1] == setup.SharedHook
	if len(args) != 1 && !shared {
		return invalid("allowed: "+strings.Join(hooks.Events(), ", "), "hook takes one event, and %d were given",
			len(args))
	}
	event, err := hooks.ParseEvent(args[0])
	if err != nil {
		return err
	}
	if shared {
		if own := a.ownHooks(); own != "" {
			if event == hooks.SessionStart {
				a.notice("the hooks are registered twice, and only those in " + own + " run; " + sharedTwice)
			}
			return nil
		}
	}
	if terminal.Is(a.stdin) {
		fmt.Fprintf(a.stderr,
			"ltm hook: waiting for the payload of %s on standard input; Claude Code starts this by itself, "+
				"Ctrl-D ends it\n", event)
	}
	var out bytes.Buffer
	var notice string // shown only if there is no error: a hook writes one line
	tell := func(n memory.Note) { notice = hooks.NextSteps().Say(n) }
	err = hooks.Run(ctx, a.hooked(event, tell), event, a.stdin, &out)
	if _, writeErr := a.stdout.Write(out.Bytes()); err == nil {
		err = writeErr
	}
	if err == nil && notice != "" {
		a.notice(notice)
	}
	return err
}

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
			var own *engine.Engine
			if shelf := a.shelf(); shelf.None == "" {
				own = served(shelf.Place)
			}
			project := served(a.place())
			packets := a.env().Packets(store.New(a.place().Places, time.Now), a.place(), lockWait)
			packets.Engine = project
			e := person.NewShelves(project, own, a.shelfError())
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
