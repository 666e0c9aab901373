package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm"
	"ltm/engine"
	"ltm/engine/change"
	"ltm/engine/locate"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/setup"
	"ltm/store"
)

// finding is the result of one check.
type finding struct {
	Check string `json:"check"`
	State string `json:"state"` // ok, warn, fail
	Found string `json:"found"`
	Do    string `json:"do"` // what to do about it; "" if it is ok
}

// The states of a finding.
const (
	stateOK   = "ok"
	stateWarn = "warn"
	stateFail = "fail"
)

func fine(found string) finding     { return finding{State: stateOK, Found: found} }
func warn(found, do string) finding { return finding{State: stateWarn, Found: found, Do: do} }
func fail(found, do string) finding { return finding{State: stateFail, Found: found, Do: do} }

// doctorReport is what doctor prints for programs.
type doctorReport struct {
	OK     bool      `json:"ok"` // no finding failed
	Checks []finding `json:"checks"`
}

// doctor checks an installation. It changes nothing, except that the store's scan cache may
// be brought up to date, as by every command that reads.
type doctor struct {
	a       *app
	project string
	place   locate.Place
	client  setup.Client
	engine  *engine.Engine
	session *change.SeenSession // the last session that hooks saw, or nil
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{Use: "doctor", Args: noArguments(), RunE: func(c *cobra.Command, _ []string) error {
		project := a.projectDir()
		d := &doctor{a: a, project: project, place: a.place(), client: a.client(project), engine: a.engine(lockWait)}
		r := d.examine(c.Context())
		return verdict(a, r, nil, r.OK, a.printDoctor)
	}}
}

func (a *app) printDoctor(r doctorReport) error {
	var lines []string
	for _, f := range r.Checks {
		lines = append(lines, fmt.Sprintf("%-4s  %-8s  %s", f.State, f.Check, cell(f.Found)))
		if f.Do != "" {
			lines = append(lines, strings.Repeat(" ", 16)+"→ "+cell(f.Do))
		}
	}
	return a.println(lines...)
}

func (d *doctor) examine(ctx context.Context) doctorReport {
	d.session, _ = d.engine.LastSession(ctx) // the check of the files reports what is unreadable
	r := doctorReport{OK: true}
	ofProject := []string{"settings", "hooks", "events", "server", "user"} // the others are also of the person's store
	for _, c := range []struct {
		name string
		look func(context.Context) finding
	}{
		{"version", d.version}, {"store", d.store}, {"settings", d.settings}, {"hooks", d.hooks}, {"events", d.events},
		{"server", d.server}, {"git", d.git}, {"lock", d.lock}, {"files", d.files}, {"config", d.config},
		{"trust", d.trust}, {"user", d.user},
	} {
		if d.a.scope == api.ScopeUser && slices.Contains(ofProject, c.name) {
			continue
		}
		f := c.look(ctx)
		f.Check = c.name
		r.OK = r.OK && f.State != stateFail
		r.Checks = append(r.Checks, f)
	}
	if d.a.scope != api.ScopeUser {
		r.Checks = append(r.Checks, d.otherClients(ctx)...)
	}
	return r
}

// version compares the binary with the plugin.
func (d *doctor) version(context.Context) finding {
	self, err := os.Executable()
	if err != nil {
		self = "?"
	}
	found := fmt.Sprintf("ltm %s (%s)", version, self)
	plugin := d.client.Plugin
	switch {
	case plugin == nil:
		return fine(found + ", without the plugin")
	case plugin.Root == "":
		return warn(found+"; "+plugin.Why+", but it is not installed",
			"claude plugin install ltm@MARKETPLACE, as the README says")
	case plugin.Version == "":
		return warn(found+"; the plugin at "+plugin.Root+" has no readable manifest", "reinstall the plugin")
	case plugin.Version != version:
		return warn(fmt.Sprintf("%s; the plugin at %s is version %s", found, plugin.Root, plugin.Version),
			"update the older one: make install, or claude plugin update ltm")
	}
	return fine(found + ", and the plugin has the same version")
}

