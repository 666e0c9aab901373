// Package records reads the client's records of its sessions. It opens only files below the
// client's own directories, however a path is spelled or linked.
package records

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm/engine/transcript"
	"ltm/store"
)

// maxAgents bounds the number of subagents' files that are read for a session.
const maxAgents = 64

var errElsewhere = errors.New("not below the client's own directories")

// Dirs are the absolute paths of the directories in which the client keeps its records of sessions. A path from a
// payload or a state file is read only if it is below one of them after links are resolved.
type Dirs []string

// MayHold reports whether a path may be that of a record. The file need not exist yet. Links are
// checked when it is opened.
func (d Dirs) MayHold(path string) bool {
	if slices.ContainsFunc(d, func(dir string) bool { return within(dir, path) }) {
		return true
	}
	root, _, err := d.open(path)
	if err != nil {
		return false
	}
	root.Close()
	return true
}

// open returns the client's directory that a record is below, and the record's name relative to it.
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
		root, err := os.OpenRoot(dir) // a link that was made since cannot lead out of it
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

// record is the record of a session and those of its subagents.
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
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".jsonl") })
}

// agent returns the path of a subagent's file below the root.
func (r record) agent(name string) string {
	return filepath.Join(transcript.SubagentsFolder(r.name), name)
}

// size returns the size of a file below the root. Anything but a regular file is an error,
// because opening it could block.
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

// places returns where clients keep the record of a session, below their directories. Codex has one directory for each
// day, and Gemini CLI uses only the beginning of the id.
func places(session string) []string {
	return []string{"*/" + session + ".jsonl", "*/*/*/rollout-*-" + session + ".jsonl", session + "/events.jsonl",
		"*/chats/session-*-" + session[:min(8, len(session))] + ".jsonl", "*/chats/" + session + ".jsonl"}
}

// Find returns the path of a session's record, such as SESSION.jsonl in one of the client's project
// directories. ok is false unless there is exactly one.
func (d Dirs) Find(session string) (path string, ok bool) {
	name := session + ".jsonl"
	if session == "" || name != filepath.Base(name) || !filepath.IsLocal(name) || strings.ContainsAny(name, `*?[\`) {
		return "", false
	}
	var found []string
	for _, dir := range d {
		for _, place := range places(session) {
			paths, _ := filepath.Glob(filepath.Join(escaped(dir), filepath.FromSlash(place))) // the pattern is valid
			found = append(found, paths...)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

// escaped returns a path as a pattern that matches it alone. On Windows, patterns have no escapes, and paths need none.
func escaped(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// Skip moves the reading position to the present end of the record and of its subagents' records.
// What they already hold is not the session's own: a fork begins with a copy of another session.
func (d Dirs) Skip(t *store.Transcript) {
	r, err := d.record(t.Path)
	if err != nil {
		return
	}
	defer r.root.Close()
	if size, err := r.size(r.name); err == nil {
		t.From = size
		t.Reading, _ = json.Marshal(transcript.State{Offset: size})
	}
	for _, name := range r.agents() {
		if size, err := r.size(r.agent(name)); err == nil {
			t.SetAgent(name, size)
		}
	}
}

// Read reads on from the reading position and returns the work found, one part for each file. ok
// is false if the record cannot be read; subagents' files that cannot be read are skipped.
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
	t.Reading, _ = json.Marshal(state) // cannot fail: plain values
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

// maxAnswers bounds the answers of a session that are returned, in bytes: each memory that was shown is looked for in
// them while the store is locked.
const maxAnswers = 1 << 20

// Answers returns what the model wrote to the person in a session, since it began, as far as it is read before ctx is
// done. A record that cannot be read has none.
func (d Dirs) Answers(ctx context.Context, t *store.Transcript) string {
	r, err := d.record(t.Path)
	if err != nil {
		return ""
	}
	defer r.root.Close()
	if _, err := r.size(r.name); err != nil {
		return ""
	}
	f, err := r.openAt(r.name, t.From)
	if err != nil {
		return ""
	}
	defer f.Close()
	var all strings.Builder
	transcript.Answers(ctx, f, func(text string) {
		if all.Len()+len(text) < maxAnswers {
			all.WriteString(text + "\n")
		}
	})
	return all.String()
}

// readFrom reads what is new in one file of a record. If the file was replaced by a shorter one,
// it is read from the beginning.
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
	return transcript.FormOf(name).Read(ctx, f, s, 0)
}
