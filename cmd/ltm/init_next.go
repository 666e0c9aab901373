package main

import (
	"context"
	"path"
	"slices"
	"strings"

	"ltm/setup"
)

const (
	// localSettings belong to one machine.
	localSettings = ".claude/settings.local.json"

	// storeFolder is where a project's store is.
	storeFolder = ".claude/ltm"
)

// gitView is what git makes of the files of a project; nil: git has no say.
type gitView struct {
	rules map[string]ignoreRule // by path below the project
}

// lookThroughGit asks git which files of a project it ignores.
func (a *app) lookThroughGit(ctx context.Context, names []string) *gitView {
	tree, prefix, err := openStore(a.projectPlace())
	if err != nil {
		return nil
	}
	prefix = strings.TrimSuffix(prefix, storeFolder+"/")
	full := make([]string, 0, len(names))
	for _, name := range names {
		full = append(full, prefix+name)
	}
	rules, err := ignoreRules(ctx, tree, full)
	if err != nil {
		return nil
	}
	view := &gitView{map[string]ignoreRule{}}
	for name, rule := range rules {
		view.rules[strings.TrimPrefix(name, prefix)] = rule
	}
	return view
}

// showsLocal reports whether git would take this machine's settings into a commit.
func (a *app) showsLocal(ctx context.Context) bool {
	view := a.lookThroughGit(ctx, []string{localSettings})
	if view == nil {
		return false
	}
	_, ignored := view.rules[localSettings]
	return !ignored
}

// sharing says what of an init is to be committed, and what a teammate does with it.
func (a *app) sharing(ctx context.Context, o setup.Options, plan *setup.Plan) []string {
	var names []string
	for _, c := range plan.Changes {
		name := c.Path
		switch {
		case c.Action == setup.Kept, name == localSettings, strings.HasPrefix(name, ".git/"):
			continue
		case name == storeFolder || strings.HasPrefix(name, storeFolder+"/"):
			name = storeFolder + "/README.md" // stands for the whole store
		}
		names = append(names, name)
	}
	view := a.lookThroughGit(ctx, append(names, storeFolder+"/"+anyMemory))
	if view == nil {
		return nil
	}
	var next []string
	if rule, ignored := view.rules[storeFolder+"/"+anyMemory]; ignored && !o.NoStore {
		next = append(next, "git ignores the memories ("+rule.String()+"), so they stay in this clone; to share them, "+
			rule.remedy())
	}
	var commit []string
	for _, name := range names {
		if _, ignored := view.rules[name]; ignored {
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
	if o.Client.Plugin != nil {
		teammate = "teammates install the plugin and pull; ltm trust lists what others wrote"
	}
	git := "git"
	if here := a.fromHere(o.Project); here != "." {
		git += " -C " + here
	}
	return append(next, "to share the setup, commit it: "+git+" add "+strings.Join(commit, " "), teammate)
}
