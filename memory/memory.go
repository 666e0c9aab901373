package memory

import (
	"math"
	"time"
)

// Memory is one thing worth remembering, as its file holds it.
type Memory struct {
	ID             ID
	Topic          string // one line
	Tags           []string
	Phase          Phase
	Difficulty     float64 // 0 (easy) to 1: how hard the work was that taught it
	Work           *Work   // that the difficulty was judged by; nil: it was given, or nobody counted
	CreatedAt      time.Time
	CreatedSession int  // the store's session number at that time, from 1; 0 when unknown
	Restored       bool // brought back from the archive once
	Conflicted     bool // the file holds an unsettled merge, and this is one side of it
	Summary        string
	Content        string // empty once only the abstract is left

	// Of a stub alone: when the memory was set aside, to the day, and why.
	ArchivedAt     time.Time
	ArchivedReason string
}

// Importance returns the level that the tags carry.
func (m Memory) Importance() Importance { return ImportanceOf(m.Tags) }

// Stats is what this clone of the store knows of a memory's use. It is not
// shared through git.
type Stats struct {
	AccessCount int       `json:"access_count"`
	AccessedAt  time.Time `json:"accessed_at,omitzero"`
	LastSession int       `json:"last_session"`  // session number of the last access; 0 is never
	Use         float64   `json:"use,omitempty"` // how much it was used as of the last access; being stored is the first
	Priority    float64   `json:"priority"`
	Phase       Phase     `json:"phase,omitempty"` // as far as it has faded in this clone
}

// Clip shortens s to at most n characters for use inside a message.
func Clip(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}

// Clamp01 bounds v to [0,1]; not-a-number becomes 0.
func Clamp01(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(1, max(0, v))
}

// Round2 rounds a figure that people and models see to two decimals, so that
// equal inputs print equal text on every machine.
func Round2(v float64) float64 { return math.Round(v*100) / 100 }
