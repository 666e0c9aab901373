package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/clients"
	"ltm/cmd/internal/terminal"
	"ltm/cmd/internal/wiring"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/engine/person"
	"ltm/hooks"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/setup"
	"ltm/text/safe"
)

const hookCommand = "hook"

// maxHookError is the maximum length of the line that a failed hook writes, in characters.
const maxHookError = 500

// hookUsage documents the hook command. Run handles the command before cobra does, because
// hooks run at every tool call and must not exit with 2.
func (a *app) hookUsage() *cobra.Command {
	c := &cobra.Command{Use: "hook EVENT", ValidArgs: hooks.Events()}
	client := c.Flags().String(clientFlag, "", "the client that calls: "+strings.Join(clients.Names(), ", "))
	c.RunE = func(c *cobra.Command, given []string) error { // after a flag such as -C
		if *client != "" {
			given = append(given, "--"+clientFlag, *client)
		}
		if a.runHook(c.Context(), given) != exitOK {
			return errQuiet
		}
		return nil
	}
	return c
}

// clientFlag names the client that calls a hook. Without it, the payload says which one it is.
const clientFlag = "client"

// runHook handles one event.
func (a *app) runHook(ctx context.Context, args []string) int {
	return a.guarded(func() error { return a.handleEvent(ctx, args) })
}

// guarded runs a hook. Any failure is one line on standard error and status 1: the client shows the line and goes on.
func (a *app) guarded(hook func() error) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(a.stderr, "ltm hook: internal error: %v\n", p)
			status = exitFailure
		}
	}()
	if err := hook(); err != nil {
		fmt.Fprintf(a.stderr, "ltm hook: %s\n", safe.Clip(cell(hooks.NextSteps().Tell(err, advice.Reading)),
			maxHookError))
		return exitFailure
	}
	return exitOK
}

const (
	// firstByte is how long ltm without arguments waits for a payload to begin, and wholePayload for all of it. A
	// client has it ready.
	firstByte    = 200 * time.Millisecond
	wholePayload = 2 * time.Second

	// maxBare bounds such a payload, in bytes.
	maxBare = 1 << 20
)

// bareCall reads the event of a client that starts ltm without arguments: some drop those that its settings have. ok
// is false if the input is anything else.
func (a *app) bareCall() (call hooks.Call, ok bool) {
	begun, read := make(chan bool, 1), make(chan []byte, 1)
	go func() {
		in := bufio.NewReader(a.stdin)
		object := beginsObject(in)
		if begun <- object; !object {
			return
		}
		data, err := io.ReadAll(io.LimitReader(in, maxBare+1))
		if err != nil || len(data) > maxBare {
			data = nil
		}
		read <- data
	}()
	select {
	case object := <-begun:
		if !object {
			return call, false
		}
	case <-time.After(firstByte):
		return call, false
	}
	select {
	case data := <-read:
		call, err := hooks.Read(bytes.NewReader(data), "", "", a.getenv)
		return call, err == nil
	case <-time.After(wholePayload):
		return call, false
	}
}

// beginsObject skips white space, and reports whether a JSON object can follow.
func beginsObject(in *bufio.Reader) bool {
	for {
		b, err := in.ReadByte()
		if err != nil || !strings.ContainsRune(" \t\r\n", rune(b)) {
			return err == nil && b == '{' && in.UnreadByte() == nil
		}
	}
}

// hooked returns the stores that an event is about. The blocks of sessions and prompts have the person's
// memories, which fade by the ends of sessions: the hooks of tools do not even look for them.
func (a *app) hooked(event string, tell func(memory.Note)) hooks.Engine {
	hookEngine := func(place locate.Place) *engine.Engine {
		o := a.env().Options(wiring.Open(place), hookLockWait, place)
		o.Notice, o.ByModel = tell, true
		o.Signer, o.Hurried = a.env().HookSigner(place), true
		o.Files = a.env().WorkTree(place, false)
		if !place.Own && slices.Contains([]string{clients.SessionStart, clients.PreCompact, clients.PostCompact,
			clients.SessionEnd}, event) {
			o.Packets = a.env().Packets(o.Store, place, hookLockWait)
		}
		return engine.New(o)
	}
	project := hookEngine(a.place())
	if !slices.Contains([]string{clients.SessionStart, clients.UserPromptSubmit, clients.SubagentStart,
		clients.SessionEnd}, event) {
		return person.NewShelves(project, nil, nil)
	}
	if _, err := os.Stat(a.env().PersonDir()); errors.Is(err, fs.ErrNotExist) {
		return person.NewShelves(project, nil, nil)
	}
	shelf := a.shelf()
	if shelf.None == "" {
		return person.NewShelves(project, hookEngine(shelf.Place), nil)
	}
	if event == clients.SessionStart && a.hasShelf(shelf) {
		tell(memory.Advise(memory.KindUserNone, "", "your own memories are left out here: "+shelf.None))
	}
	return person.NewShelves(project, nil, nil)
}

// sharedTwice says how to remove a second registration beside the team's hooks.
const sharedTwice = `"ltm init" removes those in .claude/settings.local.json if ltm is on the PATH`

// handleEvent reads the event that the arguments name, and handles it.
func (a *app) handleEvent(ctx context.Context, args []string) error {
	rest, client, err := hookArguments(args)
	if err != nil {
		return err
	}
	shared := len(rest) == 2 && rest[1] == setup.SharedHook
	if len(rest) != 1 && !shared {
		return invalid("allowed: "+strings.Join(hooks.Events(), ", "), "hook takes one event, and %d were given",
			len(rest))
	}
	event, err := hooks.ParseEvent(rest[0])
	if err != nil {
		return err
	}
	if shared { // they leave the work to hooks of the person's own
		client := setup.Look(setup.Where{Project: a.projectDir(), Config: a.env().ClientConfig()})
		if own := client.OwnHooks(); own != "" {
			if event == clients.SessionStart {
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
	call, err := hooks.Read(a.stdin, event, client, a.getenv)
	if err != nil {
		return err
	}
	return a.handle(ctx, call)
}

// hookArguments takes the client from the arguments of a hook.
func hookArguments(args []string) (rest []string, client string, err error) {
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		switch {
		case name != "--"+clientFlag:
			rest = append(rest, args[i])
			continue
		case !joined && i+1 < len(args):
			i++
			value = args[i]
		}
		if client = value; client == "" {
			return nil, "", invalid("allowed: "+strings.Join(clients.Names(), ", "), "--client names no client")
		}
	}
	return rest, client, nil
}

// handle handles an event.
func (a *app) handle(ctx context.Context, call hooks.Call) error {
	if own := call.Client.Setup.Hooks; call.Guessed && call.Client.Name != clients.Claude().Name && own != "" &&
		slices.Contains(setup.Registered(a.projectDir(), call.Client), own) {
		return nil // the client runs Claude Code's hooks beside its own
	}
	if id, record := call.Session(); call.Client.Noted != "" && record == "" && id == filepath.Base(id) {
		noted := strings.Replace(call.Client.Noted, "*", id, 1)
		call = call.WithRecord(filepath.Join(a.env().ClientDir(call.Client), filepath.FromSlash(noted)))
	}
	var out bytes.Buffer
	var notice string // shown only if there is no error: a hook writes one line
	tell := func(n memory.Note) { notice = hooks.NextSteps().Say(n) }
	err := call.Run(ctx, a.hooked(call.Event, tell), &out)
	_, writeErr := a.stdout.Write(out.Bytes())
	err = cmp.Or(err, writeErr)
	if err == nil && notice != "" {
		a.notice(notice)
	}
	return err
}
