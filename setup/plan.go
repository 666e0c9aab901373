package setup

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"ltm/clients"
	"ltm/memory"
)

// Action is what happens to a file.
type Action string

// The actions.
const (
	Created Action = "created"
	Changed Action = "changed"
	Removed Action = "removed"
	Kept    Action = "kept"
)

// Change is one line of a plan.
type Change struct {
	Action Action      `json:"action"`
	Path   string      `json:"path"` // from the project's directory, with slashes
	What   memory.Note `json:"what"` // what is done, or why nothing is

	before file
	after  []byte // nil: no file
	dir    string // that the file is in, if not in the project; else ""
}

// Plan is what an init or an undo does, file by file. Making one changes nothing.
type Plan struct {
	Changes []Change

	project    string
	undo       bool
	store      storeStep
	dirs       []string // that the plan makes, or that undo removes if they are empty
	private    string
	record     *record // to write; nil: none
	recordFile file    // as it was found
}

// storeStep is what happens to the store's directory.
type storeStep int

const (
	storeKeep storeStep = iota
	storeMake
	storeRemove
)

// Options of a plan.
type Options struct {
	Project    string            // the project's directory, absolute
	NoStore    bool              // the store is elsewhere, and left alone
	ShowsLocal bool              // git would take settings.local.json into a commit
	Exclude    string            // the directory of the clone's own list of ignored files; empty: none
	Commands   map[string][]byte // the plugin's slash commands by file name
	Hooks      []byte            // the plugin's hooks.json
	Program    string            // what hooks start
	Shell      bool              // the client has a POSIX shell to start them in
	Shared     bool              // the hooks are for the team, in a file that is committed
	By         string            // the work tree whose init reaches this one, which gets only hooks; else ""
	Client     Client            // what [Look] found
	Agents     []clients.Client  // the other clients to set up
	Without    bool              // Claude Code is not set up, only they are
	Private    string            // a directory of this work tree alone, which may be missing; empty: no record for undo
}

// planner makes a plan.
type planner struct {
	Options
	f    *folder
	old  *record // of an earlier init, or nil
	plan *Plan

	reals map[string]string // of files, by their names
}

func newPlanner(o Options) (*planner, error) {
	f, err := openFolder(o.Project)
	if err != nil {
		return nil, err
	}
	p := &planner{Options: o, f: f, plan: &Plan{project: o.Project, private: o.Private}, reals: map[string]string{}}
	if p.plan.recordFile, err = readRecordFile(o.Private); err == nil {
		p.old, err = parseRecord(p.plan.recordFile)
	}
	if p.old != nil && p.old.Told {
		p.old = nil
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return p, nil
}

// Init plans what sets ltm up in a project. A file that cannot be merged is an error.
func Init(o Options) (*Plan, error) {
	p, err := newPlanner(o)
	if err != nil {
		return nil, err
	}
	defer p.f.close()
	p.plan.record = &record{By: o.By, Files: map[string]fileRecord{}}
	if old := p.old; old != nil {
		p.plan.record.Store, p.plan.record.Dirs = old.Store, slices.Clone(old.Dirs)
		maps.Copy(p.plan.record.Files, old.Files)
		if o.By != "" {
			p.plan.record.By = old.By
		}
	}
	steps := []func() error{p.makeStore, p.section, p.commands, p.hooks, p.ignore, p.server, p.agents}
	switch {
	case o.By != "":
		steps = []func() error{p.hooks, p.ignore}
	case o.Without:
		steps = []func() error{p.makeStore, p.agents}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	p.plan.record.Dirs = append(p.plan.record.Dirs, p.plan.dirs...)
	if o.Private == "" || !p.plan.Writes() {
		p.plan.record = nil
	}
	return p.plan, nil
}

// Writes reports whether the plan changes anything.
func (p *Plan) Writes() bool {
	return p.store != storeKeep || slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Action != Kept })
}

// OfClaude reports whether the plan changes what sets up Claude Code.
func (p *Plan) OfClaude() bool {
	own := append(memoryPaths(), placeServers, placeLocal, placeShared)
	return slices.ContainsFunc(p.Changes, func(c Change) bool {
		return c.Action != Kept && (slices.Contains(own, c.Path) || strings.HasPrefix(c.Path, commandsDir+"/"))
	})
}

// Does returns what the plan does with a file.
func (p *Plan) Does(path string) Action {
	for _, c := range p.Changes {
		if c.Path == path {
			return c.Action
		}
	}
	return Kept
}

func (p *planner) add(c Change) { p.plan.Changes = append(p.plan.Changes, c) }

func (p *planner) keep(path, why string) { p.keepFor(path, "", why) }

// keepFor is keep where there is something to do.
func (p *planner) keepFor(path string, next memory.Kind, why string) {
	p.add(Change{Action: Kept, Path: path, What: memory.Advise(next, path, why)})
}

// write plans new content of a file. strip removes from it what init may have written there before.
func (p *planner) write(path string, before file, after []byte, what, same string, strip stripper) {
	if before.data != nil && bytes.Equal(before.data, after) {
		p.keep(path, same)
		return
	}
	action, created, base := Changed, false, before.data
	if before.data == nil {
		action, created = Created, true
		p.plan.dirs = append(p.plan.dirs, missingDirs(p.f, before.name)...)
	}
	if known, ok := p.plan.record.Files[path]; ok && before.data != nil {
		created = known.Created
		if old, ok := known.restore(before.data); ok {
			base = old
		} else if old, err := strip(path, before.data); err == nil {
			base = old
		}
	}
	slices.Sort(p.plan.dirs)
	p.plan.dirs = slices.Compact(p.plan.dirs)
	p.plan.record.note(path, created, base, after)
	p.add(Change{Action: action, Path: path, What: memory.Say(what), before: before, after: after})
}

