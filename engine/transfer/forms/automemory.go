package forms

import (
	"path"
	"strings"

	"ltm/engine/transfer"
)

// AutoMemory is the memory that Claude Code keeps of a project by itself, in ~/.claude/projects/PROJECT/memory:
// MEMORY.md, which every session loads, and a file for each topic. Since 2.1, MEMORY.md is only an index (`-
// [Title](file.md) — hook`), and a topic's file begins with front matter: name, description and metadata.type (user,
// feedback, project, reference). Before, MEMORY.md held text too, and topics had no front matter. Both are read.
//
// Each topic becomes a memory, and so does each list item of MEMORY.md that is not of the index, and the other text of
// each of its sections. MEMORY.md can be read without its topics.
type AutoMemory struct{}

const (
	indexFile  = "MEMORY.md"
	autoSystem = "claude-code"
)

// Name implements [transfer.Form].
func (AutoMemory) Name() string { return "auto-memory" }

// Recognize implements [transfer.Form].
func (AutoMemory) Recognize(s transfer.Source) bool { return s.Find(indexFile) != nil }

// Read implements [transfer.Form].
func (f AutoMemory) Read(s transfer.Source, here transfer.Here) (transfer.Reading, error) {
	r := transfer.Reading{System: autoSystem}
	index := s.Find(indexFile)
	if index == nil {
		return r, transfer.Malformed(s.Name, "%s has no %s", quoted(s.Name), indexFile)
	}
	titles := map[string]string{}
	notes, empty := readNotes(s.Files, here, func(name string) bool {
		isTopic := name != indexFile && isNote(name)
		if isTopic {
			titles[name] = ""
		}
		return isTopic
	})
	var others int
	r.Items, others = readIndex(*index, titles, s.Dir)
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
	r.Remarks = append(leftOut(others, "topic in another file", "topics in other files"), empty...)
	return r, nil
}

// indexLine matches a line of the index.
var indexLine = pattern(`^\s*(?:[-*+]\s+)?\[([^\]]+)\]\(<?([^()<>]+\.md)>?\)`)

// readIndex reads MEMORY.md: what it says itself, and the titles of the topics, which are known by their files. Of a
// file alone, the lines about topics are left out, and counted.
func readIndex(file transfer.File, titles map[string]string, whole bool) (items []transfer.Item, others int) {
	_, text, err := properties(file) // an index has no front matter
	if err != nil {
		return []transfer.Item{{Entry: indexFile, Key: indexFile, Err: damaged(indexFile, err)}}, 0
	}
	text, _ = uncommented(text)
	for _, s := range sections(text) {
		kept := s.lines[:0:0]
		var code fence
		for _, line := range s.lines {
			m := indexLine().FindStringSubmatch(line)
			if code.next(line) || m == nil {
				kept = append(kept, line)
				continue
			}
			topic := path.Clean(m[2])
			switch _, known := titles[topic]; {
			case known:
				titles[topic] = strings.TrimSpace(m[1])
			case whole || path.IsAbs(topic) || strings.HasPrefix(topic, "../") || strings.Contains(m[2], "://"):
				kept = append(kept, line)
			default:
				others++
			}
		}
		s.lines = kept
		if s.level < 2 { // "# Memory" says nothing
			s.title = ""
		}
		items = append(items, ofSection(file, s, nil)...)
	}
	numbered(items)
	return items, others
}
