// Package records reads what the client records of its sessions. It opens files below
// the directories of the client alone, however a path is spelled or linked.
package records

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ltm/store"
	"ltm/transcript"
)

// maxAgents bounds how many files of subagents of a session are read.
const maxAgents = 64

var errElsewhere = errors.New("not below the client's own directories")

// Dirs are the directories in which the client keeps its records of sessions, absolute.
// What a payload or a state file calls one is read only below them, after links are
// resolved.
type Dirs []string

// MayHold reports whether a path looks like one of a record. The file need not exist
// yet; opening it looks closer.
func (d Dirs) MayHold(path string) bool {
	for _, dir := range d {
		if within(dir, path) {
			return true
		}
	}
	root, _, err := d.open(path)
	if err != nil {
		return false
	}
	root.Close()
	return true
}

// open returns the directory that holds a record, and the record's name in there.
func (d Dirs) open(path string) (*os.Root, string, error) {
	if !filepath.IsAbs(path) {
		return nil, "", errElsewhere
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, "", err
	}
	for _, dir := range d {
		if dir, err = filepath.EvalSymlinks(dir); err != nil || !within(dir, real) {
			continue
		}
		root, err := os.OpenRoot(dir) // which no link leads out of that came meanwhile
		if err != nil {
			return nil, "", err
		}
		name, err := filepath.Rel(dir, real)
		return root, name, err
	}
	return nil, "", errElsewhere
}

// within reports whether a path names something below a directory.
func within(dir, path string) bool {
	if !filepath.IsAbs(dir) || !filepath.IsAbs(path) {
		return false
	}
	name, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(name) && name != "."
}

// record is a record of a session, and those of its subagents.
type record struct {
	root *os.Root
	name string
}

// record opens a record. The caller closes its root.
func (d Dirs) record(path string) (record, error) {
	root, name, err := d.open(path)
	return record{root, name}, err
}

// agents lists the names of the subagents' files.
func (r record) agents() []string {
	dir, err := r.root.Open(transcript.SubagentsFolder(r.name))
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxAgents)
	var files []string
	for _, name := range names {
		if strings.HasSuffix(name, ".jsonl") {
			files = append(files, name)
		}
	}
	return files
}

// agent returns the path of a subagent's file below the root.
func (r record) agent(name string) string {
	return filepath.Join(transcript.SubagentsFolder(r.name), name)
}

// size returns how long a file below the root is. Anything but a regular file is an
// error: opening it could wait.
func (r record) size(name string) (int64, error) {
	info, err := r.root.Stat(name)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &fs.PathError{Op: "read", Path: name, Err: errors.ErrUnsupported}
	}
	return info.Size(), nil
}

// openAt opens a file below the root for reading from an offset.
func (r record) openAt(name string, offset int64) (*os.File, error) {
	f, err := r.root.Open(name)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Find returns the path of a session's record. It has the session's name, in one of
// the directories that the client keeps for projects. If several have it, none is
// known to be the right one.
func (d Dirs) Find(session string) (string, bool) {
	name := session + ".jsonl"
	if session == "" || name != filepath.Base(name) || !filepath.IsLocal(name) {
		return "", false
	}
	var found []string
	for _, dir := range d {
		projects, _ := os.ReadDir(dir) // the client may never have been here
		for _, p := range projects {
			path := filepath.Join(dir, p.Name(), name)
			if _, err := os.Lstat(path); err == nil {
				found = append(found, path)
			}
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

// Skip moves a reading to the present end of its record and of those of subagents:
// what is in them already is not the session's own. A fork begins with a copy of
// another session.
func (d Dirs) Skip(t *store.Transcript) {
	r, err := d.record(t.Path)
	if err != nil {
		return
	}
	defer r.root.Close()
	if size, err := r.size(r.name); err == nil {
		t.Reading, _ = json.Marshal(transcript.State{Offset: size})
	}
	for _, name := range r.agents() {
		if size, err := r.size(r.agent(name)); err == nil {
			t.SetAgent(name, size)
		}
	}
}

// Read moves a reading on and returns the work in between, that of each file. It is
// not ok when the record cannot be read.
func (d Dirs) Read(ctx context.Context, t *store.Transcript) (work []transcript.Work, ok bool) {
	r, err := d.record(t.Path)
	if err != nil {
		return nil, false
	}
	defer r.root.Close()
	var state transcript.State
	if json.Unmarshal(t.Reading, &state) != nil {
		state = transcript.State{}
	}
	own, state, err := readFrom(ctx, r, r.name, state)
	if err != nil {
		return nil, false
	}
	t.Reading, _ = json.Marshal(state) // plain values: nothing can fail to encode
	work = append(work, own)
	for _, name := range r.agents() {
		agents, state, err := readFrom(ctx, r, r.agent(name), transcript.State{Offset: t.Agents[name]})
		if err == nil {
			t.SetAgent(name, state.Offset)
			work = append(work, agents)
		}
	}
	return work, true
}

// readFrom reads what is new in one file of a record. One that was replaced by a
// shorter one is read from its beginning.
func readFrom(ctx context.Context, r record, name string, s transcript.State) (transcript.Work, transcript.State,
	error) {
	size, err := r.size(name)
	if err != nil {
		return transcript.Work{}, s, err
	}
	if !s.Fits(size) {
		s = transcript.State{}
	}
	if s.Offset == size {
		return transcript.Work{}, s, nil
	}
	f, err := r.openAt(name, s.Offset)
	if err != nil {
		return transcript.Work{}, s, err
	}
	defer f.Close()
	return transcript.Read(ctx, f, s, 0)
}
