package engine

import (
	"slices"
	"sync"

	"ltm/engine/brief"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/links"
	"ltm/store"
)

// A memory names those that it corrects in its own file. Usually they are archived by then. One
// that is still active, because another branch had changed it, is out of sight in the view of this
// clone. Nothing of that is stored.

// maxMarks bounds how many links of one sort an answer about several memories shows of each. A
// hostile file can name many.
const maxMarks = 3

// standing is what other memories say of each memory, as one view and one clone see it. A nil standing contains no
// links.
type standing struct {
	graph  *links.Graph
	hidden map[memory.ID]bool      // active memories that others have superseded
	behind map[memory.ID]memory.ID // restored memories, and what superseded them, which comes before
	held   func(memory.ID) bool
}

// saying derives the standing of the memories in a view when it is first asked for.
type saying struct {
	view     *store.View
	settings settings.Settings
	proofs   func() *prover // of signatures; nil: none counts
	open     bool           // for a person, who is also shown what is held back from a model
	once     sync.Once
	standing *standing
}

// get returns the standing. A nil saying contains no links.
func (s *saying) get() *standing {
	if s == nil {
		return nil
	}
	s.once.Do(func() {
		snapshot, err := s.view.MemoriesQuick()
		if err != nil || snapshot.Links().IsEmpty() {
			return
		}
		var p *prover
		if s.proofs != nil {
			p = s.proofs()
		}
		g, err := guardWith(s.view, s.settings, p)
		if err != nil {
			g = guard{hold: true, trust: &store.Trust{}, view: s.view} // no claim is believed
		}
		s.standing = standingOf(s.view, snapshot.Links(), g, s.open)
	})
	return s.standing
}

// standingOf derives the standing of memories. Only links of memories that were written or approved
// in this clone can hide a memory. Files are read only to tell that of memories that name an active
// one.
func standingOf(v *store.View, graph *links.Graph, g guard, open bool) *standing {
	st := &standing{graph: graph,
		held: func(id memory.ID) bool { return !open && g.asks() && g.lookAt(id, false) }}
	ruling := graph.Ruling(func(id memory.ID) bool { return !g.lookAt(id, false) })
	for _, id := range graph.Named() {
		m := graph.Memory(id)
		switch {
		case m == nil || !m.Phase.Active() || !ruling.Superseded(id):
		case m.Restored:
			if by := successors(graph, id); len(by) > 0 {
				if st.behind == nil {
					st.behind = map[memory.ID]memory.ID{}
				}
				st.behind[id] = by[0]
			}
		default:
			if st.hidden == nil {
				st.hidden = map[memory.ID]bool{}
			}
			st.hidden[id] = true
		}
	}
	return st
}

// corrections maps the restored memories to those that superseded them, and come before them.
func (s *standing) corrections() map[memory.ID]memory.ID {
	if s == nil {
		return nil
	}
	return s.behind
}

// hides reports whether a memory is out of sight because another one has superseded it.
func (s *standing) hides(id memory.ID) bool { return s != nil && s.hidden[id] }

// supersededBy returns the memories that hold in the place of a memory: the ends of its chains of corrections, those
// that were forgotten left out.
func (s *standing) supersededBy(id memory.ID) []memory.ID {
	if s == nil {
		return nil
	}
	return s.known(successors(s.graph, id), func(*memory.Memory) bool { return true })
}

// successors returns the memories that hold in the place of one that was superseded.
func successors(graph *links.Graph, id memory.ID) []memory.ID {
	return graph.Ends(id, func(m *memory.Memory) bool { return !isForgotten(m) })
}

// disputes returns the active memories that dispute a memory, or that it disputes, and neither of
// which has superseded the other.
func (s *standing) disputes(id memory.ID) []memory.ID {
	if s == nil {
		return nil
	}
	settled := slices.Concat(s.graph.SupersededBy(id), s.graph.Supersedes(id))
	return s.known(s.graph.Disputes(id), func(m *memory.Memory) bool {
		return m.Phase.Active() && !s.hidden[m.ID] && !slices.Contains(settled, m.ID)
	})
}

// related returns the memories that a memory is related to.
func (s *standing) related(id memory.ID) []memory.ID {
	if s == nil {
		return nil
	}
	return s.known(s.graph.Related(id), func(*memory.Memory) bool { return true })
}

// known returns the ids of memories that exist, fit, and are not held back.
func (s *standing) known(ids []memory.ID, fits func(*memory.Memory) bool) []memory.ID {
	return slices.DeleteFunc(ids, func(id memory.ID) bool {
		m := s.graph.Memory(id)
		return m == nil || !fits(m) || s.held(id)
	})
}

// isForgotten reports whether a memory was taken out for good or for now, and with it what it
// said of others.
func isForgotten(m *memory.Memory) bool {
	switch m.ArchivedReason {
	case memory.ReasonForgotten, memory.ReasonErased, memory.ReasonUndone:
		return m.IsStub()
	}
	return false
}

// saidOf returns what other memories say of one, for an answer about several.
func (u use) saidOf(m memory.Memory) api.Said {
	st := u.said.get()
	said := api.Said{SupersededBy: few(st.supersededBy(m.ID))}
	if m.Phase.Active() {
		said.Disputes = few(st.disputes(m.ID))
	}
	return said
}

// marksOf returns what answers say of a memory, except whose it is.
func (u use) marksOf(m memory.Memory) api.Marks {
	marks := api.MarksOf(m)
	marks.Stale, marks.Said = u.truth.stale(m), u.saidOf(m)
	return marks
}

// briefSaid is saidOf for a block of text.
func (u use) briefSaid(m memory.Memory) brief.Said {
	said := u.saidOf(m)
	return brief.Said{SupersededBy: said.SupersededBy, Disputes: said.Disputes, Stale: u.truth.stale(m)}
}

// few returns the first ids of a list.
func few(ids []memory.ID) []memory.ID { return ids[:min(len(ids), maxMarks)] }

// many returns the first ids of a list, as many as a memory can name itself.
func many(ids []memory.ID) []memory.ID { return ids[:min(len(ids), memory.MaxLinks)] }
