package forms

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"ltm/engine/transfer"
	"ltm/memory"
	"ltm/memory/memfile"
)

// Predecessor is the store of the Python predecessor, claude-ltm: a directory with memories/, archives/, index.json,
// stats.json and state.json. The files of the memories are the form; the others are derived from them, or belong to one
// machine. A memory that has faded there gets its full text back from its archive.
type Predecessor struct{}

const (
	memoriesDir = "memories/"
	archivesDir = "archives/"
)

// Name implements [transfer.Form].
func (Predecessor) Name() string { return "predecessor" }

// Recognize implements [transfer.Form].
func (Predecessor) Recognize(s transfer.Source) bool {
	return s.Dir && slices.ContainsFunc(s.Files, func(f transfer.File) bool {
		name, inside := strings.CutPrefix(f.Name, memoriesDir)
		_, ok := memory.IDFromFile(name)
		return inside && ok
	})
}

// Read implements [transfer.Form].
func (f Predecessor) Read(s transfer.Source, _ transfer.Here) (transfer.Reading, error) {
	r := transfer.Reading{System: f.Name()}
	if !f.Recognize(s) {
		return r, transfer.Malformed(s.Name, "%s is not a store of the predecessor: it has no memories/mem_*.md",
			quoted(s.Name))
	}
	if err := f.checkVersion(s); err != nil {
		return r, err
	}
	archives := newestArchives(s.Files)
	others, bare := 0, 0
	add := func(item transfer.Item) {
		if item.Err == nil && item.Memory.Content == "" { // a stub, and its archive is gone
			bare++
			return
		}
		r.Items = append(r.Items, item)
	}
	for _, file := range s.Files {
		name, inside := strings.CutPrefix(file.Name, memoriesDir)
		if !inside {
			continue
		}
		id, ok := memory.IDFromFile(name)
		if !ok {
			others++
			continue
		}
		add(ofFile(id, file, archives[id]))
		delete(archives, id)
	}
	for _, file := range s.Files { // memories of which only the archive is left, in order
		if id, _, ok := memory.ParseArchiveName(strings.TrimPrefix(file.Name, archivesDir)); ok && archives[id] != nil {
			item := ofFile(id, *archives[id], nil)
			item.Archived = &transfer.Archived{Reason: memory.ReasonEvicted}
			add(item)
			delete(archives, id)
		}
	}
	r.Remarks = append(leftOut(others, "unknown file", "unknown files"), leftOut(bare, "empty stub", "empty stubs")...)
	return r, nil
}

// checkVersion refuses a store whose index is of another version.
func (f Predecessor) checkVersion(s transfer.Source) error {
	index := s.Find("index.json")
	if index == nil {
		return nil
	}
	var v struct{ Version json.RawMessage }
	if err := json.Unmarshal(index.Data, &v); err != nil {
		return transfer.Malformed(s.Name, "index.json of %s cannot be read: %v", quoted(s.Name), err)
	}
	if len(v.Version) == 0 {
		return nil
	}
	return knownVersion(f.Name(), string(v.Version), []string{"1"})
}

// newestArchives returns the newest archive of each memory.
func newestArchives(files []transfer.File) map[memory.ID]*transfer.File {
	newest, numbers := map[memory.ID]*transfer.File{}, map[memory.ID]int{}
	for i := range files {
		name, inside := strings.CutPrefix(files[i].Name, archivesDir)
		id, number, ok := memory.ParseArchiveName(name)
		if inside && ok && (newest[id] == nil || number >= numbers[id]) {
			newest[id], numbers[id] = &files[i], number
		}
	}
	return newest
}

// parse reads a memory's file.
func parse(file transfer.File) (*memfile.File, error) {
	if file.Err != nil {
		return nil, file.Err
	}
	return memfile.Parse(file.Data)
}

// ofFile makes an item of a memory's file, and of its archive if the file does not hold the full text.
func ofFile(id memory.ID, file transfer.File, archive *transfer.File) transfer.Item {
	item := transfer.Item{Entry: file.Name, Key: string(id), WantID: id}
	parsed, err := parse(file)
	if err != nil {
		item.Err = damaged(file.Name, err)
		return item
	}
	m := parsed.Memory
	if m.Conflicted {
		item.Err = transfer.Malformed(file.Name, "it has an unresolved merge")
		return item
	}
	reduced := m.Phase > memory.Full || m.Content == ""
	if archive != nil && reduced {
		full, err := parse(*archive)
		switch {
		case err == nil && full.Memory.Content != "":
			m.Summary, m.Content = full.Memory.Summary, full.Memory.Content
			reduced = false
		case err != nil:
			item.Remarks = memory.Say(path.Base(archive.Name) + " in archives cannot be read: the text is shortened")
		}
	}
	if m.IsStub() {
		item.Archived = &transfer.Archived{Reason: m.ArchivedReason, Day: m.ArchivedAt}
	}
	if reduced && m.Content == "" {
		m.Content = m.Summary
	}
	if m.CreatedAt.IsZero() {
		m.CreatedAt = file.Modified
	}
	for _, list := range []struct {
		ids  []memory.ID
		keys *[]string
	}{{m.Related, &item.Related}, {m.Supersedes, &item.Supersedes}, {m.Disputes, &item.Disputes}} {
		for _, id := range list.ids {
			*list.keys = append(*list.keys, string(id))
		}
	}
	item.Memory = memory.Memory{
		Topic: m.Topic, Tags: m.Tags, Aliases: m.Aliases,
		Difficulty: m.Difficulty, Work: m.Work, CreatedAt: m.CreatedAt,
		Category: m.Category, Confidence: m.Confidence, Commit: m.Commit, Agent: m.Agent,
		Summary: m.Summary, Content: m.Content,
	}
	return item
}
