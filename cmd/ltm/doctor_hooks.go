package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"ltm"
	"ltm/setup"
)

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
		return d.pluginHooks()
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
	var lacking []string
	for _, event := range want {
		if !slices.Contains(r.Events, event) {
			lacking = append(lacking, event)
		}
	}
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

// unknownPrograms returns the first program that cannot be run. Commands that the client
// completes are not checked.
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

func (d *doctor) pluginHooks() finding {
	return pluginHooks(d.client.Plugin, runtime.GOOS == "windows")
}

// pluginHooks checks whether the client can start the hooks of the plugin. On Windows it does
// not start scripts as hooks, only bin\ltm.exe, which bin\ltm.cmd creates when the server
// first starts.
func pluginHooks(p *setup.Plugin, windows bool) finding {
	program := filepath.Join(p.Root, "bin", "ltm.exe")
	if _, err := os.Stat(program); windows && p.Root != "" && err != nil {
		return warn("registered once, by the plugin ("+p.Why+"), but Windows cannot start them without "+program,
			`run "`+filepath.Join(p.Root, "bin", "ltm.cmd")+`" version, which creates it`)
	}
	return fine("registered once, by the plugin (" + p.Why + ")")
}
