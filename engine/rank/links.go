package rank

import (
	"slices"
	"sync"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/settings"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/links"
	"ltm/store"
)

// A memory names those that it corrects in its own file. Usually they are archived by then. One that is still active,
// because another branch had changed it, is out of sight in the view of this clone. Nothing of that is stored.

// standing is what other memories say of each memory, as one view and one clone see it. A nil standing contains no
// links.
type standing struct {
	graph  *links.Graph
	hidden map[memory.ID]bool      // active memories that others have superseded
	behind map[memory.ID]memory.ID // restored memories, and what superseded them, which comes before
	held   func(memory.ID) bool
}

// Standings derives the standing of the memories in a view when it is first asked for.
type Standings struct {
	View     *store.View
	Settings settings.Settings
	Proofs   func() *trust.Prover // of signatures; nil: none counts
	open     bool                 // for a person, who is also shown what is held back from a model
	once     sync.Once
	standing *standing
}

// Get returns the standing. A nil one contains no links.
func (s *Standings) Get() *standing {
	if s == nil {
		return nil
	}
	s.once.Do(func() {
		snapshot, err := s.View.MemoriesQuick()
		if err != nil || snapshot.Links().IsEmpty() {
			return
		}
		var p *trust.Prover
		if s.Proofs != nil {
			p = s.Proofs()
		}
		g, err := trust.NewFilter(s.View, s.Settings, p)
		if err != nil {
			g = trust.Filter{Hold: true, Trust: &store.Trust{}, View: s.View} // no claim is believed
		}
		s.standing = standingOf(s.View, snapshot.Links(), g, s.open)
	})
	return s.standing
}

// standingOf derives the standing of memories. Only links of memories that were written or approved in this clone can
// hide a memory. Files are read only to tell that of memories that name an active one.
func standingOf(v *store.View, graph *links.Graph, g trust.Filter, open bool) *standing {
	st := &standing{graph: graph,
		held: func(id memory.ID) bool { return !open && g.HoldsBack() && g.ForeignID(id, false) }}
	ruling := graph.Ruling(func(id memory.ID) bool { return !g.ForeignID(id, false) })
	for _, id := range graph.Named() {
		m := graph.Memory(id)
		switch {
		case m == nil || !m.Phase.Active() || !ruling.Superseded(id):
		case m.Restored:
			if by := base.Successors(graph, id); len(by) > 0 {
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

// Corrections maps the restored memories to those that superseded them, and come before them.
func (s *standing) Corrections() map[memory.ID]memory.ID {
	if s == nil {
		return nil
	}
	return s.behind
}

// Hides reports whether a memory is out of sight because another one has superseded it.
func (s *standing) Hides(id memory.ID) bool { return s != nil && s.hidden[id] }

// SupersededBy returns the memories that hold in the place of a memory: the ends of its chains of corrections, those
// that were forgotten left out.
func (s *standing) SupersededBy(id memory.ID) []memory.ID {
	if s == nil {
		return nil
	}
	return s.known(base.Successors(s.graph, id), func(*memory.Memory) bool { return true })
}

// Disputes returns the active memories that dispute a memory, or that it disputes, and neither of
// which has superseded the other.
func (s *standing) Disputes(id memory.ID) []memory.ID {
	if s == nil {
		return nil
	}
	settled := slices.Concat(s.graph.SupersededBy(id), s.graph.Supersedes(id))
	return s.known(s.graph.Disputes(id), func(m *memory.Memory) bool {
		return m.Phase.Active() && !s.hidden[m.ID] && !slices.Contains(settled, m.ID)
	})
}

func (s *standing) Related(id memory.ID) []memory.ID {
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

// SaidOf returns what other memories say of one, for an answer about several.
func (u Usage) SaidOf(m memory.Memory) api.Said {
	st := u.Standings.Get()
	said := api.Said{SupersededBy: base.Few(st.SupersededBy(m.ID))}
	if m.Phase.Active() {
		said.Disputes = base.Few(st.Disputes(m.ID))
	}
	return said
}

// MarksOf returns what answers say of a memory, except whose it is.
func (u Usage) MarksOf(m memory.Memory) api.Marks {
	return api.Marks{Importance: m.Marked(), Category: m.Category, Agent: m.Agent, Confidence: m.Confidence,
		Stale: u.Staleness.stale(m), Said: u.SaidOf(m)}
}

// BriefSaid is SaidOf for a block of text.
func (u Usage) BriefSaid(m memory.Memory) brief.Said {
	said := u.SaidOf(m)
	return brief.Said{SupersededBy: said.SupersededBy, Disputes: said.Disputes, Stale: u.Staleness.stale(m)}
}

// Many returns the first ids of a list, as many as a memory can name itself.
func Many(ids []memory.ID) []memory.ID { return ids[:min(len(ids), memory.MaxLinks)] }
