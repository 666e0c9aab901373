package memfile

import (
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// header is the front matter: its place in the file and that of each key.
type header struct {
	span
	keys     []headerKey
	flow     bool     // written as {…}, where keys cannot be replaced line by line
	repaired bool     // topic or tags were read as plain text, not as YAML
	missing  bool     // the file is text without a header
	moreTags []string // beyond the first [memory.MaxReadTags]
}

// headerKey holds the lines of one key, without the comments after it.
type headerKey struct {
	name    string
	lines   span // offsets in the file
	comment string
}

func (h *header) find(name string) *headerKey {
	for i := range h.keys {
		if h.keys[i].name == name {
			return &h.keys[i]
		}
	}
	return nil
}

// isTwice reports whether a header has a key more than once.
func (h *header) isTwice(name string) bool {
	count := 0
	for _, k := range h.keys {
		if k.name == name {
			count++
		}
	}
	return count > 1
}

// readHeader sets the memory's fields and records the place of every key.
func (f *File) readHeader(at span) error {
	f.header.span = at
	text := string(f.raw[at.start:at.end])
	root, err := f.table.decode(text)
	if err != nil || hasOddTags(root) || isPredecessors(text) {
		repaired, repairErr := f.table.decode(quoteTexts(text))
		switch {
		case repairErr == nil:
			root, f.header.repaired = repaired, true
		case err != nil:
			return err
		}
	}
	f.header.flow = root.Style&yaml.FlowStyle != 0
	f.locateKeys(root)
	f.Memory.Difficulty = unknownDifficulty
	for i := 0; i+1 < len(root.Content); i += 2 {
		if known := f.table.find(root.Content[i].Value); known != nil {
			if err := known.take(&f.Memory, root.Content[i+1]); err != nil {
				return err
			}
		}
	}
	if m := &f.Memory; len(m.Tags) > memory.MaxReadTags {
		f.header.moreTags, m.OddTags = m.Tags[memory.MaxReadTags:], true
		m.Tags = slices.Clone(m.Tags[:memory.MaxReadTags]) // the others are not kept in memory
	}
	for _, known := range f.table {
		if known.twice != nil && f.header.isTwice(known.key) {
			known.twice(&f.Memory)
		}
	}
	if f.Memory.Topic == "" {
		return unreadable("the header has no topic")
	}
	return nil
}

// decode parses a header.
func (t table) decode(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, unreadable("the header is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, unreadable(`the header is not a list of "key: value" lines`)
	}
	seen := map[string]bool{}
	for i := 0; i < len(doc.Content[0].Content); i += 2 {
		key := doc.Content[0].Content[i].Value
		if known := t.find(key); seen[key] && (known == nil || known.twice == nil) {
			return nil, unreadable("the header has the key %s twice", memory.Quote(key, 40))
		}
		seen[key] = true
	}
	return doc.Content[0], nil
}

// locateKeys records the lines of every key in the original bytes, even if the header was repaired
// before it was parsed.
func (f *File) locateKeys(root *yaml.Node) {
	starts := lineStarts(f.raw[f.header.start:f.header.end])
	lineAt := func(n int) int { // n from 1
		if n-1 < len(starts) {
			return f.header.start + starts[n-1]
		}
		return f.header.end
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		end := f.header.end
		if i+2 < len(root.Content) {
			end = lineAt(root.Content[i+2].Line)
		}
		lines := span{lineAt(key.Line), end}
		cut := cutTrailingComments
		if value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			cut = cutCommentsBehindBlock
		}
		lines.end = lines.start + len(cut(string(f.raw[lines.start:max(lines.start, lines.end)])))
		comment := ""
		if value.Kind == yaml.ScalarNode {
			comment = value.LineComment
		}
		f.header.keys = append(f.header.keys, headerKey{key.Value, lines, comment})
	}
}

// cutTrailingComments removes blank lines and comments from the end: they belong to the next key.
func cutTrailingComments(text string) string {
	for {
		at := lastLineStart([]byte(text))
		line := strings.TrimSpace(text[at:])
		if at == 0 || (line != "" && !strings.HasPrefix(line, "#")) {
			return text
		}
		text = text[:at]
	}
}

// cutCommentsBehindBlock is cutTrailingComments for a block scalar, whose own lines are indented: a
// "#" there is text, and so can blank lines at the end be.
func cutCommentsBehindBlock(text string) string {
	end := len(text)
	for rest := text; ; {
		at := lastLineStart([]byte(rest))
		switch line := rest[at:]; {
		case at > 0 && strings.HasPrefix(line, "#"):
			end = at
		case at == 0 || strings.TrimSpace(line) != "":
			return text[:end]
		}
		rest = rest[:at]
	}
}

func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' && i+1 < len(b) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// readTags accepts a list, or one string with commas. A tag that [memory.NormalizeTag] refuses is
// kept in lower case: reading never loses a tag.
func readTags(m *memory.Memory, n *yaml.Node) error {
	var values []string
	switch {
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return unreadable("a tag is not a single word")
			}
			values = append(values, item.Value)
		}
	case n.Kind == yaml.ScalarNode && n.Value == "[]": // quoted by another writer
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null":
		values = strings.Split(n.Value, ",")
	case n.Kind != yaml.ScalarNode:
		return unreadable("tags are not a list of words")
	}
	m.Tags = nil
	seen := make(map[string]bool, len(values)) // a file from elsewhere can have thousands
	for _, v := range values {
		tag, err := memory.NormalizeTag(v)
		if err != nil {
			tag = strings.ToLower(strings.TrimSpace(v))
		}
		if tag != "" && !seen[tag] {
			seen[tag] = true
			m.Tags = append(m.Tags, tag)
		}
	}
	return nil
}

// parseTime accepts RFC 3339 with or without a fraction and an offset, with a space instead of the
// "T", or only a date. Without an offset the time is UTC.
func parseTime(key, v string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00",
		"2006-01-02 15:04:05.999999999", time.DateOnly} {
		t, err := time.Parse(layout, v)
		if err != nil {
			continue
		}
		if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
			break // the offset takes it out of the years that JSON can hold
		}
		return t, nil
	}
	return time.Time{}, unreadable(`%s %s is not a time like "2026-01-15T10:30:00Z"`, key, memory.Quote(v, 60))
}

// encodePair returns one key and its value as block YAML.
func encodePair(key, value *yaml.Node) string {
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, value}})
	if err != nil {
		return ""
	}
	return string(out)
}