// store reports where the store is and why it is there.
func (d *doctor) store(context.Context) finding {
	if err := store.New(d.place.Places, time.Now).CheckLinks(); err != nil {
		return fail(found(err), nextStep(err))
	}
	if !d.engine.Exists() {
		return warn(fmt.Sprintf("none yet; it would be %s (%s)", d.place.Store, d.place.Why),
			`"ltm init" or the first memory creates it; until then, hooks do nothing`)
	}
	return fine(fmt.Sprintf("%s (%s); the files of this clone are in %s", d.place.Store, d.place.Why, d.place.Clone))
}

// settings reports settings files of the client that are unreadable, and what the administrator says of plugins.
func (d *doctor) settings(context.Context) finding {
	if p := d.client.Problems; len(p) > 0 {
		return warn(strings.Join(p, "; "),
			"correct them by hand: ltm cannot read them, and perhaps Claude Code cannot either")
	}
	if why := d.client.Managed.Plugin; why != "" {
		return warn(why, `without the plugin, "ltm init" sets up a project; to have the plugin, `+askAdministrator)
	}
	return fine("Claude Code's settings files are readable")
}

// events reports when a hook last ran.
func (d *doctor) events(ctx context.Context) finding {
	switch s := d.session; {
	case !d.engine.Exists():
		return fine("none; there is no store yet")
	case s == nil:
		return warn("no hook has run yet", `restart Claude Code in this project, and run "ltm doctor" again`)
	default:
		state := "open"
		if s.Ended {
			state = "ended"
		}
		return fine(fmt.Sprintf("%s, %s, last seen on %s after %d tool calls", d.sessionName(ctx), state,
			s.LastSeen.Local().Format(time.DateTime), s.Tools))
	}
}

// server starts the server as the client does, and checks where it is registered.
func (d *doctor) server(ctx context.Context) finding {
	took := time.Duration(0)
	self, err := os.Executable()
	if err == nil { // a real server, but without a store, so that it changes nothing
		took, err = d.converse(ctx, initializeRequest, isInitialized, self, "mcp")
	}
	if err != nil {
		return fail("it does not answer initialize: "+err.Error(), `run "ltm mcp" and see what it says`)
	}
	answers := fmt.Sprintf("answers initialize after %d ms", took.Milliseconds())
	if why := d.client.Managed.Server; why != "" {
		return fail(answers+", but Claude Code does not start it: "+why, askAdministrator)
	}
	var places []string
	if d.client.Plugin != nil {
		places = append(places, "the plugin")
	}
	for _, r := range d.client.Servers {
		if r.Taken {
			return warn(answers+`, but another server in `+r.Place+` is named "ltm"`,
				`rename that one, and run "ltm init"`)
		}
		if missing := unknownPrograms(r.Commands); missing != "" {
			return fail(fmt.Sprintf("%s; %s starts %q, which cannot be run", answers, r.Place, missing),
				"put ltm on the PATH: make install")
		}
		places = append(places, r.Place)
	}
	switch {
	case len(places) == 0 && d.hasOthers():
		return fine(answers + "; " + othersAlone)
	case len(places) == 0 && d.session != nil:
		return warn(answers+"; no file registers it", "expected with --plugin-dir; otherwise, run \"ltm init\"")
	case len(places) == 0:
		return fail(answers+", but is not registered", "run \"ltm init\", or install the plugin")
	case d.client.Plugin != nil && len(places) > 1:
		return warn(answers+"; registered twice, so its tools appear twice: "+strings.Join(places, " and in "),
			"remove it from "+places[1])
	}
	return fine(answers + "; registered in " + places[0])
}

