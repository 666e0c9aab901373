package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/memory"
)

// stripper removes from a file what init writes there. It returns nil if nothing is left, and an unchanged text if the
// file holds nothing of ltm.
type stripper func(name string, data []byte) ([]byte, error)

// stripWhole drops a file that is as ltm wrote it.
func stripWhole(_ string, data []byte) ([]byte, error) {
	if originOf(data) == pristine {
		return nil, nil
	}
	return data, nil
}

// stripperOf returns how a file is stripped.
func (p *planner) stripperOf(path string) stripper {
	switch {
	case path == placeLocal, path == placeShared:
		return removeHooks
	case path == placeServers:
		return claudeServer().remove
	case slices.Contains(memoryPaths(), path):
		return inMarkdown().remove
	}
	if parts := agentPieces(p.Commands)[path]; parts != nil {
		return stripAll(parts)
	}
	return stripWhole
}

// Undo plans to remove what init added, and nothing else: memories stay, and so does what a person has changed since. A
// damaged record has no effect on files and directories that init never writes.
func Undo(o Options) (*Plan, error) {
	p, err := newPlanner(o)
	if err != nil {
		return nil, err
	}
	defer p.f.close()
	p.plan.undo = true
	known := append(memoryPaths(), placeLocal, placeServers)
	if p.old != nil { // without a record, they may be the team's
		known = append(known, placeShared)
	}
	for name := range p.Commands {
		known = append(known, commandsDir+"/"+name)
	}
	if !o.NoStore {
		known = append(known, readmePath)
	}
	if p.old != nil {
		known = slices.AppendSeq(append(known, p.recorded()...), maps.Keys(agentPieces(o.Commands)))
	}
	if o.By != "" {
		known = []string{placeLocal}
	}
	slices.Sort(known)
	for _, path := range slices.Compact(known) {
		if !slices.Contains(ignoredFiles(), path) && fs.ValidPath(path) {
			if err := p.undo(path); err != nil {
				return nil, err
			}
		}
	}
	if p.old == nil && o.By == "" {
		p.keepUnrecorded()
	}
	if err := p.undoStore(); err != nil {
		return nil, err
	}
	return p.plan, p.undoIgnore()
}

// keepUnrecorded names the files that hold something of ltm and may be the team's.
func (p *planner) keepUnrecorded() {
	names := append(slices.Collect(maps.Keys(agentPieces(p.Commands))), placeShared)
	slices.Sort(names)
	for _, name := range names {
		before, err := p.f.read(name)
		if err != nil || before.data == nil || p.planned(name) {
			continue
		}
		stripped, err := p.stripperOf(name)(name, before.data)
		if err == nil && !bytes.Equal(stripped, before.data) {
			p.keepFor(name, memory.KindKeptOurs, "no record here says that init wrote what it holds of ltm")
		}
	}
}

// isOther reports whether a name that the record does not have leads to a file that it has by another one.
func (p *planner) isOther(name string) bool {
	if p.old == nil || p.old.Files[name].After != "" {
		return false
	}
	real := p.real(name)
	for other := range p.old.Files {
		if fs.ValidPath(other) && p.real(other) == real {
			return true
		}
	}
	return false
}

// recorded returns the commands that an init, perhaps of another version, wrote by the record, and plans to remove the
// directories that it made.
func (p *planner) recorded() (names []string) {
	for name := range p.old.Files {
		if path.Dir(name) == commandsDir {
			names = append(names, name)
		}
	}
	var own []string
	for name := range agentPieces(p.Commands) {
		own = append(own, parents(name)...)
	}
	p.plan.dirs = slices.DeleteFunc(slices.Clone(p.old.Dirs), func(dir string) bool {
		return dir != claudeDir && !strings.HasPrefix(dir, claudeDir+"/") && !slices.Contains(own, dir)
	})
	return names
}

// undo plans to revert what init did to one file.
func (p *planner) undo(name string) error {
	before, err := p.f.read(name)
	if err != nil || before.data == nil || p.planned(name) || p.isOther(name) {
		return err
	}
	var known fileRecord
	created := true // unknown, but losing an empty file is harmless
	if p.old != nil {
		var ok bool
		if known, ok = p.old.Files[name]; !ok {
			p.explainKept(name, before)
			return nil
		}
		created = known.Created
	}
	after, exact := known.restore(before.data)
	if !exact {
		if after, err = p.stripperOf(name)(name, before.data); err != nil {
			return err
		}
	}
	switch {
	case !exact && bytes.Equal(after, before.data):
		p.explainKept(name, before)
	case created && isEmpty(after):
		p.remove(name, before)
	default:
		after = append([]byte{}, after...) // not nil, which would remove the file
		what := memory.Say("without what init added")
		p.add(Change{Action: Changed, Path: name, What: what, before: before, after: after})
	}
	return nil
}

