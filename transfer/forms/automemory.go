package forms

import (
	"path"
	"strings"

	"ltm/memory"
	"ltm/transfer"
)

// AutoMemory is the memory that Claude Code keeps of a project by itself, in
// ~/.claude/projects/PROJECT/memory: MEMORY.md, which every session loads, and a file for each
// topic. Since 2.1, MEMORY.md is only an index (`- [Title](file.md) — hook`), and a topic's file
// begins with front matter: name, description and metadata.type (user, feedback, project,
// reference). Before, MEMORY.md held text too, and topics had no front matter. Both are read.
//
// Each topic becomes a memory, and so does each section of MEMORY.md that is more than an index.
type AutoMemory struct{}

const (
	indexFile  = "MEMORY.md"
	autoSystem = "claude-code"
)

// Name implements [transfer.Form].
func (AutoMemory) Name() string { return "auto-memory" }

// Recognize implements [transfer.Form].
func (AutoMemory) Recognize(s transfer.Source) bool { return s.Dir && s.Find(indexFile) != nil }

// Read implements [transfer.Form].
func (f AutoMemory) Read(s transfer.Source, here transfer.Here) (transfer.Reading, error) {
	r := transfer.Reading{System: autoSystem}
	if !s.Dir {
		return r, transfer.Malformed(s.Name, "%s is not a directory; the form %s is a directory with %s",
			quoted(s.Name), f.Name(), indexFile)
	}
	index := s.Find(indexFile)
	if index == nil {
		return r, transfer.Malformed(s.Name, "%s has no %s", quoted(s.Name), indexFile)
	}
	titles := map[string]string{}
	r.Items = readIndex(*index, titles)
	var notes []note
	var left skipped
	for _, file := range s.Files {
		if file.Name != indexFile && isNote(file.Name) {
			left.add(&notes, readNote(file, here))
		}
	}
	known := newNames()
	for _, n := range notes {
		known.add(n.file, n.file, n.props.First("name"))
	}
	for _, n := range notes {
		item := n.item(titles[n.file], n.file, known)
		if kind := n.props.First("metadata.type", "type"); kind != "" {
			item.addTags(kind)
			if kind == "user" { // what it is about a person
				item.Scope = transfer.ScopeUser
			}
		}
		item.Memory.Summary = n.props.First("description")
		r.Items = append(r.Items, item.Item)
	}
	r.Remarks = left.remarks()
	return r, nil
}

// indexLine matches a line of the index.
var indexLine = pattern(`^\s*(?:[-*+]\s+)?\[([^\]]+)\]\(<?([^()<>]+\.md)>?\)`)

// readIndex reads MEMORY.md: the titles of the topics, by file, and what it says itself.
func readIndex(file transfer.File, titles map[string]string) []transfer.Item {
	_, text, err := properties(file) // an index has no front matter
	if err != nil {
		return []transfer.Item{{Entry: indexFile, Key: indexFile, Err: damaged(indexFile, err)}}
	}
	text, _ = uncommented(text)
	var items []transfer.Item
	for _, s := range sections(text) {
		kept := s.lines[:0:0]
		var code fence
		for _, line := range s.lines {
			m := indexLine().FindStringSubmatch(line)
			if code.next(line) || m == nil {
				kept = append(kept, line)
				continue
			}
			titles[path.Clean(m[2])] = strings.TrimSpace(m[1])
		}
		content := memory.TrimBlank(strings.Join(kept, "\n"))
		if content == "" {
			continue
		}
		key := strings.Join(append([]string{indexFile}, s.path...), "#")
		topic := memory.ClipTopic(s.title)
		if s.level < 2 || topic == "" { // "# Memory" says nothing
			topic = title(content)
		}
		items = append(items, transfer.Item{Entry: entryOf(key), Key: key, Memory: memory.Memory{
			Topic: topic, Content: content, CreatedAt: file.Modified,
		}})
	}
	keepKeysApart(items)
	return items
}
