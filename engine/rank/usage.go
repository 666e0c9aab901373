package rank

import (
	"time"

	"ltm/engine/base"
	"ltm/engine/finder"
	"ltm/engine/settings"
	"ltm/eviction"
	"ltm/memory"
	"ltm/priority"
	"ltm/store"
)

// Usage is [UsageOf] for an answer of this engine.
func (e *Engine) Usage(v *store.View) (Usage, *store.State, error) {
	u, state, err := e.StartUsage(v)
	if err == nil {
		u.Standings.open = !e.ToModel
	}
	return u, state, err
}

// StartUsage is [UsageOf] as a session's start has it.
func (e *Engine) StartUsage(v *store.View) (Usage, *store.State, error) {
	u, state, err := UsageOf(v)
	if err == nil {
		u.Standings.Proofs = e.Prover
		u.Staleness = e.Staleness(v)
	}
	return u, state, err
}

// Usage holds what a clone knows about the use of its memories, for scoring them.
type Usage struct {
	Stats     store.Stats
	Sessions  int // sessions so far
	Settings  settings.Settings
	Standings *Standings
	Staleness *Staleness
}

func (u Usage) Priority(m memory.Memory) (float64, priority.Breakdown) {
	return priority.Score(u.Scored(&m), u.Settings.PriorityProfile)
}

func (u *Usage) Scored(m *memory.Memory) priority.Use {
	st := u.Of(m.ID)
	return priority.Use{Difficulty: m.Difficulty, Importance: string(memory.ImportanceOf(m.Tags)),
		Accesses: st.Use, SessionsSinceAccess: u.Since(st)}
}

// Prior is rounded for a memory that is not copied: a search compares many.
func (u *Usage) Prior(m *memory.Memory) float64 {
	return memory.Round2(priority.Of(u.Scored(m), u.Settings.PriorityProfile))
}

// Of returns what this clone knows about a memory's use. One that it sees for the
// first time counts as accessed now: being stored is the first access.
func (u *Usage) Of(id memory.ID) memory.Stats { return u.known(u.Stats[id]) }

// known fills in the use of a memory that the stats do not have, or that the predecessor counted.
func (u *Usage) known(st memory.Stats) memory.Stats {
	switch {
	case st.Use == 0 && st.AccessCount == 0:
		st.Use, st.LastSession = priority.Opened, u.Sessions
	case st.Use == 0: // as the predecessor counts, without the first one
		st.Use = priority.Opened + float64(st.AccessCount)
	}
	return st
}

// Since returns how many sessions ago a memory was accessed.
func (u *Usage) Since(st memory.Stats) int { return max(0, u.Sessions-st.LastSession) }

// Rounded returns the priority as people and models see it.
func (u Usage) Rounded(m memory.Memory) float64 { return u.Prior(&m) }

// UsageOf reads what scoring needs. A damaged stats or state file counts as empty: only the order
// suffers, and check reports the file. A file of a newer version is an error.
func UsageOf(v *store.View) (Usage, *store.State, error) {
	stats, err := base.Tolerate(v.Stats())
	if err != nil {
		return Usage{}, nil, err
	}
	state, err := base.Tolerate(v.State())
	if err != nil {
		return Usage{}, nil, err
	}
	conf := base.SettingsOf(v, state)
	return Usage{Stats: stats, Sessions: state.SessionCount, Settings: conf,
		Standings: &Standings{View: v, Settings: conf}}, state, nil
}

// Touch counts an access of a memory in u.stats.
func (u Usage) Touch(m memory.Memory, now time.Time) memory.Stats {
	st := u.Of(m.ID)
	st.Use = u.Settings.PriorityProfile.Access(st.Use, u.Since(st), priority.Opened)
	st.AccessCount++
	st.Phase, st.FadedAt = memory.Full, time.Time{} // a memory that is opened comes back into sight
	st.AccessedAt = now.UTC().Truncate(time.Second)
	st.LastSession = u.Sessions
	u.Stats[m.ID] = st
	return st
}

// Candidate returns what a plan needs to know about a memory.
func (u Usage) Candidate(m memory.Memory) eviction.Candidate {
	p, _ := u.Priority(m)
	return eviction.Candidate{ID: m.ID, Topic: m.Topic, Phase: u.Phase(m), Priority: p, Importance: m.Importance(),
		Used: u.usedAt(m), Faded: u.Stats[m.ID].FadedAt}
}

// usedAt returns when a memory was created or last opened in this clone, whichever is later.
func (u Usage) usedAt(m memory.Memory) time.Time {
	if opened := u.Stats[m.ID].AccessedAt; opened.After(m.CreatedAt) {
		return opened
	}
	return m.CreatedAt
}

// absentDays is how long the counters of a memory that has no file are kept: it may be on another branch.
const absentDays = 180

// absentSessions is the same for a memory that was never opened, in sessions.
const absentSessions = 300

// isOver reports whether the counters of a memory without a file can be dropped. Before that, the
// file may come back with a checkout.
func (u Usage) isOver(st memory.Stats, now time.Time) bool {
	if st.AccessedAt.IsZero() {
		return u.Since(u.known(st)) > absentSessions
	}
	return now.Sub(st.AccessedAt) > absentDays*24*time.Hour
}

// UpdateStats adds stats for memories that are new to this clone, and drops the stats of memories that have long had
// no file.
func UpdateStats(tx *base.Tx, state *store.State) error {
	snapshot, err := tx.Memories()
	if err != nil {
		return err
	}
	stats, err := base.Tolerate(tx.Stats())
	if err != nil {
		return err
	}
	u := Usage{Stats: stats, Sessions: state.SessionCount}
	for id, st := range stats {
		_, isLive := snapshot.Find(id)
		_, isStub := snapshot.FindStub(id)
		if !isLive && !isStub && u.isOver(st, tx.Now) {
			delete(stats, id)
		}
	}
	for _, r := range snapshot.Records {
		st := u.Of(r.ID)              // with defaults if it is new to this clone
		if st.FadedAt.After(tx.Now) { // the clock was ahead
			st.FadedAt = tx.Now.UTC().Truncate(time.Second)
		}
		stats[r.ID] = st
	}
	tx.SetStats(stats)
	return nil
}

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

// Faded returns how far a memory has faded: the later of the phases in its file and in this clone's stats.
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
