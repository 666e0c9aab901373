package memfile

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// formatRefs returns a list with a line for each reference, so that changes of two of them merge.
func formatRefs(refs []memory.Ref) string {
	var b strings.Builder
	for _, r := range refs {
		b.WriteString("\n  - {path: " + strconv.Quote(r.Path))
		if r.Blob != "" {
			b.WriteString(", blob: " + strconv.Quote(r.Blob)) // digits alone are a number
		}
		switch {
		case r.End > 0:
			b.WriteString(", line: " + strconv.Itoa(r.Line) + "-" + strconv.Itoa(r.End))
		case r.Line > 0:
			b.WriteString(", line: " + strconv.Itoa(r.Line))
		}
		if r.Symbol != "" {
			b.WriteString(", symbol: " + strconv.Quote(r.Symbol))
		}
		if r.Near != "" {
			b.WriteString(", near: " + strconv.Quote(r.Near))
		}
		b.WriteString("}")
	}
	return b.String()
}

// readRefs adds the references of a list. One that is only a text is read as [memory.ParseRef] does. Values that are
// not references are left out, as are those beyond [memory.MaxRefs].
func readRefs(m *memory.Memory, n *yaml.Node) error {
	if value, ok := scalar(n); ok && value == "" {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		m.OddRefs = true
		return nil
	}
	for _, item := range n.Content {
		r, whole := readRef(item)
		if !whole {
			m.OddRefs = true
		}
		switch {
		case r.Path == "":
		case slices.ContainsFunc(m.Refs, r.Same):
		case len(m.Refs) == memory.MaxRefs:
			m.OddRefs = true
			return nil
		default:
			m.Refs = append(m.Refs, r)
		}
	}
	return nil
}

// readRef reads one reference, and ignores keys that it does not know. Without a path, it is not a reference.
// An unreadable blob counts as absent. whole reports whether all of it could be read.
func readRef(n *yaml.Node) (r memory.Ref, whole bool) {
	if value, ok := scalar(n); ok {
		r, err := memory.ParseRef(value)
		return r, err == nil
	}
	if n.Kind != yaml.MappingNode {
		return r, false
	}
	whole = true
	for i := 0; i+1 < len(n.Content); i += 2 {
		value, ok := scalar(n.Content[i+1])
		if ok && value == "" {
			continue
		}
		switch n.Content[i].Value {
		case "path":
			r.Path = value
		case "blob":
			r.Blob, ok = strings.ToLower(value), ok && memory.IsBlob(strings.ToLower(value))
			if !ok {
				r.Blob = ""
			}
		case "line":
			r.Line, r.End, ok = memory.ParseRefLines(value)
		case "symbol":
			r.Symbol = value
		case "near":
			r.Near = value
		default:
			continue
		}
		whole = whole && ok
	}
	normal, err := memory.NormalizeRefs([]memory.Ref{r})
	if err != nil {
		return memory.Ref{}, false
	}
	return normal[0], whole
}
