package links

import (
	"slices"

	"ltm/memory"
)

// Newer returns the memories that supersede a memory, directly or not: those that name it first,
// then those that name these, each once. The memory itself is left out, also in a cycle.
func (g *Graph) Newer(id memory.ID) []memory.ID {
	var out []memory.ID
	seen := map[memory.ID]bool{id: true}
	for todo := []memory.ID{id}; len(todo) > 0; todo = todo[1:] {
		for _, by := range g.SupersededBy(todo[0]) {
			if !seen[by] {
				seen[by] = true
				out, todo = append(out, by), append(todo, by)
			}
		}
	}
	return out
}

// Ends returns the ends of the chains that supersede a memory: of its corrections, and theirs, those that no other one
// supersedes. Only memories that count are followed. A cycle has no end: then it returns those that name the memory.
func (g *Graph) Ends(id memory.ID, counts func(*memory.Memory) bool) []memory.ID {
	following := func(id memory.ID) []memory.ID {
		return slices.DeleteFunc(g.SupersededBy(id), func(by memory.ID) bool { return !counts(g.Memory(by)) })
	}
	var ends []memory.ID
	seen := map[memory.ID]bool{id: true}
	first := following(id)
	for todo := slices.Clone(first); len(todo) > 0; todo = todo[1:] {
		if seen[todo[0]] {
			continue
		}
		seen[todo[0]] = true
		next := following(todo[0])
		if len(next) == 0 {
			ends = append(ends, todo[0])
		}
		todo = append(todo, next...)
	}
	if len(ends) == 0 {
		return first
	}
	slices.Sort(ends)
	return ends
}

// Cycles returns the cycles of supersession: sets of two or more memories each of which supersedes
// all others of its set, directly or not. Sets and members are sorted.
func (g *Graph) Cycles() [][]memory.ID {
	g.findGroups()
	var cycles [][]memory.ID
	for _, group := range g.groups {
		if len(group) > 1 {
			cycles = append(cycles, group)
		}
	}
	slices.SortFunc(cycles, func(a, b []memory.ID) int { return slices.Compare(a, b) })
	return cycles
}

// InCycle reports whether two memories supersede each other, directly or not, or are the same.
func (g *Graph) InCycle(a, b memory.ID) bool {
	g.findGroups()
	x, known := g.group[a]
	y, also := g.group[b]
	return a == b || known && also && x == y
}

// findGroups numbers the strongly connected sets of memories by supersession, once.
func (g *Graph) findGroups() {
	g.grouped.Do(func() {
		g.group = make(map[memory.ID]int, len(g.superseders))
		t := tarjan{graph: g, index: map[memory.ID]int{}, low: map[memory.ID]int{}}
		for id := range g.superseders {
			if t.index[id] == 0 {
				t.visit(id)
			}
		}
	})
}

// tarjan is Tarjan's algorithm. Its sets do not depend on where it begins.
type tarjan struct {
	graph *Graph
	index map[memory.ID]int // from 1, in the order of visits
	low   map[memory.ID]int
	stack []memory.ID
	on    map[memory.ID]bool
}

// frame is a memory being visited, and the neighbors still to look at. The stack of frames is kept
// here, because a hostile chain is as long as there are files.
type frame struct {
	id   memory.ID
	next []memory.ID
}

func (t *tarjan) enter(id memory.ID) frame {
	n := len(t.index) + 1
	t.index[id], t.low[id] = n, n
	t.stack = append(t.stack, id)
	if t.on == nil {
		t.on = map[memory.ID]bool{}
	}
	t.on[id] = true
	return frame{id, t.graph.superseders[id]}
}

func (t *tarjan) visit(from memory.ID) {
	frames := []frame{t.enter(from)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if len(f.next) > 0 {
			id := f.next[0]
			f.next = f.next[1:]
			switch {
			case t.index[id] == 0:
				frames = append(frames, t.enter(id))
			case t.on[id]:
				t.low[f.id] = min(t.low[f.id], t.index[id])
			}
			continue
		}
		done := f.id
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			up := frames[len(frames)-1].id
			t.low[up] = min(t.low[up], t.low[done])
		}
		if t.low[done] == t.index[done] {
			t.leave(done)
		}
	}
}

// leave takes a complete set from the stack.
func (t *tarjan) leave(root memory.ID) {
	g := t.graph
	at := len(t.stack) - 1
	for t.stack[at] != root {
		at--
	}
	members := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	slices.Sort(members)
	for _, id := range members {
		t.on[id] = false
		g.group[id] = len(g.groups)
	}
	g.groups = append(g.groups, members)
}
