package memfile

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// readAliases adds the aliases of a list, or of a single value, which can hold commas. What cannot
// be an alias is left out.
func readAliases(m *memory.Memory, n *yaml.Node) {
	isOdd := false
	m.Aliases, isOdd = appendAliases(m.Aliases, n)
	m.OddAliases = m.OddAliases || isOdd
}

// appendAliases appends aliases, at most as many as a memory can have, and reports whether some were left out.
func appendAliases(to []string, n *yaml.Node) (all []string, isOdd bool) {
	for _, item := range itemsOf(n) {
		value, ok := scalar(item)
		alias, err := memory.NormalizeAlias(value)
		switch {
		case !ok || err != nil:
			isOdd = true
		case alias == "" || memory.HasAlias(to, alias):
		case len(to) == memory.MaxAliases:
			isOdd = true
		default:
			to = append(to, alias)
		}
	}
	return to, isOdd
}

// itemsOf returns the values of a list, or the value itself.
func itemsOf(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// maxListed bounds the aliases that [File.AllAliases] returns.
const maxListed = 100

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
	root, err := decodeMapping(text)
	if err != nil {
		return f.Memory.Aliases
	}
	var all []string
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == keyAliases {
			all = appendWritten(all, root.Content[i+1])
		}
	}
	return all
}

// appendWritten is appendAliases with the texts that cannot be aliases, such as too long ones.
func appendWritten(to []string, n *yaml.Node) []string {
	for _, item := range itemsOf(n) {
		value, ok := scalar(item)
		if !ok {
			continue
		}
		alias, err := memory.NormalizeAlias(value)
		if err != nil {
			alias = strings.Join(strings.Fields(value), " ")
		}
		if alias != "" && !memory.HasAlias(to, alias) && len(to) < maxListed {
			to = append(to, alias)
		}
	}
	return to
}

// formatAliases returns the aliases as a list, one on each line, which merges best.
func formatAliases(aliases []string) string {
	var b strings.Builder
	for _, alias := range aliases {
		b.WriteString("\n  - " + strconv.Quote(alias))
	}
	return b.String()
}
