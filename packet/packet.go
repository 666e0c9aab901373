package packet

import "slices"

// The versions of the protocol. Version02 adds optional fields to Version01.
const (
	Version01 = "0.1"
	Version02 = "0.2"
)

const (
	// MaxBytes is the size of a packet as it is sent, white space included.
	MaxBytes = 32 << 10

	// MaxStoredBytes is the size of a packet as a server may give it back. The reference indents
	// and escapes what it stores, which takes up to six times the bytes sent.
	MaxStoredBytes = 1 << 20
)

// Packet is one unit of unfinished work. Lengths are in Unicode code points. In optional fields,
// the zero value means that the field is missing.
//
// Its fields, and those of its parts, have the order of the canonical form.
//
// A Packet that Parse returned is legal. One that was put together may not be: see [Packet.Check].
type Packet struct {
	Version   string // Version01 or Version02; decides which fields may be set
	ID        string // 10 to 64; any characters, compared byte for byte
	ParentID  string // 10 to 64; the packet that this one continues, known or not. 0.2
	CreatedAt string // RFC 3339, with "Z" or an offset, as written; see Time

	Project *Project // optional; an empty one differs from nil

	Goal            string     // 1 to 1024; the lasting aim
	SuccessCriteria []string   // at most 16 of at most 1024; what can be observed when the work is done. 0.2
	Constraints     []string   // at most 32 of at most 1024
	Decisions       []Decision // at most 64
	Methods         []Method   // at most 32. 0.2
	Attempts        []Attempt  // at most 64
	OpenQuestions   []string   // at most 32 of at most 1024
	NextStep        string     // 1 to 1024; the first thing that the next session does
	Tags            []string   // at most 16 of 1 to 32 lower-case letters, digits and hyphens

	Provenance *Provenance // optional; an empty one differs from nil
}

// Project says what the work belongs to.
type Project struct {
	Name string // at most 128
	Ref  string // at most 256; a repository or URL, not a local path
}

// Decision is a choice that was made.
type Decision struct {
	What         string // at most 1024
	Why          string // at most 1024
	Consequences string // at most 1024; what it rules out later. 0.2
	Locked       bool   // settled: not to be reopened without a reason
}

// Method is a recipe that can be used again. 0.2.
type Method struct {
	Name           string // 1 to 128 lower-case letters, digits and hyphens; may be repeated
	WhenApplicable string // at most 1024
	How            string // at most 2048
}

// Attempt is something that was tried.
type Attempt struct {
	Tried      string // at most 1024
	Outcome    Outcome
	Learned    string // at most 1024
	Confidence Level  // that the outcome is final. 0.2
}

// Provenance says where a packet comes from.
type Provenance struct {
	AuthorModel string // at most 128
	AuthorHuman string // at most 128
	SourceHash  string // "sha256:" and 64 lower-case hex digits
	Confidence  Level
}

// Outcome says how an attempt ended.
type Outcome string

// The outcomes of attempts.
const (
	Succeeded Outcome = "succeeded"
	Failed    Outcome = "failed"
	Partial   Outcome = "partial"
)

// Level is a degree of confidence.
type Level string

// The levels of confidence.
const (
	Low    Level = "low"
	Medium Level = "medium"
	High   Level = "high"
)

// Lowest returns the lowest version that carries what is in the packet. A writer uses it, because
// a peer that knows only version 0.1 refuses a packet that says 0.2.
func (p *Packet) Lowest() string {
	if p.ParentID != "" || len(p.SuccessCriteria) > 0 || len(p.Methods) > 0 ||
		slices.ContainsFunc(p.Decisions, func(d Decision) bool { return d.Consequences != "" }) ||
		slices.ContainsFunc(p.Attempts, func(a Attempt) bool { return a.Confidence != "" }) {
		return Version02
	}
	return Version01
}
