package links

import "ltm/memory"

// Ruling decides which memories are superseded, for one reader. It is not safe for concurrent use.
type Ruling struct {
	graph  *Graph
	counts func(memory.ID) bool
	asked  map[memory.ID]bool // the answers of counts
	over   map[int]bool       // by group: whether an active memory supersedes it
}

// Ruling returns the ruling for a reader who believes the links of those memories for which counts
// returns true. It calls counts at most once for each memory, and only for those that decide about
// the memories that [Ruling.Superseded] is asked about.
func (g *Graph) Ruling(counts func(memory.ID) bool) *Ruling {
	return &Ruling{graph: g, counts: counts, asked: map[memory.ID]bool{}, over: map[int]bool{}}
}

// Superseded reports whether an active memory supersedes a memory, directly or through others,
// which may be archived. All links on the way must count. A cycle supersedes none of its members,
// and neither does a memory with an unresolved merge.
func (r *Ruling) Superseded(id memory.ID) bool {
	if len(r.graph.superseders[id]) == 0 {
		return false
	}
	r.graph.findGroups()
	return r.decide(r.graph.group[id])
}

// decide decides about a group, and first about those above it that matter. It keeps its own
// stack, as a chain can be as long as there are files. Groups form no cycles.
func (r *Ruling) decide(group int) bool {
	for todo := []int{group}; len(todo) > 0; {
		at := todo[len(todo)-1]
		if _, known := r.over[at]; !known {
			over, first := r.look(at)
			if len(first) > 0 {
				todo = append(todo, first...)
				continue
			}
			r.over[at] = over
		}
		todo = todo[:len(todo)-1]
	}
	return r.over[group]
}

// look decides about a group, or returns the groups above it that have to be decided first.
func (r *Ruling) look(group int) (over bool, first []int) {
	for _, id := range r.graph.groups[group] {
		for _, by := range r.graph.superseders[id] {
			above := r.graph.group[by]
			if above == group || !r.believes(by) {
				continue
			}
			// Sessions may be shown it instead.
			if m := r.graph.linked[by]; m.Phase.Active() && !m.Conflicted || r.over[above] {
				return true, nil
			}
			if _, known := r.over[above]; !known {
				first = append(first, above)
			}
		}
	}
	return false, first
}

func (r *Ruling) believes(id memory.ID) bool {
	counts, known := r.asked[id]
	if !known {
		counts = r.counts(id)
		r.asked[id] = counts
	}
	return counts
}
