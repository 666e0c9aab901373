package memfile

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// linksOf returns the list of links that a key holds.
func linksOf(m *memory.Memory, key string) *[]memory.ID {
	switch key {
	case keySupersedes:
		return &m.Supersedes
	case keyDisputes:
		return &m.Disputes
	}
	return &m.Related
}

// markOf returns the text that a key holds.
func markOf(m *memory.Memory, key string) *string {
	switch key {
	case keyAgent:
		return &m.Agent
	case keyCommit:
		return &m.Commit
	}
	return &m.Signature
}

// readLinks adds the ids of a list, or of one string with commas. What is not an id is left out.
func readLinks(m *memory.Memory, to *[]memory.ID, n *yaml.Node) {
	var values []string
	switch value, ok := scalar(n); {
	case ok && value != "":
		values = strings.Split(value, ",")
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			value, _ := scalar(item)
			values = append(values, value)
		}
	case !ok:
		m.OddLinks = true
	}
	for _, value := range values {
		id, err := memory.ParseID(value)
		switch {
		case err != nil || len(*to) == memory.MaxLinks && !slices.Contains(*to, id):
			m.OddLinks = true
		case !slices.Contains(*to, id):
			*to = append(*to, id)
		}
	}
}

// readMark reads an agent, a commit or a signature.
func readMark(m *memory.Memory, key string, n *yaml.Node) {
	value, ok := scalar(n)
	if ok && value == "" {
		return
	}
	if key == keyCommit {
		value = strings.ToLower(value)
	}
	switch key {
	case keyAgent:
		_, err := memory.NormalizeAgent(value)
		ok = ok && err == nil
	case keyCommit:
		ok = ok && memory.IsCommit(value)
	case keySignature:
		ok = ok && memory.IsSignature(value)
	}
	if !ok {
		m.OddLinks = true
		return
	}
	*markOf(m, key) = value
}

// readOrigin reads what [formatOrigin] wrote, and ignores keys that it does not know.
func readOrigin(m *memory.Memory, n *yaml.Node) {
	if value, ok := scalar(n); ok && value == "" {
		return
	}
	var o memory.Origin
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			value, _ := scalar(n.Content[i+1])
			switch n.Content[i].Value {
			case "system":
				o.System = value
			case "id":
				o.ID = value
			case "agent":
				o.Agent = value
			}
		}
	}
	if !o.IsValid() {
		m.OddLinks = true
		return
	}
	m.Origin = &o
}

// formatLinks returns the ids on one line.
func formatLinks(ids []memory.ID) string {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(id))
	}
	return " [" + b.String() + "]"
}

// formatOrigin returns the origin on one line.
func formatOrigin(o *memory.Origin) string {
	text := " {system: " + strconv.Quote(o.System) + ", id: " + strconv.Quote(o.ID)
	if o.Agent != "" {
		text += ", agent: " + strconv.Quote(o.Agent)
	}
	return text + "}"
}

// sameOrigin compares two origins, either of which may be nil.
func sameOrigin(a, b *memory.Origin) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
