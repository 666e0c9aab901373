package engine

import (
	"ltm/engine/finder"
	"ltm/eviction"
	"ltm/memory"
)

// A memory fades in the view of one clone: its phase is kept in the clone's stats, and its file keeps the full text.
// The text that sessions load and listings show is computed. Priorities differ between clones, and so do phases:
// written into files that a team shares, they would be changes that no person made, and would conflict.

// phase returns how much of a memory sessions see: nothing if another one has superseded it, and
// otherwise as much as is left of it.
func (u use) phase(m memory.Memory) memory.Phase { return u.phaseOf(m.ID, m.Phase, u.stats[m.ID]) }

// phaseOf is phase of a memory with that phase in its file and these stats.
func (u *use) phaseOf(id memory.ID, inFile memory.Phase, st memory.Stats) memory.Phase {
	if u.said.get().hides(id) {
		return memory.Removed
	}
	return min(max(inFile, st.Phase), memory.Removed)
}

// faded returns how far a memory has faded: the later of the phases in its file and in this
// clone's stats.
func (u use) faded(m memory.Memory) memory.Phase {
	return min(max(m.Phase, u.stats[m.ID].Phase), memory.Removed)
}

// outOfSightReason returns why an active memory is out of sight in this clone.
func (u use) outOfSightReason(id memory.ID) string {
	if u.said.get().hides(id) {
		return memory.ReasonSuperseded
	}
	return memory.ReasonFaded
}

// inSight reports whether sessions and plain recall see a memory.
func (u use) inSight(m memory.Memory) bool { return u.phase(m).Active() }

// fades reports whether any memory is out of sight in this clone alone.
func (u use) fades() bool {
	if st := u.said.get(); st != nil && len(st.hidden) > 0 {
		return true
	}
	for _, st := range u.stats {
		if st.Phase >= memory.Removed {
			return true
		}
	}
	return false
}

// sight returns what a search needs to know about this clone's view.
func (u use) sight() finder.Sight {
	return finder.Sight{Prior: u.prior, InSight: u.inSight, Fades: u.fades(), Learned: u.learned()}
}

// reduceTo returns a memory reduced to a phase. A memory that is already that far is returned as
// it is; one that cannot be reduced so far is reduced as far as possible.
func reduceTo(m memory.Memory, to memory.Phase) memory.Memory {
	for m.Phase < to {
		next, err := eviction.Reduce(m, m.Phase+1)
		if err != nil {
			return m
		}
		m = next
	}
	return m
}
