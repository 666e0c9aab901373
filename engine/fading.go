package engine

import (
	"ltm/engine/finder"
	"ltm/eviction"
	"ltm/memory"
)

// A memory fades in the view of one clone: its phase is kept in the clone's stats,
// and its file keeps the full text. What sessions load and listings show is
// computed. Priorities differ between clones, so phases do: written into files that
// a team shares, they would be changes that nobody made, which conflict.

// phase returns how far a memory has faded, as sessions see it: the later of what
// its file says and what this clone keeps.
func (u use) phase(m memory.Memory) memory.Phase {
	return min(max(m.Phase, u.stats[m.ID].Phase), memory.Removed)
}

// inSight reports whether sessions and plain recall see a memory.
func (u use) inSight(m memory.Memory) bool { return u.phase(m).Active() }

// fades reports whether some memory of this clone has faded out of sight.
func (u use) fades() bool {
	for _, st := range u.stats {
		if st.Phase >= memory.Removed {
			return true
		}
	}
	return false
}

// sight is what a search goes by.
func (u use) sight() finder.Sight {
	return finder.Sight{Prior: u.rounded, InSight: u.inSight, Fades: u.fades()}
}

// reduceTo returns a memory as it is in a phase. One that is as far already, and
// one that cannot be reduced, stays as it is.
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
