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
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	for _, item := range items {
		value, ok := scalar(item)
		alias, err := memory.NormalizeAlias(value)
		switch {
		case !ok || err != nil:
			m.OddAliases = true
		case alias == "" || memory.HasAlias(m.Aliases, alias):
		case len(m.Aliases) == memory.MaxAliases:
			m.OddAliases = true
		default:
			m.Aliases = append(m.Aliases, alias)
		}
	}
}

// formatAliases returns the aliases as a list, one on each line, which merges best.
func formatAliases(aliases []string) string {
	var b strings.Builder
	for _, alias := range aliases {
		b.WriteString("\n  - " + strconv.Quote(alias))
	}
	return b.String()
}
