package api

import (
	"time"

	"ltm/memory"
)

// PhaseCounts is the number of memories in each phase, without those in the archives.
type PhaseCounts struct {
	Full       int `json:"full"`
	Hint       int `json:"hint"`
	Abstract   int `json:"abstract"`
	OutOfSight int `json:"out_of_sight"`
}

// ImportanceCounts is the number of memories at each level other than normal.
type ImportanceCounts struct {
	Critical  int `json:"critical"`
	Important int `json:"important"`
	Low       int `json:"low"`
}

// Status summarizes the state of a store.
type Status struct {
	TotalMemories    int              `json:"total_memories"` // in sight
	ByPhase          PhaseCounts      `json:"by_phase"`
	TotalArchived    int              `json:"total_archived"` // forgotten and superseded, and what faded in the files
	ByImportance     ImportanceCounts `json:"by_importance"`
	FromElsewhere    int              `json:"from_elsewhere,omitempty"` // foreign memories
	Stale            int              `json:"stale,omitempty"`          // memories whose files have changed
	TotalPackets     int              `json:"total_packets,omitempty"`
	DonePackets      int              `json:"done_packets,omitempty"` // of them, those whose work is done
	SessionCount     int              `json:"session_count"`
	LastEviction     *time.Time       `json:"last_eviction"`
	StorageSizeBytes int64            `json:"storage_size_bytes"`
	Config           map[string]any   `json:"config"`
	Context          Budget           `json:"context"` // of what a session starts with
	Version          string           `json:"version"`
	StorePath        string           `json:"store_path"`
	ClonePath        string           `json:"clone_path"` // counters, sessions, trust, log
	CachePath        string           `json:"cache_path"` // caches of this work tree
	Health           memory.Note      `json:"health"`     // one line

	Session *Segment `json:"session,omitempty"` // work since the running session last stored a memory, if known
	User    *Shelf   `json:"user,omitempty"`    // the person's own store; nil: no such store
}

// Shelf is the state of the person's own store.
type Shelf struct {
	StorePath     string      `json:"store_path"`
	TotalMemories int         `json:"total_memories"`
	TotalArchived int         `json:"total_archived"`
	FromElsewhere int         `json:"from_elsewhere,omitempty"`
	Unreadable    bool        `json:"unreadable,omitempty"`
	Trust         string      `json:"trust"`  // the store's own setting; empty if it is unreadable
	Health        memory.Note `json:"health"` // one line
}

func (h Hit) State() string { return memory.State(h.Phase, h.Archived, h.Reason) }

func (e Entry) State() string { return memory.State(e.Phase, e.Archived, e.ArchivedReason) }

// State returns the word for the memory's state. Of one that is in sight, an older text can be archived.
func (d Detail) State() string {
	return memory.State(d.Phase, d.Archived && d.ArchivedReason != "", d.ArchivedReason)
}

func (h ArchiveHit) State() string { return memory.State(memory.Removed, true, h.ArchivedReason) }
