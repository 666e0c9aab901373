package links

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"ltm/memory"
)

// Graph has the links between memories. It is immutable and safe for concurrent use. The graph of
// memories without links is empty and costs nothing.
type Graph struct {
	linked map[memory.ID]*memory.Memory // those that name others, and those that are named

	superseders map[memory.ID][]memory.ID // by whom a memory is named, sorted; so are the next two
	disputers   map[memory.ID][]memory.ID
	relaters    map[memory.ID][]memory.ID

	grouped sync.Once
	group   map[memory.ID]int // supersession: memories with one number supersede each other in a cycle
	groups  [][]memory.ID
}

// New returns the graph of memories, each of which must come once. It iterates over them twice,
// and keeps pointers to those with links. A memory of phase [memory.Removed] counts as archived.
func New(all iter.Seq[*memory.Memory]) *Graph {
	g := &Graph{}
	for m := range all {
		if len(m.Supersedes)+len(m.Disputes)+len(m.Related) == 0 {
			continue
		}
		if g.linked == nil {
			g.linked = map[memory.ID]*memory.Memory{}
			g.superseders, g.disputers = map[memory.ID][]memory.ID{}, map[memory.ID][]memory.ID{}
			g.relaters = map[memory.ID][]memory.ID{}
		}
		g.linked[m.ID] = m
		name(g.superseders, m.ID, m.Supersedes)
		name(g.disputers, m.ID, m.Disputes)
		name(g.relaters, m.ID, m.Related)
	}
	if g.linked == nil {
		return g
	}
	for m := range all {
		if len(g.superseders[m.ID])+len(g.disputers[m.ID])+len(g.relaters[m.ID]) > 0 {
			g.linked[m.ID] = m
		}
	}
	for _, by := range []map[memory.ID][]memory.ID{g.superseders, g.disputers, g.relaters} {
		for _, ids := range by {
			slices.Sort(ids)
		}
	}
	return g
}

func name(by map[memory.ID][]memory.ID, from memory.ID, to []memory.ID) {
	for i, id := range to {
		if !slices.Contains(to[:i], id) {
			by[id] = append(by[id], from)
		}
	}
}

// IsEmpty reports whether no memory names another.
func (g *Graph) IsEmpty() bool { return g.linked == nil }

// Memory returns a memory that names another or is named by one, or nil. It is nil for a memory
// that is named and does not exist.
func (g *Graph) Memory(id memory.ID) *memory.Memory { return g.linked[id] }

// IDs returns the memories that name others or are named, those that do not exist left out, sorted.
func (g *Graph) IDs() []memory.ID {
	return slices.Sorted(maps.Keys(g.linked))
}

// Named returns the memories that others name as superseded, sorted. Some may not exist.
func (g *Graph) Named() []memory.ID { return slices.Sorted(maps.Keys(g.superseders)) }

// Supersedes returns the memories that a memory names as superseded, without itself, sorted.
func (g *Graph) Supersedes(id memory.ID) []memory.ID {
	if m := g.linked[id]; m != nil {
		return set(id, m.Supersedes)
	}
	return nil
}

// SupersededBy returns the memories that name a memory as superseded, stubs included, without itself, sorted.
func (g *Graph) SupersededBy(id memory.ID) []memory.ID { return set(id, g.superseders[id]) }

// Disputes returns the memories that a memory disputes or that dispute it, sorted.
func (g *Graph) Disputes(id memory.ID) []memory.ID {
	if m := g.linked[id]; m != nil {
		return set(id, m.Disputes, g.disputers[id])
	}
	return set(id, g.disputers[id])
}

// Related returns the memories that a memory names as related or that name it so, sorted.
func (g *Graph) Related(id memory.ID) []memory.ID {
	if m := g.linked[id]; m != nil {
		return set(id, m.Related, g.relaters[id])
	}
	return set(id, g.relaters[id])
}

// Unknown returns the memories that a memory names in any way and that do not exist, sorted.
func (g *Graph) Unknown(id memory.ID) []memory.ID {
	m := g.linked[id]
	if m == nil {
		return nil
	}
	return slices.DeleteFunc(set(id, m.Supersedes, m.Disputes, m.Related),
		func(id memory.ID) bool { return g.linked[id] != nil })
}

// NamesItself reports whether a memory has a link to itself, which counts as no link.
func (g *Graph) NamesItself(id memory.ID) bool {
	m := g.linked[id]
	return m != nil && (slices.Contains(m.Supersedes, id) || slices.Contains(m.Disputes, id) ||
		slices.Contains(m.Related, id))
}

// set returns the ids of lists, sorted, each once and without one of them, or nil.
func set(without memory.ID, lists ...[]memory.ID) []memory.ID {
	var out []memory.ID
	for _, ids := range lists {
		for _, id := range ids {
			if id != without {
				out = append(out, id)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
