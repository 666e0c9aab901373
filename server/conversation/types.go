package conversation

import (
	"cmp"
	"slices"
	"time"
)

// Role is the author of an event.
type Role string

// The roles. Events of any other role count as neither side of a turn.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Event is one message of a thread.
type Event struct {
	ID     string
	Thread string
	// Session is the occasion that the event belongs to. If it is empty, the thread is.
	Session string
	Role    Role
	Text    string
	// Lang is the declared language, such as "en" or "de-AT". Empty means undeclared, which is read as English.
	Lang string
	// Occurred is when it was said, by the client's clock; Recorded is when it was stored, which orders events.
	Occurred, Recorded time.Time
}

// session returns the occasion that reinforcement counts by.
func (e Event) session() string {
	return cmp.Or(e.Session, e.Thread)
}

// Bucket is the subject area of a claim.
type Bucket string

// The buckets.
const (
	Profile            Bucket = "PROFILE"
	Preferences        Bucket = "PREFERENCES"
	Constraints        Bucket = "CONSTRAINTS"
	CommunicationStyle Bucket = "COMMUNICATION_STYLE"
	LongRunningContext Bucket = "LONG_RUNNING_CONTEXT"
	Goals              Bucket = "GOALS"
	Projects           Bucket = "PROJECTS"
	NextActions        Bucket = "NEXT_ACTIONS"
	OpenLoops          Bucket = "OPEN_LOOPS"
)

// Buckets lists all buckets.
func Buckets() []Bucket {
	return []Bucket{Profile, Preferences, Constraints, CommunicationStyle, LongRunningContext, Goals, Projects,
		NextActions, OpenLoops}
}

// Claim is one statement about a user. Bucket and normalized text are its identity; see [ClaimID].
type Claim struct {
	ID     string
	Bucket Bucket
	// Text is the statement as its first evidence has it.
	Text  string
	State State
	// Confidence, 0..1, is the highest that any evidence had.
	Confidence float64
	// Reinforced is the number of occasions that stated the claim.
	Reinforced int
	// Valid lists when the claim counted as true, in order, without overlaps. What was superseded was true until the
	// claim in its place began, or if that is older, until the act. A claim that was never active, or is
	// rejected, has no periods.
	Valid    []Period
	Evidence []Evidence // in order of recording, each event or act once
	// SupersededBy is the claim that took its place, if the claim is superseded.
	SupersededBy string
	// Against lists the claims that it contradicts, sorted, while the claim is conflicted.
	Against []string
	// Updates lists the claims whose place it is to take according to what suggested it, sorted.
	Updates []string `json:",omitempty"`
}

// Evidence is where a claim was stated: in an event, or directly by an act.
type Evidence struct {
	Event, Act, Thread, Session string
	At                          time.Time
}

// Period is the time from From, inclusive, to To, exclusive. A zero To is open.
type Period struct{ From, To time.Time }

// TrueAt reports whether the claim counted as true at a time, by what is known now.
func (c Claim) TrueAt(at time.Time) bool {
	return slices.ContainsFunc(c.Valid, func(p Period) bool {
		return !at.Before(p.From) && (p.To.IsZero() || at.Before(p.To))
	})
}