func (p *planner) remove(name string, before file) {
	p.add(Change{Action: Removed, Path: name, What: memory.Say("init wrote it"), before: before})
	if p.old == nil {
		p.plan.dirs = append(p.plan.dirs, parents(name)...)
	}
}

// explainKept says why a file stays as it is, if it holds something of ltm.
func (p *planner) explainKept(name string, before file) {
	stripped, err := p.stripperOf(name)(name, before.data)
	switch {
	case originOf(before.data) == edited:
		p.keepFor(name, memory.KindKeptOurs, "edited since ltm wrote it")
	case err == nil && !bytes.Equal(stripped, before.data):
		p.keep(name, "what it holds of ltm was there before init")
	}
}

// isEmpty reports whether a file holds nothing worth keeping.
func isEmpty(data []byte) bool {
	text := strings.TrimSpace(string(data))
	return text == "" || text == "{}" || text == strings.TrimSpace(versioned)
}

// parents lists the directories above a file.
func parents(name string) []string {
	var dirs []string
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}

// ignoredFiles lists what making the store wrote.
func ignoredFiles() []string { return []string{storeDir + "/.gitignore", storeDir + "/.gitattributes"} }

// undoStore plans to remove the store if init made it and nothing is in it.
func (p *planner) undoStore() error {
	if p.old == nil || !p.f.exists(storeDir) {
		return nil
	}
	if !p.old.Store {
		p.keep(storeDir, "the store was there before init")
		return nil
	}
	readme := p.plan.Does(readmePath) == Removed
	_, why, err := p.f.emptyStore(p.old, readme)
	if err != nil {
		return err
	}
	if why != "" {
		p.keep(storeDir, why)
		return nil
	}
	p.plan.store = storeRemove
	p.add(Change{Action: Removed, Path: storeDir, What: memory.Say("the store, which was empty")})
	return nil
}

// localDir is where a store outside of git keeps what belongs to this machine.
const localDir = ".local"

// emptyStore lists the files and directories of a store in the order in which they can be removed, or returns why it
// must stay.
func (f *folder) emptyStore(r *record, readmeGoes bool) (names []string, why string, err error) {
	var files []string
	err = fs.WalkDir(f.root.FS(), storeDir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || why != "" {
			return err
		}
		inside := strings.TrimPrefix(strings.TrimPrefix(name, storeDir), "/")
		if d.IsDir() {
			names = append(names, name)
		} else {
			files = append(files, name)
			why = f.reason(r, inside, readmeGoes)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", storageError(err, "read", storeDir)
	}
	slices.Reverse(names) // directories after what is in them
	return append(files, names...), why, nil
}

// reason returns why a file of the store is worth keeping, or "".
func (f *folder) reason(r *record, inside string, readmeGoes bool) string {
	name := storeDir + "/" + inside
	switch {
	case isLeftover(inside):
		return ""
	case slices.Contains(ignoredFiles(), name):
		after := r.Files[name].After
		if found, err := f.read(name); err != nil || after != "" && fingerprint(found.data) != after {
			return inside + " in it was edited"
		}
		return ""
	case inside == "README.md":
		if !readmeGoes {
			return "README.md in it was edited"
		}
		return ""
	case inside == localDir+"/state.json":
		return f.settingsReason(name)
	case strings.HasPrefix(inside, localDir+"/rejected/"):
		return inside + " is in it"
	case strings.HasPrefix(inside, localDir+"/"), inside == "index.json":
		return ""
	case strings.HasPrefix(inside, "memories/"), strings.HasPrefix(inside, "archives/"):
		return "there are memories in it"
	case strings.HasPrefix(inside, "packets/"):
		return "there are packets in it"
	}
	return inside + " is in it"
}

// isLeftover reports whether a file of the store is a temporary one of a run that was killed.
func isLeftover(inside string) bool {
	target, ok := atomicfile.TempOf(inside)
	return ok && (target == path.Base(readmePath) || slices.Contains(ignoredFiles(), storeDir+"/"+target))
}

// settingsReason keeps a state that holds settings; counters without memories are worthless.
func (f *folder) settingsReason(name string) string {
	found, err := f.read(name)
	var state struct{ Config map[string]json.RawMessage }
	if err != nil || json.Unmarshal(found.data, &state) != nil {
		return "state.json in it cannot be read"
	}
	if len(state.Config) > 0 {
		return "there are settings in it"
	}
	return ""
}