// makeStore plans the store's directory and the text that explains it.
func (p *planner) makeStore() error {
	if p.NoStore {
		p.keep(storeDir, "LTM_DIR names another directory")
		return nil
	}
	if !p.f.exists(storeDir) {
		p.plan.store = storeMake
		p.plan.record.Store = true
		p.plan.dirs = append(p.plan.dirs, missingDirs(p.f, storeDir)...)
		what := memory.Say("the store, with .gitignore and .gitattributes")
		p.add(Change{Action: Created, Path: storeDir, What: what})
	} else {
		p.keep(storeDir, "the store")
	}
	before, err := p.f.read(readmePath)
	if err != nil {
		return err
	}
	p.whole(readmePath, before, marked([]byte(readmeText)), "what the directory is")
	return nil
}

// whole plans a file that ltm writes whole. One that a person wrote or changed is kept.
func (p *planner) whole(path string, before file, after []byte, what string) {
	if before.data != nil {
		switch originOf(before.data) {
		case unmarked:
			p.keepFor(path, memory.KindKeptOther, "it is not ltm's")
			return
		case edited:
			p.keepFor(path, memory.KindKeptEdited, "edited since ltm wrote it")
			return
		}
		if sameText(before.data, string(after)) {
			after = before.data // up to line endings
		}
	}
	p.write(path, before, after, what, "up to date", stripWhole)
}

// section plans the part of CLAUDE.md.
func (p *planner) section() error {
	path := memoryPaths()[0]
	for _, other := range memoryPaths()[1:] {
		if !p.f.exists(path) && p.f.exists(other) {
			path = other
		}
	}
	part := sectionPiece(path)
	part.same = "its section is up to date"
	return p.file(path, []piece{part})
}

// memoryPaths lists the files that the client reads a project's instructions from, the usual one first.
func memoryPaths() []string { return []string{"CLAUDE.md", claudeDir + "/CLAUDE.md"} }

// commands plans the slash commands.
func (p *planner) commands() error {
	for _, name := range slices.Sorted(maps.Keys(p.Commands)) {
		path := commandsDir + "/" + name
		before, err := p.f.read(path)
		if err != nil {
			return err
		}
		text := marked(bytes.ReplaceAll(p.Commands[name], []byte("/ltm:"), []byte("/"))) // a project's have no prefix
		p.whole(path, before, text, "/"+strings.TrimSuffix(name, ".md"))
	}
	return nil
}

// hooks plans the hooks of this work tree, or those of the team.
func (p *planner) hooks() error {
	place, program, what := placeLocal, p.Program, "hooks that run "+p.Program
	if p.Shared {
		place, program, what = placeShared, "", "hooks that run ltm where it is installed"
	}
	if why, next := p.hooksElsewhere(place); why != "" {
		p.keepFor(place, next, why)
		return p.leaveToShared()
	}
	before, err := p.f.read(place)
	if err != nil {
		return err
	}
	wanted, err := wantedHooks(p.Hooks, program, p.Shell)
	if err != nil {
		return err
	}
	after, err := mergeHooks(place, before.data, wanted)
	if err != nil {
		return err
	}
	p.write(place, before, after, what, "the hooks are there", removeHooks)
	if p.Shared {
		return p.leaveToShared()
	}
	return nil
}

// leaveToShared plans to remove the hooks of this work tree where those of the team start the same program.
func (p *planner) leaveToShared() error {
	shared := p.Shared || slices.ContainsFunc(p.Client.Hooks,
		func(r Registration) bool { return r.Place == placeShared && r.Shared() })
	if !shared || p.Program != onPathName || p.Client.Plugin != nil {
		return nil
	}
	before, err := p.f.read(placeLocal)
	if err != nil || before.data == nil {
		return err
	}
	after, err := removeHooks(placeLocal, before.data)
	if err == nil && !bytes.Equal(before.data, after) {
		p.write(placeLocal, before, after, "without the hooks, which are in "+placeShared, "", removeHooks)
	}
	return err
}

// onPathName is how hooks start a program that is on the PATH, as those of a team do.
const onPathName = "ltm"

// hooksElsewhere returns why no hooks are needed in a place, or "", and what to do about it.
func (p *planner) hooksElsewhere(place string) (why string, next memory.Kind) {
	there := false
	for _, r := range p.Client.Hooks {
		switch {
		case r.Place == place:
			there = true
		case p.Shared && r.Place == placeLocal, r.Shared() && p.Program != onPathName:
		case p.Client.Plugin == nil:
			return "the hooks are in " + r.Place + " already, and would run twice", ""
		}
	}
	plugin := p.Client.Plugin
	switch {
	case plugin == nil || p.Shared: // teammates may lack the plugin
		return "", ""
	case there:
		return "its hooks run twice because the plugin is active (" + plugin.Why + ")", memory.KindKeptTwice
	}
	return "the plugin is active (" + plugin.Why + "), and hooks would run twice", ""
}

// server plans the server of the project.
func (p *planner) server() error {
	if why := p.serverElsewhere(); why != "" {
		p.keep(placeServers, why)
		return nil
	}
	part := claudeServer().piece(placeServers)
	part.same = "the server is there"
	return p.file(placeServers, []piece{part})
}

// serverElsewhere returns why no server is needed here, or "".
func (p *planner) serverElsewhere() string {
	if plugin := p.Client.Plugin; plugin != nil {
		return "the plugin is active (" + plugin.Why + "), and brings the server"
	}
	for _, r := range p.Client.Servers {
		if r.Place != placeServers && !r.Taken {
			return "the server is in " + r.Place + " already"
		}
	}
	return ""
}
