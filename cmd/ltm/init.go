package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ltm"

	"github.com/spf13/cobra"

	"ltm/engine/locate"
	"ltm/internal/git/gitdir"
	"ltm/memory/advice"
	"ltm/setup"
	"ltm/store"
)

// initReport is what init and its undo print for programs.
type initReport struct {
	Project string         `json:"project"`
	DryRun  bool           `json:"dry_run"`
	Undo    bool           `json:"undo"`
	Changes []setup.Change `json:"changes"`
	Next    []string       `json:"next"`
	Imports []offer        `json:"imports"` // what could be imported
}

func (a *app) initCommand() *cobra.Command {
	var dryRun, undo, shared bool
	c := &cobra.Command{Use: "init", Args: noArguments()}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done, but do not do it")
	c.Flags().BoolVar(&undo, "undo", false, "remove what init added")
	c.Flags().BoolVar(&shared, "shared", false,
		"put the hooks into .claude/settings.json, which is committed, for every work tree and teammate")
	c.RunE = func(c *cobra.Command, _ []string) error {
		o, err := a.setupOptions()
		if err != nil {
			return err
		}
		if err := store.New(a.projectPlace().Places, time.Now).CheckLinks(); err != nil && !o.NoStore {
			return err
		}
		o.Shared = shared
		r, err := a.setUp(c.Context(), o, dryRun, undo)
		return answer(a, r, err, a.printInit)
	}
	return c
}

// setUp makes the plan of an init, or of its undo, and carries it out: here all of it or nothing, then in each of the
// other work trees.
func (a *app) setUp(ctx context.Context, o setup.Options, dryRun, undo bool) (initReport, error) {
	var plan *setup.Plan
	var others []reach
	var err error
	was := setup.ReadWritten(o.Private)
	if undo {
		var kept bool
		if others, kept = a.reachUndo(o); kept {
			o.Exclude = "" // git must go on ignoring the settings there
		}
		plan, err = setup.Undo(o)
	} else {
		o.ShowsLocal = a.showsLocal(ctx, a.projectPlace())
		plan, err = setup.Init(o)
	}
	if err != nil {
		return initReport{}, err
	}
	if !undo {
		others = a.reachInit(ctx, o, plan)
	}
	if !dryRun {
		if err := plan.Run(ctx, a.engine(lockWait).Init); err != nil {
			return initReport{}, err
		}
		for i := range others {
			others[i].run(ctx)
		}
		if undo {
			store.New(a.projectPlace().Places, time.Now).DropLock(ctx)
		}
	}
	r := initReport{o.Project, dryRun, undo, plan.Changes, nil, []offer{}}
	for _, other := range others {
		r.Changes = append(r.Changes, other.changes()...)
	}
	writes := slices.ContainsFunc(r.Changes, func(c setup.Change) bool { return c.Action != setup.Kept })
	r.Next = a.next(o, plan, writes, dryRun, undo)
	switch {
	case undo:
		r.Next = append(r.Next, a.stillElsewhere(o, was)...)
		return r, nil
	case !dryRun && plan.Writes():
		r.Next = append(r.Next, a.sharing(ctx, o, plan)...)
	}
	r.Imports = a.offers(o)
	return r, nil
}

// next returns what is left for the person to do.
func (a *app) next(o setup.Options, plan *setup.Plan, writes, dryRun, undo bool) []string {
	next := []string{}
	for _, p := range o.Client.Problems {
		next = append(next, "not read: "+p)
	}
	switch {
	case !writes && undo:
		return append(next, "nothing to undo")
	case !writes:
		return append(next, `nothing to do; "ltm doctor" checks the installation`)
	case dryRun:
		return append(next, advice.Unchanged+"; run it without --dry-run to make these changes")
	case undo:
		return append(next, "restart Claude Code")
	}
	if _, err := exec.LookPath("ltm"); err != nil && plan.Does(".mcp.json") != setup.Kept {
		next = append(next, "put ltm on the PATH, where .mcp.json expects it")
	}
	return append(next,
		"restart Claude Code in this project",
		`then try: /remember we use tabs in this project, because the formatter says so`,
		`and in a new session: what do you remember about this project?`)
}

