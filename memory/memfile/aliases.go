package memfile

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// maxListed bounds the aliases that [File.AllAliases] returns.
const maxListed = 100

// readAliases adds the aliases of a list, or of a single value, which can hold commas. Values that cannot be an alias
// are left out.
func readAliases(m *memory.Memory, n *yaml.Node) error {
	isWhole := false
	m.Aliases, isWhole = appendAliases(m.Aliases, n, memory.MaxAliases)
	m.OddAliases = m.OddAliases || !isWhole
	return nil
}

// appendAliases appends aliases until there are most, and reports whether none was left out. A text that cannot be an
// alias, such as a too long one, counts if most is [maxListed].
func appendAliases(to []string, n *yaml.Node, most int) (all []string, isWhole bool) {
	isWhole = true
	items := n.Content
	if n.Kind != yaml.SequenceNode { // a single value
		items = []*yaml.Node{n}
	}
	for _, item := range items {
		value, ok := scalar(item)
		alias, err := memory.NormalizeAlias(value)
		if err != nil && most == maxListed {
			alias, err = strings.Join(strings.Fields(value), " "), nil
		}
		switch {
		case !ok || err != nil:
			isWhole = false
		case alias == "" || memory.HasAlias(to, alias):
		case len(to) == most:
			isWhole = false
		default:
			to = append(to, alias)
		}
	}
	return to, isWhole
}

// AllAliases returns the aliases in the file, those that are too many or too long for a memory included: a change must
// not drop them.
func (f *File) AllAliases() []string {
	if !f.Memory.OddAliases {
		return f.Memory.Aliases
	}
	text := string(f.raw[f.header.start:f.header.end])
	if f.header.repaired {
		text = quoteTexts(text)
	}
	root, err := f.table.decode(text)
	if err != nil {
		return f.Memory.Aliases
	}
	var all []string
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == keyAliases {
			all, _ = appendAliases(all, root.Content[i+1], maxListed)
		}
	}
	return all
}

// formatAliases returns the aliases as a list, one on each line, which merges best.
func formatAliases(aliases []string) string {
	var b strings.Builder
	for _, alias := range aliases {
		b.WriteString("\n  - " + strconv.Quote(alias))
	}
	return b.String()
}
