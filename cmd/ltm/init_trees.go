package main

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/engine/locate"
	"ltm/internal/git/gitdir"
	"ltm/memory"
	"ltm/setup"
	"ltm/store"
)

// projectTree is a project in a work tree of its clone.
type projectTree struct {
	project  string // its directory
	name     string // of the work tree, as in [setup.Written]
	fromHere string // the directory, from the project in the current work tree
	place    locate.Place
	setup.Written
}

// treeName names a work tree in records: by its git directory, from the clone's.
func treeName(c gitdir.Clone) string {
	name, err := filepath.Rel(c.Common, c.Dir)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(name)
}

// otherTrees returns the project in the other work trees of its clone, where it is there. It reads git's files and
// starts no process.
func (a *app) otherTrees(project string) []projectTree {
	clone := a.projectPlace().Git
	if clone.Common == "" {
		return nil
	}
	below, err := filepath.Rel(clone.Top, locate.Resolved(project))
	if err != nil {
		return nil
	}
	var all []projectTree
	for _, other := range clone.Others() {
		dir := filepath.Join(other.Top, below)
		info, err := os.Stat(dir)
		if err != nil || !info.IsDir() || locate.Resolved(dir) != filepath.Join(locate.Resolved(other.Top), below) {
			continue // it is not on that branch, or a link there leads elsewhere
		}
		t := projectTree{project: dir, name: treeName(other), fromHere: filepath.ToSlash(dir)}
		if rel, err := filepath.Rel(project, dir); err == nil {
			t.fromHere = filepath.ToSlash(rel)
		}
		t.place = locate.Place{Places: locate.Places(filepath.Join(dir, filepath.FromSlash(store.Folder)), "")}
		t.Written = setup.ReadWritten(t.place.Tree)
		all = append(all, t)
	}
	return all
}

// reach is an init or an undo in another work tree.
type reach struct {
	tree projectTree
	plan *setup.Plan
	err  error // why there is no plan, or why it was not carried out
}

// reachInit plans the hooks of the other work trees. All else is committed, and comes with the branch.
func (a *app) reachInit(ctx context.Context, o setup.Options, here *setup.Plan) []reach {
	if o.Shared {
		return nil
	}
	var all []reach
	by, ignored := treeName(a.projectPlace().Git), here.Does(excludeList) != setup.Kept
	for _, t := range a.otherTrees(o.Project) {
		to := o
		to.Project, to.Private, to.By, to.Client = t.project, t.place.Tree, by, a.client(t.project)
		to.ShowsLocal = !ignored && a.showsLocal(ctx, t.place)
		r := reach{tree: t}
		if r.plan, r.err = setup.Init(to); r.err == nil {
			ignored = ignored || r.plan.Does(excludeList) != setup.Kept
		}
		all = append(all, r)
	}
	return all
}

// reachUndo plans to undo what the init of this work tree wrote in others, and that of work trees that are not there
// anymore. kept reports that hooks of init stay in others.
func (a *app) reachUndo(o setup.Options) (all []reach, kept bool) {
	here := treeName(a.projectPlace().Git)
	others := a.otherTrees(o.Project)
	for _, t := range others {
		owned := slices.ContainsFunc(others, func(by projectTree) bool {
			return by.name == t.By && by.Known && by.By == ""
		})
		if t.By == "" || t.By != here && owned {
			kept = kept || t.Hooks
			continue
		}
		to := o
		to.Project, to.Private, to.By, to.Exclude = t.project, t.place.Tree, t.By, ""
		r := reach{tree: t}
		r.plan, r.err = setup.Undo(to)
		kept = kept || r.err != nil
		all = append(all, r)
	}
	return all, kept
}

// changes returns what is done there, and what a person has to do.
func (r *reach) changes() []setup.Change {
	in := func(name string) string { return path.Join(r.tree.fromHere, name) }
	if r.err != nil {
		why := memory.Advise(memory.KindOf(r.err), in(localSettings), found(r.err))
		return []setup.Change{{Action: setup.Kept, Path: in(localSettings), What: why}}
	}
	var all []setup.Change
	for _, c := range r.plan.Changes {
		if c.Action == setup.Kept && !c.What.Advises() {
			continue
		}
		if c.Path != excludeList {
			c.Path = in(c.Path)
		}
		all = append(all, c)
	}
	return all
}

// stillElsewhere says where the init was run that wrote here, after an undo of what it wrote here.
func (a *app) stillElsewhere(o setup.Options, was setup.Written) []string {
	for _, t := range a.otherTrees(o.Project) {
		if t.name == was.By && t.Known {
			return []string{"what ltm init added in " + t.fromHere + " is still there; to remove it: ltm -C " +
				setup.ShellWord(t.fromHere) + " init --undo"}
		}
	}
	return nil
}

// unhooked returns another work tree for which init wrote hooks, if the client has none in this one.
func (a *app) unhooked(project string, client func() setup.Client) (projectTree, bool) {
	trees := a.otherTrees(project)
	i := slices.IndexFunc(trees, func(t projectTree) bool { return t.Hooks })
	if i < 0 {
		return projectTree{}, false
	}
	c := client()
	return trees[i], c.Plugin == nil && len(c.Hooks) == 0 && c.Disabled == "" && c.Managed.Hooks == ""
}

// tellUnhooked tells a person once that a work tree which was made after init has no hooks.
func (a *app) tellUnhooked(c *cobra.Command) {
	for c.HasParent() && c.Parent().HasParent() {
		c = c.Parent()
	}
	silent := []string{"init", "doctor", "mcp", hookCommand, "completion", "version"}
	if a.getenv("CLAUDECODE") != "" || slices.Contains(silent, c.Name()) ||
		strings.HasPrefix(c.Name(), cobra.ShellCompRequestCmd) || a.place().Own { // a completion finds its place later
		return
	}
	place := a.projectPlace()
	if place.Git.Common == "" || setup.ReadWritten(place.Tree).Known {
		return
	}
	project := a.projectDir()
	other, ok := a.unhooked(project, func() setup.Client { return a.client(project) })
	if !ok || setup.Told(place.Tree, cmp.Or(other.By, other.name)) != nil {
		return
	}
	a.notice("this work tree has no hooks, unlike " + other.fromHere + ", so its sessions remember nothing by " +
		`themselves; "ltm init" adds them to every work tree, and "ltm init --shared" also to those that are made ` +
		"later")
}

// lockSetup makes others wait that set up a work tree of this clone: each would take back what the other made.
func (a *app) lockSetup(ctx context.Context) (unlock func(), err error) {
	dir := a.projectDir()
	if clone, ok := gitdir.Find(dir); ok {
		dir = clone.Common
	}
	return store.LockDirectory(ctx, dir, lockWait)
}
