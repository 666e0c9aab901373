package tell

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/engine/transcript"
	"ltm/engine/trust"
	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// A session that edits a file is told once which memories are about it. The hook of a tool must not open
// the store for every edit, so that a session's start, its end and a check leave a list of files.

const (
	// filesCache is the name of the list: a line for each file, with the ids that name it, the best first.
	filesCache = "refs-files"

	// maxEditHits is how many memories an edit gets, and maxEditIDs how many of those that name the file are read
	// to choose them.
	maxEditHits = 2
	maxEditIDs  = 8

	// maxRecalled bounds the files that a session's record keeps.
	maxRecalled = 200
)

// writeFiles leaves the list of the files that memories in sight name, if it has changed. Its first line
// tells that, whatever the order of the memories. Those that a filter holds back are left out, so that they
// take no place of others.
func (e *Engine) writeFiles(v *store.View, g trust.Filter, all []rank.Place) {
	all = slices.DeleteFunc(slices.Clone(all), func(p rank.Place) bool {
		return len(p.Refs) == 0 || g.Hides(*p.Memory)
	})
	if len(all) == 0 && v.ReadCache(filesCache) == nil {
		return
	}
	movedTo, sum := e.Files.Moved(v)
	for _, p := range all {
		sum += store.RefsSum(p.Memory)
	}
	old, head := v.ReadCache(filesCache), fmt.Appendf(nil, "%016x\n", sum)
	if bytes.HasPrefix(old, head) {
		return
	}
	v.WriteCache(filesCache, listFiles(head, all, movedTo))
}

// listFiles appends a line for each file. One that has moved is listed where it is now, too.
func listFiles(b []byte, all []rank.Place, movedTo func(memory.Ref) string) []byte {
	ids := map[string][]memory.ID{}
	for _, p := range all {
		for _, r := range p.Refs {
			for _, name := range [2]string{r.Path, movedTo(r)} {
				if known := ids[name]; name != "" && len(known) < maxEditIDs && !slices.Contains(known, p.ID) {
					ids[name] = append(known, p.ID)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		b = append(append(b, name...), '\t')
		for _, id := range ids[name] {
			b = append(append(b, id...), ' ')
		}
		b = append(b, '\n')
	}
	return b
}

// filesIDs returns the memories that the list has for a file, and the list's spelling of its name.
func filesIDs(list []byte, name string, files *worktree.Files) (string, []memory.ID) {
	_, rest, found := bytes.Cut(list, []byte("\n"+name+"\t"))
	if !found && files.Fold != nil {
		for line := range bytes.Lines(list) {
			other, ids, isLine := bytes.Cut(line, []byte("\t"))
			if isLine && files.Same(string(other), name) {
				name, rest, found = string(other), ids, true
				break
			}
		}
	}
	if !found {
		return name, nil
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	var ids []memory.ID
	for text := range strings.FieldsSeq(string(line)) {
		if id, err := memory.ParseID(text); err == nil {
			ids = append(ids, id)
		}
	}
	return name, ids
}

// editedFile returns the path of the file that a tool has changed, or "". Models do not always give an absolute one.
func editedFile(t api.ToolUse) string {
	switch t.Tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
	default:
		return ""
	}
	name := transcript.EditedFile(t.Input)
	if t.Failed {
		return ""
	}
	if name == "" || t.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(t.Dir, name)
}

// recallEdited returns what a session is told of the memories that name a file which it has just changed,
// once for each file, or "".
func (e *Engine) recallEdited(v *store.View, s *store.Session, t api.ToolUse,
	conf func() settings.Settings) (string, error) {
	if e.Files == nil {
		return "", nil
	}
	name, ok := e.Files.Rel(editedFile(t))
	if !ok || slices.Contains(s.Recalled, name) {
		return "", nil
	}
	name, ids := filesIDs(v.ReadCache(filesCache), name, e.Files)
	if len(ids) == 0 || slices.Contains(s.Recalled, name) {
		return "", nil
	}
	c := conf()
	if !c.EditRecall {
		return "", nil
	}
	g, err := e.Filter(v, c)
	if err != nil {
		return "", err
	}
	found, settled, err := e.speakingOf(v, g, s.Agent, name, ids)
	if err != nil {
		return "", err
	}
	if settled {
		s.Recalled = append(s.Recalled, name)
		s.Recalled = s.Recalled[max(0, len(s.Recalled)-maxRecalled):]
	}
	if len(found) == 0 {
		return "", nil
	}
	return brief.FileBlock(rank.FileName(name), found, e.Next), nil
}

// speakingOf returns those of some memories that are most about a file. The first ones matter most. It is settled if
// they are not to be read again: some speak of the file, or some name it in passing and none is kept from the session.
// One that cannot be read now, that waits for an approval or is another agent's may speak of it later.
func (e *Engine) speakingOf(v *store.View, g trust.Filter, agent, name string, ids []memory.ID) (
	found []brief.Mention, settled bool, err error) {
	var by [subject + 1][]brief.Mention
	kept := false
	for _, id := range ids {
		file, err := v.Read(id)
		if base.IsMissing(err) {
			continue
		}
		if memory.CodeOf(err) == memory.CodeUnreadable {
			kept = true
			continue
		}
		if err != nil {
			return nil, false, err
		}
		m := file.Memory
		path := e.namedAs(v, m, name)
		foreign := g.Foreign(id, file.Bytes())
		if path == "" || !m.IsFor(agent) || foreign && g.HoldsBack() {
			kept = kept || path != ""
			continue
		}
		about := bearingOf(m, path, strings.TrimPrefix(path, e.Files.Place().Below+"/"))
		by[about] = append(by[about], brief.Mention{ID: id, Topic: m.Topic, Foreign: foreign, Unsure: m.Unsure(),
			Altered: foreign && m.Signature != "" && g.Altered(id)})
	}
	found = append(by[subject], by[beside]...)
	settled = len(found) > 0 || len(by[inPassing]) > 0 && !kept
	return found[:min(len(found), maxEditHits)], settled, nil
}

// namedAs returns the path by which a memory refers to a file, which may have moved since, or "".
func (e *Engine) namedAs(v *store.View, m memory.Memory, name string) string {
	if slices.ContainsFunc(m.Refs, func(r memory.Ref) bool { return r.Path == name }) {
		return name
	}
	movedTo, _ := e.Files.Moved(v)
	for _, r := range m.Refs {
		if movedTo(r) == name {
			return r.Path
		}
	}
	return ""
}

// lookAround looks at the files of all memories for the sessions to come, as far as it gets, and notes
// which memories name which file.
func (e *Engine) lookAround() {
	if e.Files == nil || !e.Store.Exists() {
		return
	}
	_ = e.Store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil || v.Own() {
			return err
		}
		u, _, err := e.StartUsage(v)
		if err != nil {
			return err
		}
		g, err := e.Filter(v, u.Settings)
		if err != nil {
			return err
		}
		var refs []memory.Ref
		for _, r := range snapshot.Records {
			if len(r.Refs) > 0 && !g.Hides(*r.Memory) {
				refs = append(refs, r.Refs...)
			}
		}
		l := worktree.Thorough()
		l.Time, l.All = rank.EndLook, true
		e.Files.Check(v, refs, l)
		if v.Exists() {
			e.writeFiles(v, g, rank.Places(snapshot, u))
		}
		return nil
	})
}
