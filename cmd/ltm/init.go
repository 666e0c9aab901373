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

	"github.com/spf13/cobra"

	"ltm"
	"ltm/clients"
	"ltm/cmd/internal/gitstore"
	"ltm/engine/locate"
	"ltm/engine/records"
	"ltm/internal/git/gitdir"
	"ltm/memory"
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
	var names []string
	c := &cobra.Command{Use: "init", Args: noArguments()}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done, but do not do it")
	c.Flags().BoolVar(&undo, "undo", false, "remove what init added")
	c.Flags().BoolVar(&shared, "shared", false,
		"put the hooks into .claude/settings.json, which is committed, for every work tree and teammate")
	c.Flags().StringSliceVar(&names, clientFlag, nil,
		"set up these clients instead of Claude Code: all, or "+strings.Join(clients.Names(), ", "))
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !dryRun {
			unlock, err := a.lockSetup(c.Context())
			if err != nil {
				return err
			}
			defer unlock()
		}
		o, err := a.setupOptions()
		if err != nil {
			return err
		}
		if err := store.New(a.projectPlace().Places, time.Now).CheckLinks(); err != nil && !o.NoStore {
			return err
		}
		o.Shared = shared
		if o.Agents, o.Without, err = chosen(names, undo); err != nil {
			return err
		}
		r, err := a.setUp(c.Context(), o, dryRun, undo)
		return answer(a, r, err, a.printInit)
	}
	return c
}

// chosen returns the clients beside Claude Code that --client names, and whether Claude Code is not among them.
func chosen(names []string, undo bool) (agents []clients.Client, without bool, err error) {
	if undo && len(names) > 0 {
		return nil, false, invalid("leave out --client", "--undo removes what init added for all clients")
	}
	all := slices.Contains(names, "all")
	for _, name := range names {
		if _, ok := clients.Named(name); !ok && name != "all" {
			return nil, false, invalid("allowed: all, "+strings.Join(clients.Names(), ", "),
				"%q is not a client that ltm knows", name)
		}
	}
	claude := clients.Claude().Name
	return slices.DeleteFunc(clients.All(), func(c clients.Client) bool {
		return c.Name == claude || !all && !slices.Contains(names, c.Name)
	}), len(names) > 0 && !all && !slices.Contains(names, claude), nil
}

