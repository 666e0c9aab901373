package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"

	"ltm/memory"
)

const (
	// placeExclude is the clone's own list of what git ignores. It is not in the work tree: a .gitignore would be gone
	// after a checkout of an older commit, and the next "git add" would add what it hid.
	placeExclude = ".git/info/exclude"
	excludeName  = "exclude"
)

// excludeText is what init adds there.
func excludeText(newline string) []byte {
	return []byte("# ltm init: settings that name programs of this machine" + newline + "**/" + placeLocal + newline)
}

// ignore plans to make git ignore the settings of this machine, unless it does.
func (p *planner) ignore() error {
	if p.Exclude == "" || !p.ShowsLocal || p.plan.Does(placeLocal) == Kept && !p.f.exists(placeLocal) {
		return nil
	}
	before, err := readExclude(p.Exclude)
	if err != nil {
		return err
	}
	newline := newlineOf(before.data)
	after := bytes.Clone(before.data)
	if len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, newline...)
	}
	after = append(after, excludeText(newline)...)
	action := Changed
	if before.data == nil {
		action = Created
	}
	p.excluded(action, "keeps settings.local.json out of git", before, after)
	return nil
}

// undoIgnore plans to revert that.
func (p *planner) undoIgnore() error {
	if p.Exclude == "" {
		return nil
	}
	before, err := readExclude(p.Exclude)
	if err != nil {
		return err
	}
	text := excludeText(newlineOf(before.data))
	if !bytes.Contains(before.data, text) {
		return nil
	}
	after := bytes.Replace(before.data, text, nil, 1)
	p.excluded(Changed, "without what init added", before, after)
	return nil
}

func (p *planner) excluded(action Action, what string, before file, after []byte) {
	p.add(Change{Action: action, Path: placeExclude,
		What: memory.Say(what), before: before, after: after, dir: p.Exclude})
}

func readExclude(dir string) (file, error) { return readIn(dir, excludeName) }

// readIn reads a file of a directory, which may be missing.
func readIn(dir, name string) (file, error) {
	f, err := openFolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return file{name: name}, nil
	}
	if err != nil {
		return file{}, err
	}
	defer f.close()
	return f.read(name)
}

// outside carries out what is planned for files that are not in the project.
func (r *runner) outside() error {
	for _, c := range r.plan.Changes {
		if c.dir == "" {
			continue
		}
		now, err := readExclude(c.dir)
		if err != nil {
			return err
		}
		if !bytes.Equal(now.data, c.before.data) {
			return changedMeanwhile(c.Path)
		}
		if err := putIn(c.dir, file{c.before.name, c.after, c.before.perm}); err != nil {
			return storageError(err, "write", c.Path)
		}
		r.doneOutside = append(r.doneOutside, c)
	}
	return nil
}

// putIn writes a file of a directory, or removes it.
func putIn(dir string, found file) error {
	if found.data != nil {
		if err := os.MkdirAll(dir, dirPerm); err != nil {
			return err
		}
	}
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.close()
	f.sweep(".", found.name)
	return f.put(found)
}