// initializeRequest is what a client says to a server first.
const initializeRequest = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"ltm doctor","version":"` + version + `"}}}` + "\n"

// initializeWait is how long the server may take to answer.
const initializeWait = 5 * time.Second

// converse starts a program in the project, writes a request to it, and reads lines until one is the answer.
func (d *doctor) converse(ctx context.Context, request string, answers func(line []byte) (bool, error), program string,
	args ...string) (took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, initializeWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = d.project, time.Second
	cmd.Env = append(os.Environ(), "LTM_DIR="+filepath.Join(os.TempDir(), "ltm-doctor", "no-store"))
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	_, _ = in.Write([]byte(request)) // reading tells what became of it
	lines := bufio.NewReader(out)
	for done := false; err == nil && !done; {
		var line []byte
		if line, err = lines.ReadBytes('\n'); err != nil {
			err = fmt.Errorf("it exited without an answer: %w", err)
			break
		}
		done, err = answers(line)
	}
	took = time.Since(start)
	in.Close()
	err = cmp.Or(err, cmd.Wait())
	if ctx.Err() != nil {
		err = fmt.Errorf("no answer within %s", initializeWait)
	}
	return took, err
}

// isInitialized reads the answer to initializeRequest.
func isInitialized(line []byte) (bool, error) {
	var answer struct {
		Result struct {
			ServerInfo struct{ Name, Version string }
		}
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return false, fmt.Errorf("it wrote %q: %w", line, err)
	}
	if s := answer.Result.ServerInfo; s.Name != "ltm" || s.Version != version {
		return false, fmt.Errorf("it is %q version %q", s.Name, s.Version)
	}
	return true, nil
}

// lock checks whether another process holds the store's lock.
func (d *doctor) lock(ctx context.Context) finding {
	if _, err := os.Stat(filepath.Join(d.place.Clone, "lock")); err != nil || !d.engine.Exists() {
		return fine("free") // it was never taken for this store
	}
	err := d.engine.ProbeLock(ctx)
	switch memory.CodeOf(err) {
	case "":
		if err != nil {
			return fail(found(err), nextStep(err))
		}
		return fine("free")
	case memory.CodeBusy:
		return warn("held by another process for more than "+lockWait.String(),
			"look for an ltm process that hangs; a Claude Code session holds the lock only for milliseconds")
	}
	return fail(found(err), nextStep(err))
}

// trust reports memories that were not written in this clone.
func (d *doctor) trust(ctx context.Context) finding {
	r, err := d.engine.Trusted(ctx)
	if err != nil {
		return fail(found(err), nextStep(err))
	}
	text := elsewhere(r)
	if len(r.Foreign) > 0 && r.Trust == "ask" {
		return warn(text, `"ltm trust" lists them, "ltm show ID" shows one, "ltm trust ID" approves it`)
	}
	return fine(text)
}

// found and nextStep take an error apart.
func found(err error) string {
	message, _ := nextSteps().Split(err, advice.Reading)
	return message
}

func nextStep(err error) string {
	_, hint := nextSteps().Split(err, advice.Reading)
	return cmp.Or(hint, "check the directory and its disk")
}

// askAdministrator is what to do about settings that come before a person's own.
const askAdministrator = "ask who administers this machine; no other setting takes precedence over it"

// hooks checks that the hooks are registered exactly once.
func (d *doctor) hooks(context.Context) finding {
	var places []string
	if d.client.Plugin != nil {
		places = append(places, "the plugin")
	}
	for _, r := range d.client.Hooks {
		places = append(places, r.Place)
	}
	other, elsewhere := d.a.unhooked(d.project, func() setup.Client { return d.client })
	switch {
	case d.client.Managed.Hooks != "":
		return fail("they do not run: "+d.client.Managed.Hooks, askAdministrator)
	case d.client.Disabled != "":
		return fail(d.client.Disabled+" sets disableAllHooks",
			"remove that setting; without hooks, nothing is remembered automatically")
	case len(places) == 0 && elsewhere:
		return fail("not registered in this work tree, but in "+other.fromHere+", where ltm init was run",
			`"ltm init" registers them in every work tree; "ltm init --shared" also in those that are made later`)
	case len(places) == 0 && d.hasOthers():
		return fine(othersAlone)
	case len(places) == 0 && d.session != nil:
		return warn("no settings file registers them, but they ran",
			"expected with --plugin-dir; otherwise, run \"ltm init\"")
	case len(places) == 0:
		return fail("not registered", "run \"ltm init\", or install the plugin")
	case len(places) == 2 && slices.ContainsFunc(d.client.Hooks, setup.Registration.Shared):
		return warn("registered twice, and only those in "+d.client.OwnHooks()+" run: in "+
			strings.Join(places, " and in "), sharedTwice)
	case len(places) > 1:
		return warn("registered twice, so they run twice: in "+strings.Join(places, " and in "), d.single())
	case d.client.Plugin != nil:
		return pluginHooks(d.client.Plugin, runtime.GOOS == "windows")
	}
	return d.registration(d.client.Hooks[0])
}

// single says how to remove a second registration.
func (d *doctor) single() string {
	if d.client.Plugin != nil && len(d.client.Hooks) == 1 &&
		strings.HasSuffix(d.client.Hooks[0].Place, "settings.local.json") {
		return `"ltm init --undo" and then "ltm init" leaves them to the plugin`
	}
	return "remove ltm's hooks from all places but one"
}

// registration checks the hooks in one settings file.
func (d *doctor) registration(r setup.Registration) finding {
	if r.Shared() && onPath("ltm") == "" {
		return fail(r.Place+" starts ltm, which is not on the PATH", "put it there, or run \"ltm init\"")
	}
	if missing := unknownPrograms(r.Commands); missing != "" {
		return fail(fmt.Sprintf("%s starts %q, which cannot be run", r.Place, missing),
			"run \"ltm init\", or correct it")
	}
	want, err := wantedEvents()
	if err != nil {
		return fail(err.Error(), "reinstall ltm")
	}
	lacking := slices.DeleteFunc(want, func(event string) bool { return slices.Contains(r.Events, event) })
	switch {
	case len(lacking) > 0:
		return warn(r.Place+" lacks "+strings.Join(lacking, ", "),
			`"ltm init" adds what is missing to .claude/settings.local.json; add it to other files by hand`)
	case len(r.Events) > len(slices.Compact(slices.Clone(r.Events))):
		return warn(r.Place+" registers ltm's hooks twice, so they run twice",
			`remove the duplicates; "ltm init" does so in .claude/settings.local.json`)
	}
	return fine("registered once, in " + r.Place)
}

// unknownPrograms returns the first program that cannot be run. Commands that the client completes are not checked.
func unknownPrograms(commands []string) string {
	for _, c := range commands {
		if strings.ContainsAny(c, "$ ") && onPath(c) == "" {
			continue // completed by the client, or a shell command
		}
		if onPath(c) == "" {
			return c
		}
	}
	return ""
}

// wantedEvents lists the events that hooks should be registered for.
func wantedEvents() ([]string, error) {
	data, err := ltm.Plugin.ReadFile("hooks/hooks.json")
	if err != nil {
		return nil, err
	}
	var v struct{ Hooks map[string]json.RawMessage }
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(v.Hooks)), nil
}

// pluginHooks checks whether the client can start the hooks of the plugin. On Windows it does not start scripts as
// hooks, only bin\ltm.exe, which bin\ltm.cmd creates when the server first starts.
func pluginHooks(p *setup.Plugin, windows bool) finding {
	program := filepath.Join(p.Root, "bin", "ltm.exe")
	if _, err := os.Stat(program); windows && p.Root != "" && err != nil {
		return warn("registered once, by the plugin ("+p.Why+"), but Windows cannot start them without "+program,
			`run "`+filepath.Join(p.Root, "bin", "ltm.cmd")+`" version, which creates it`)
	}
	return fine("registered once, by the plugin (" + p.Why + ")")
}