func (a *app) printInit(r initReport) error {
	signs := map[setup.Action]string{setup.Created: "+", setup.Changed: "~", setup.Removed: "-", setup.Kept: "="}
	lines := make([]string, 0, len(r.Changes)+len(r.Next))
	for _, c := range r.Changes {
		lines = append(lines, clean(fmt.Sprintf("%s %s %s: %s", signs[c.Action], c.Action, c.Path, say(c.What))))
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	for _, n := range r.Next {
		lines = append(lines, clean(n))
	}
	for _, found := range r.Imports {
		lines = append(lines, clean("found "+found.whatIs()+"; to import it: "+found.Command))
	}
	return a.println(lines...)
}

// setupOptions gathers what setup needs to know.
func (a *app) setupOptions() (setup.Options, error) {
	project := a.projectDir()
	if a.env().IsHome(project) {
		return setup.Options{}, invalid("go to a project and try again",
			"%s is the home directory, and what is set up there would apply to every project", project)
	}
	commands, err := pluginCommands()
	if err != nil {
		return setup.Options{}, err
	}
	hooks, err := ltm.Plugin.ReadFile("hooks/hooks.json")
	if err != nil {
		return setup.Options{}, err
	}
	o := setup.Options{
		Project: project, NoStore: a.getenv("LTM_DIR") != "", Commands: commands, Hooks: hooks, Program: programName(),
		Shell: runtime.GOOS != "windows", Client: a.client(project),
	}
	if clone, ok := gitdir.Find(project); ok {
		o.Exclude = filepath.Join(clone.Common, "info")
	}
	if place := a.projectPlace(); !place.Local || !o.NoStore {
		o.Private = place.Tree
	}
	return o, nil
}

// pluginCommands returns the texts of the slash commands by file name, as a project has them: there,
// a command has no prefix, and the client has a /resume of its own.
func pluginCommands() (map[string][]byte, error) {
	commands := map[string][]byte{}
	names, err := fs.Glob(ltm.Plugin, "commands/*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := ltm.Plugin.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text = bytes.ReplaceAll(text, []byte("/ltm:resume"), []byte("/ltm:resume-packet"))
		commands[strings.Replace(path.Base(name), "resume.md", "resume-packet.md", 1)] = text
	}
	return commands, nil
}

// projectDir returns the directory that contains .claude/ltm, or would, whatever LTM_DIR says.
func (a *app) projectDir() string {
	return filepath.Clean(filepath.Join(a.projectPlace().Store, filepath.FromSlash("../..")))
}

// projectPlace returns where the project's own store is, or would be, whatever LTM_DIR says.
func (a *app) projectPlace() locate.Place {
	getenv := a.getenv
	here := &app{dir: a.dir, getenv: func(name string) string {
		if name == "LTM_DIR" {
			return ""
		}
		return getenv(name)
	}}
	return here.place()
}

// client reads how Claude Code is configured in a project.
func (a *app) client(project string) setup.Client {
	w := setup.Where{Project: project, PluginRoot: a.getenv("CLAUDE_PLUGIN_ROOT"), PathPlugin: a.pathPlugin(),
		Managed: setup.ManagedDir()}
	if dir := a.getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		w.Config, w.UserFile = dir, filepath.Join(dir, ".claude.json")
	} else if home := a.env().Home(); home != "" {
		w.Config, w.UserFile = a.env().ClientConfig(), filepath.Join(home, ".claude.json")
	}
	return setup.Look(w)
}

// pathPlugin returns the directory of the plugin whose bin directory Claude Code has put on
// the PATH of its Bash tool, or "". In a person's own shell, the PATH does not show that.
func (a *app) pathPlugin() string {
	if a.getenv("CLAUDECODE") == "" {
		return ""
	}
	for _, dir := range filepath.SplitList(a.getenv("PATH")) {
		if root := filepath.Dir(dir); filepath.Base(dir) == "bin" && setup.IsPlugin(root) {
			return root
		}
	}
	return ""
}

// programName returns what hooks start: "ltm" if that is this binary on the PATH, and
// otherwise its path.
func programName() string {
	self, err := os.Executable()
	if err != nil {
		return "ltm"
	}
	if gitdir.SameFile(self, onPath("ltm")) {
		return "ltm"
	}
	return self
}

// onPath returns the path of a program, or "".
func onPath(name string) string {
	found, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return found
}
