package memfile

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// linksField is the row of a list of links.
func linksField(key string, at func(*memory.Memory) *[]memory.ID) field {
	return field{key: key, present: func(m *memory.Memory) bool { return len(*at(m)) > 0 },
		write: func(m *memory.Memory) string { return "[" + memory.JoinIDs(*at(m)) + "]" },
		read: func(m *memory.Memory, n *yaml.Node) error {
			readLinks(m, at(m), n)
			return nil
		},
		twice: func(m *memory.Memory) { m.OddLinks = true }}
}

// markField is the row of a text, which ok returns as it is kept, and false if it does not count.
func markField(key string, at func(*memory.Memory) *string, ok func(string) (string, bool)) field {
	return field{key: key, present: func(m *memory.Memory) bool { return *at(m) != "" },
		write: func(m *memory.Memory) string { return strconv.Quote(*at(m)) }, // digits alone are a number
		read: func(m *memory.Memory, n *yaml.Node) error {
			value, single := scalar(n)
			if single && value == "" {
				return nil
			}
			if value, valid := ok(value); single && valid {
				*at(m) = value
			} else {
				m.OddLinks = true
			}
			return nil
		},
		twice: func(m *memory.Memory) { *at(m), m.OddLinks = "", true }}
}

// readLinks adds the ids of a list, or of one string with commas. Values that are not ids are left out.
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

// readOrigin reads what [formatOrigin] wrote, and ignores keys that it does not know.
func readOrigin(m *memory.Memory, n *yaml.Node) error {
	if value, ok := scalar(n); ok && value == "" {
		return nil
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
		return nil
	}
	m.Origin = &o
	return nil
}

// formatOrigin returns the origin on one line.
func formatOrigin(o *memory.Origin) string {
	text := "{system: " + strconv.Quote(o.System) + ", id: " + strconv.Quote(o.ID)
	if o.Agent != "" {
		text += ", agent: " + strconv.Quote(o.Agent)
	}
	return text + "}"
}