// unregistered returns a line that proposes to set up the other clients that are installed here, or "".
func unregistered(project string) string {
	var names, flags []string
	for _, c := range clients.All() {
		if c.Setup.Program != "" && onPath(c.Setup.Program) != "" && len(setup.Registered(project, c)) == 0 {
			names, flags = append(names, c.Title), append(flags, " --"+clientFlag+" "+c.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "also installed: " + strings.Join(names, ", ") + "; to set them up here: ltm init" + strings.Join(flags, "")
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
	if !undo && !o.Without {
		others = a.reachInit(ctx, o, plan)
	}
	if !dryRun {
		if err := plan.Run(ctx, a.engine(lockWait).Init); err != nil {
			return initReport{}, err
		}
		for i := range others {
			if r := &others[i]; r.err == nil {
				r.err = r.plan.Run(ctx, nil)
			}
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
	next := each(o.Client.Problems, func(p string) string { return "not read: " + p })
	switch {
	case !writes && undo:
		return append(next, "nothing to undo")
	case !writes:
		return append(next, `nothing to do; "ltm doctor" checks the installation`)
	case dryRun:
		return append(next, advice.Unchanged+"; run it without --dry-run to make these changes")
	case undo && plan.Writes() && !plan.OfClaude():
		return append(next, "restart the agents that were set up here")
	case undo:
		return append(next, "restart Claude Code")
	}
	if _, err := exec.LookPath("ltm"); err != nil && (plan.Does(".mcp.json") != setup.Kept || len(o.Agents) > 0) {
		next = append(next, "put ltm on the PATH, where clients look for it")
	}
	try := "remember that"
	if !o.Without {
		next = append(next, "restart Claude Code in this project")
		try = "/remember"
	}
	for _, c := range o.Agents {
		next = append(next, "restart "+c.Title+" in this project")
		for _, then := range c.Setup.Then {
			next = append(next, c.Title+": "+then)
		}
	}
	if line := unregistered(o.Project); line != "" && len(o.Agents) == 0 {
		next = append(next, line)
	}
	return append(next,
		"then try: "+try+" we use tabs in this project, because the formatter says so",
		`and in a new session: what do you remember about this project?`)
}

func (a *app) printInit(r initReport) error {
	signs := map[setup.Action]string{setup.Created: "+", setup.Changed: "~", setup.Removed: "-", setup.Kept: "="}
	lines := each(r.Changes, func(c setup.Change) string {
		return clean(fmt.Sprintf("%s %s %s: %s", signs[c.Action], c.Action, c.Path, say(c.What)))
	})
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, each(r.Next, clean)...)
	for _, found := range r.Imports {
		lines = append(lines, clean("found "+found.what+"; to import it: "+found.Command))
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

// programName returns what hooks start: "ltm" if that is this binary on the PATH, and otherwise its path.
func programName() string {
	self, err := os.Executable()
	if err != nil || gitdir.SameFile(self, onPath("ltm")) {
		return "ltm"
	}
	return self
}

// onPath returns the path of a program, or "".
func onPath(name string) string {
	if found, err := exec.LookPath(name); err == nil { // which also finds, with an error, what is in this directory
		return found
	}
	return ""
}

const (
	// localSettings are the settings of one machine.
	localSettings = ".claude/settings.local.json"

	// excludeList is the clone's list of what git ignores, in the changes of a plan.
	excludeList = ".git/info/exclude"

	// storeFolder is the path of a project's store.
	storeFolder = ".claude/ltm"
)

// ignored asks git which files of a project it ignores. Names are paths below the project; false: git does not say.
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
		switch dir := path.Dir(name); {
		case dir == storeFolder, dir == ".claude/commands":
			name = dir
		case path.Base(name) == "SKILL.md":
			name = path.Dir(dir)
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
	case plan.Does(".claude/settings.json") != setup.Kept || o.Shared || o.Without:
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

// offer is memory of another program that init found. It only names it: nothing is imported, or read, unasked.
type offer struct {
	Form    string `json:"form"`
	Path    string `json:"path"`
	Command string `json:"command"` // that imports it
	what    string // for people
}

// offers returns what there is to import: in the project, and in the client's own memory of it.
func (a *app) offers(o setup.Options) []offer {
	found := []offer{}
	add := func(form, path, what string) {
		found = append(found, offer{form, path, "ltm import " + setup.ShellWord(path), what})
	}
	if dir := a.autoMemory(o.Project); dir != "" {
		if info, err := os.Lstat(filepath.Join(dir, "MEMORY.md")); err == nil && info.Mode().IsRegular() {
			add("auto-memory", dir, "Claude Code's own memory of this project")
		}
	}
	for _, file := range o.Client.Graphs {
		add("server-memory", a.fromHere(filepath.Join(o.Project, file)), "the knowledge graph of server-memory")
	}
	if dir := filepath.Join(o.Project, filepath.FromSlash(storeFolder)); o.NoStore && holdsMemories(dir) {
		add("predecessor", a.fromHere(dir), "the project's own store, which LTM_DIR takes the place of")
	}
	for _, c := range clients.All() {
		m, dir := c.Memories, a.env().ClientDir(c)
		if m.File == "" || !filepath.IsAbs(dir) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m.File)))
		if err == nil && bytes.Contains(data, []byte(m.Mark)) {
			add(m.Form, filepath.Join(dir, m.Path), "what "+c.Title+" remembers of all projects")
			found[len(found)-1].Command = "ltm import --user " + setup.ShellWord(filepath.Join(dir, m.Path))
		}
	}
	return found
}

// autoMemory returns the directory in which the client keeps its memory of a project, or "" if it
// is unknown where the client keeps its files. All work trees of a repository share it.
func (a *app) autoMemory(project string) string {
	config, err := filepath.Abs(a.env().ClientConfig())
	if err != nil || a.getenv("CLAUDE_CONFIG_DIR") == "" && a.env().Home() == "" {
		return ""
	}
	if clone, ok := gitdir.Find(project); ok {
		project = clone.Top
		if filepath.Base(clone.Common) == ".git" {
			project = filepath.Dir(clone.Common)
		}
	}
	return filepath.Join(config, "projects", records.Folder(project), "memory")
}

// holdsMemories reports whether a directory is a store with memories.
func holdsMemories(dir string) bool {
	entries, _ := os.ReadDir(filepath.Join(dir, "memories")) // what can be read
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		_, ok := memory.IDFromFile(entry.Name())
		return ok
	})
}
