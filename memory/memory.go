package memory

import (
	"math"
	"slices"
	"time"
)

// Memory is one thing worth remembering, as stored in its file.
type Memory struct {
	ID             ID
	Topic          string   // one line
	Tags           []string // as in the file, where the importance is one of them
	OddTags        bool     // the file has more than [MaxReadTags], of which these are the first
	Phase          Phase
	Difficulty     float64 // 0 (easy) to 1: how hard it was to learn
	Work           *Work   // that the difficulty was computed from; nil if it was given or nothing was counted
	CreatedAt      time.Time
	CreatedSession int      // the store's session number at that time, from 1; 0 if unknown
	Restored       bool     // brought back from the archive once
	Conflicted     bool     // the file has an unresolved merge, and this is one side of it
	Aliases        []string // other names of it and questions that it answers, each one line
	OddAliases     bool     // the file's aliases cannot all be read; the rest counts as absent
	Category       Category // empty: none
	Confidence     *float64 // 0 to 1, that it is true; nil: 1. Not part of the priority
	OddCategory    bool     // the file names an unknown kind, which counts as none
	OddConfidence  bool     // the file's confidence cannot be read, which counts as 1
	Supersedes     []ID     // memories that this one replaces, for they no longer hold
	Disputes       []ID     // memories that cannot be true if this one is
	Related        []ID
	Agent          string  // the only agent whose sessions see it unasked; empty: all
	Client         string  // the program whose session wrote it; empty: a person, or not known
	Commit         string  // the commit that it tells of, in hex
	Origin         *Origin // nil: it was made here
	Signature      string
	Refs           []Ref // files of the work tree that it refers to
	OddRefs        bool  // they cannot be read whole; what cannot counts as absent
	LinksLeft      int   // how many of the three do not count, because other memories have too many
	OddLinks       bool  // a key from Supersedes on cannot be read whole; what cannot counts as absent
	Summary        string
	Content        string // empty once only the abstract is left

	// Only in stubs: the day on which the memory was archived, and why.
	ArchivedAt     time.Time
	ArchivedReason string
	KeepsText      bool // the stub's file has a text, as a merge or a person can leave it
}

// Importance returns the level that m's tags carry.
func (m Memory) Importance() Importance { return ImportanceOf(m.Tags) }

// Marked is Importance as it is shown: "" is normal.
func (m Memory) Marked() Importance {
	if level := m.Importance(); level != Normal {
		return level
	}
	return ""
}

// PlainTags returns m's tags without the one of its importance; they are never nil.
func (m Memory) PlainTags() []string { return WithImportance(m.Tags, Normal) }

// Stats is what this clone recorded about the use of a memory. It is not shared through git.
type Stats struct {
	AccessCount int       `json:"access_count"`
	AccessedAt  time.Time `json:"accessed_at,omitzero"`
	LastSession int       `json:"last_session"`         // session number of the last access; 0 if never
	Use         float64   `json:"use,omitempty"`        // use as of the last access; storing it is the first
	FirstHits   int       `json:"first_hits,omitempty"` // how often it was the first hit of a recall; counted in Use
	Phase       Phase     `json:"phase,omitempty"`      // as far as the memory has faded in this clone
	FadedAt     time.Time `json:"faded_at,omitzero"`    // when an eviction last took a phase from it
	Shown       int       `json:"shown,omitempty"`      // sessions that had its text in their context
	Named       int       `json:"named,omitempty"`      // sessions in which an answer named it

	// NotSame lists memories that a person has told apart from it; nil: none. As Learned, it must not be changed.
	NotSame *[]ID `json:"not_same,omitempty"`

	// Learned are questions that it answered, the oldest first; nil: none. They must not be changed. A pointer lets
	// values be compared.
	Learned *[]string `json:"learned,omitempty"`
}

// TellsApart reports whether a person has told a memory apart from another one.
func (s Stats) TellsApart(other ID) bool {
	return s.NotSame != nil && slices.Contains(*s.NotSame, other)
}

// Questions returns the learned aliases, at most [MaxAliases].
func (s Stats) Questions() []string {
	if s.Learned == nil {
		return nil
	}
	questions := *s.Learned
	return questions[max(0, len(questions)-MaxAliases):]
}

// WithQuestions returns s with other learned aliases.
func (s Stats) WithQuestions(questions []string) Stats {
	s.Learned = nil
	if len(questions) > 0 {
		s.Learned = &questions
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

// Round2 rounds a displayed figure to two decimals, so that equal inputs print the same text on every machine.
func Round2(v float64) float64 { return math.Round(v*100) / 100 }
