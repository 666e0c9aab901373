package rank

import (
	"ltm/engine/finder"
	"ltm/memory"
)

// A memory fades in the view of one clone: its phase is kept in the clone's stats, and its file keeps the full text.
// The text that sessions load and listings show is computed. Priorities differ between clones, and so do phases:
// written into files that a team shares, they would be changes that no person made, and would conflict.

// Phase returns how much of a memory sessions see: nothing if another one has superseded it, and
// otherwise as much as is left of it.
func (u Usage) Phase(m memory.Memory) memory.Phase { return u.PhaseOf(m.ID, m.Phase, u.Stats[m.ID]) }

// PhaseOf is Phase of a memory with that phase in its file and these stats.
func (u *Usage) PhaseOf(id memory.ID, inFile memory.Phase, st memory.Stats) memory.Phase {
	if u.Standings.Get().Hides(id) {
		return memory.Removed
	}
	return min(max(inFile, st.Phase), memory.Removed)
}

// Faded returns how far a memory has faded: the later of the phases in its file and in this
// clone's stats.
func (u Usage) Faded(m memory.Memory) memory.Phase {
	return min(max(m.Phase, u.Stats[m.ID].Phase), memory.Removed)
}

// OutOfSightReason returns why an active memory is out of sight in this clone.
func (u Usage) OutOfSightReason(id memory.ID) string {
	if u.Standings.Get().Hides(id) {
		return memory.ReasonSuperseded
	}
	return memory.ReasonFaded
}

// InSight reports whether sessions and plain recall see a memory.
func (u Usage) InSight(m memory.Memory) bool { return u.Phase(m).Active() }

// fades reports whether any memory is out of sight in this clone alone.
func (u Usage) fades() bool {
	if st := u.Standings.Get(); st != nil && len(st.hidden) > 0 {
		return true
	}
	for _, st := range u.Stats {
		if st.Phase >= memory.Removed {
			return true
		}
	}
	return false
}

// Sight returns what a search needs to know about this clone's view.
func (u Usage) Sight() finder.Sight {
	return finder.Sight{Prior: u.Prior, InSight: u.InSight, Fades: u.fades(), Learned: u.learned()}
}
