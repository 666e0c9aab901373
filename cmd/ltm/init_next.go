package main

import (
	"context"
	"path"
	"slices"
	"strings"

	"ltm/cmd/internal/gitstore"
	"ltm/engine/locate"
	"ltm/setup"
)

const (
	// localSettings are the settings of one machine.
	localSettings = ".claude/settings.local.json"

	// excludeList is the clone's list of what git ignores, in the changes of a plan.
	excludeList = ".git/info/exclude"

	// storeFolder is the path of a project's store.
	storeFolder = ".claude/ltm"
)

// ignored asks git which files of a project it ignores. Names are paths below the project;
// false: git does not say.
func (a *app) ignored(ctx context.Context, place locate.Place, names ...string) (map[string]gitstore.Rule, bool) {
	const up = "../../" // from the store to the project
	inStore := make([]string, len(names))
	for i, name := range names {
		inStore[i] = up + name
	}
	found, err := a.git(place).Ignored(ctx, inStore...)
	rules := map[string]gitstore.Rule{}
	for name, rule := range found {
		rules[strings.TrimPrefix(name, up)] = rule
	}
	return rules, err == nil
}

// showsLocal reports whether git would include this machine's settings in a commit.
func (a *app) showsLocal(ctx context.Context, place locate.Place) bool {
	rules, ok := a.ignored(ctx, place, localSettings)
	_, ignored := rules[localSettings]
	return ok && !ignored
}

// sharing returns which files of an init to commit, and what teammates then do.
func (a *app) sharing(ctx context.Context, o setup.Options, plan *setup.Plan) []string {
	var names []string
	for _, c := range plan.Changes {
		name := c.Path
		switch {
		case c.Action == setup.Kept, name == localSettings, strings.HasPrefix(name, ".git/"):
			continue
		case name == storeFolder || strings.HasPrefix(name, storeFolder+"/"):
			name = storeFolder + "/README.md" // represents the whole store
		}
		names = append(names, name)
	}
	rules, ok := a.ignored(ctx, a.projectPlace(), append(names, storeFolder+"/"+anyMemory)...)
	if !ok {
		return nil
	}
	var next []string
	if rule, ignored := rules[storeFolder+"/"+anyMemory]; ignored && !o.NoStore {
		next = append(next, "git ignores the memories ("+rule.String()+"), so they stay in this clone; to share them, "+
			unignored(rule))
	}
	var commit []string
	for _, name := range names {
		if _, ignored := rules[name]; ignored {
			continue
		}
		switch dir := path.Dir(name); dir {
		case storeFolder, ".claude/commands":
			name = dir
		}
		if !slices.Contains(commit, name) {
			commit = append(commit, name)
		}
	}
	if len(commit) == 0 {
		return next
	}
	teammate := "teammates install ltm, pull, and run ltm init once, because hooks are set up per machine and not " +
		"committed; ltm trust lists what others wrote"
	switch {
	case plan.Does(".claude/settings.json") != setup.Kept || o.Shared:
		teammate = "teammates install ltm on the PATH and pull; ltm trust lists what others wrote"
	case o.Client.Plugin != nil:
		teammate = "teammates install the plugin and pull; ltm trust lists what others wrote"
	}
	git := "git"
	if here := a.fromHere(o.Project); here != "." {
		git += " -C " + here
	}
	return append(next, "to share the setup, commit it: "+git+" add "+strings.Join(commit, " "), teammate)
}
