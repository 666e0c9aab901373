package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"ltm/memory"
)

// Receipt answers a store, an update or a restore.
type Receipt struct {
	Success    bool        `json:"success"`
	ID         memory.ID   `json:"id"`
	Message    memory.Note `json:"message"`
	Difficulty float64     `json:"difficulty"`
	Tags       []string    `json:"tags"`

	Importance memory.Importance `json:"importance,omitempty"` // empty: normal

	Scope Scope `json:"scope,omitempty"` // ScopeUser, or empty: ScopeProject

	Similar []Similar `json:"similar,omitempty"` // after a store: up to 3 similar memories
}

// Resolution is the side of an unresolved merge that is kept.
type Resolution string

// The resolutions. KeepOurs keeps the side above git's "=======" line.
const (
	KeepOurs   Resolution = "ours"
	KeepTheirs Resolution = "theirs"
	KeepBoth   Resolution = "both"
)

// Similar is a memory that says nearly the same as another.
type Similar struct {
	ID         memory.ID `json:"id"`
	Topic      string    `json:"topic"`
	Similarity float64   `json:"similarity"`               // 0 to 1
	Foreign    bool      `json:"from_elsewhere,omitempty"` // as in [Whose]
}

// Query asks for the memories that answer a question in plain words.
type Query struct {
	Text     string
	Limit    int      // 0: the default
	Tag      string   // only memories with this tag
	Tags     []string // and all of these tags
	Category memory.Category
	Agent    string  // only memories of this agent; empty: those that the session sees unasked
	MinScore float64 // 0 to 1: omit hits that score lower
	Include  Include // empty: IncludeActive
	Explain  bool    // fill Hit.Explanation
	Asked    bool    // a session or a person asked: the first hit counts as half an access
	Scope    Scope   // empty: ScopeAll
	Order    Order   // empty: the best first; in another one, no hit counts as an access
}

// Hit is one memory that a query found.
type Hit struct {
	ID       memory.ID    `json:"id"`
	Topic    string       `json:"topic"`
	Summary  string       `json:"summary"` // the passage that answers, up to 300 characters
	Priority float64      `json:"priority"`
	Phase    memory.Phase `json:"phase"`
	Tags     []string     `json:"tags"`
	Marks
	Score       float64 `json:"score"`              // 0 to 1
	Archived    bool    `json:"archived,omitempty"` // found in the archives
	Reason      string  `json:"archived_reason,omitempty"`
	Alias       string  `json:"alias,omitempty"`   // that matched, with an explanation
	Learned     string  `json:"learned,omitempty"` // learned alias that matched, with an explanation
	Explanation string  `json:"explanation,omitempty"`

	CreatedAt time.Time `json:"-"` // for people only: models pay for every byte
}

// Recall answers a [Query] with the best hits and the total number of hits.
type Recall struct {
	Memories []Hit       `json:"memories"`
	Total    int         `json:"total"`
	Nearest  bool        `json:"nearest,omitempty"`          // no memory is a clear match: the first of Note says so
	Archived int         `json:"archived_matches,omitempty"` // out of sight or archived, if none in sight matches
	Note     memory.Note `json:"note,omitempty"`             // of archives and of what is held back

	// Taken maps each word of the query that no memory has to the words of memories that were matched instead.
	Taken map[string][]string `json:"-"`
}

// ListFilter asks for a list of memories. Zero fields do not filter.
type ListFilter struct {
	Phase      *memory.Phase
	Tag        string
	Tags       []string // all of these tags, besides Tag
	Keyword    string   // part of the topic or a tag, in any case
	Importance memory.Importance
	Category   memory.Category
	Agent      string    // only memories of this agent; empty: those that the session sees unasked
	AnyAgent   bool      // memories of every agent
	Include    Include   // empty: IncludeActive
	Since      time.Time // only memories stored at this time or later
	Order      Order     // empty: ByPriority
	Reverse    bool      // reverse the order
	Limit      int       // 0: the default
	Offset     int
	Scope      Scope // empty: ScopeProject
}

// StatusLine summarizes a store for a single line.
type StatusLine struct {
	Exists   bool // there is a store
	Memories int  // in sight, without those held back
	Stale    int  // of them, those whose files have changed
	HeldBack int  // from elsewhere, until a person approves them
	Uses     Uses // of those in sight
	Idle     int  // of them, those that were shown often and never opened
}

// TagCount is the number of memories that have a tag.
type TagCount struct {
	Tag      string `json:"tag"`
	Memories int    `json:"memories"`
}

// Entry is a memory in a listing.
type Entry struct {
	ID       memory.ID    `json:"id"`
	Topic    string       `json:"topic"`
	Phase    memory.Phase `json:"phase"`
	Priority float64      `json:"priority"`
	Tags     []string     `json:"tags"`
	Marks
	Difficulty *float64     `json:"difficulty,omitempty"` // nil in answers to models, like Work
	Work       *memory.Work `json:"work,omitempty"`       // what the difficulty was judged by
	CreatedAt  Time         `json:"created_at"`           // null: unknown
	AccessedAt *time.Time   `json:"accessed_at"`          // null: never in this clone

	AccessCount int `json:"-"` // in this clone

	// Only for archives.
	Archived       bool       `json:"archived,omitempty"`
	ArchivedReason string     `json:"archived_reason,omitempty"`
	ArchivedAt     *time.Time `json:"archived_at,omitempty"`
}

// Listing answers a [ListFilter].
type Listing struct {
	Memories []Entry `json:"memories"`
	Total    int     `json:"total"`
	HasMore  bool    `json:"has_more"`
	HeldBack int     `json:"held_back,omitempty"` // foreign memories that no person has approved
	OfAgents int     `json:"of_agents,omitempty"` // memories that match, but are for sessions of other agents
}

// Detail is a memory with everything that is known about it.
type Detail struct {
	ID             memory.ID    `json:"id"`
	Marks                       // before the texts that they are about: a model reads in this order
	Topic          string       `json:"topic"`
	Content        string       `json:"content"`
	Summary        string       `json:"summary"`
	Tags           []string     `json:"tags"`
	Aliases        []string     `json:"aliases,omitempty"`
	Supersedes     []memory.ID  `json:"supersedes,omitempty"` // what it names itself
	Related        []memory.ID  `json:"related,omitempty"`    // in either direction
	Refs           []Ref        `json:"refs,omitempty"`       // files that it speaks of
	Client         string       `json:"client,omitempty"`     // the program whose session wrote it
	Restored       bool         `json:"restored,omitempty"`   // it was brought back from the archives
	Phase          memory.Phase `json:"phase"`
	Priority       float64      `json:"priority"`
	Difficulty     float64      `json:"difficulty"`
	Work           *memory.Work `json:"work,omitempty"` // what the difficulty was judged by
	AccessCount    int          `json:"access_count"`
	CreatedAt      Time         `json:"created_at"` // null: unknown
	AccessedAt     *time.Time   `json:"accessed_at"`
	CreatedSession int          `json:"created_session"`
	LastSession    int          `json:"last_session"`
	Conflicted     bool         `json:"conflicted,omitempty"` // one side of an unresolved merge
	Signature      string       `json:"signature,omitempty"`  // what it proves; empty: not signed
	Signer         string       `json:"signer,omitempty"`     // the fingerprint or the principals of its key
	Archived       bool         `json:"archived"`             // its full text is archived; this may be part of it
	ArchivedReason string       `json:"archived_reason,omitempty"`
	ArchivedAt     *time.Time   `json:"archived_at,omitempty"`
	Similar        []Similar    `json:"similar,omitempty"` // in answers to models: what says about the same
	Note           memory.Note  `json:"note,omitempty"`    // where the rest of the text is, or that it is an old one
}

// Got is one of several requested memories, or the reason why it is missing.
type Got struct {
	ID     memory.ID
	Detail Detail
	Err    error
}

// Forgotten answers a request to forget.
type Forgotten struct {
	Success  bool        `json:"success"`
	Message  memory.Note `json:"message"`
	Archived bool        `json:"archived"`
	Scope    Scope       `json:"scope,omitempty"` // as in Receipt
}

// ArchiveHit is one archived memory that a query found.
type ArchiveHit struct {
	ID      memory.ID `json:"id"`
	Topic   string    `json:"topic"`
	Summary string    `json:"summary"`
	Tags    []string  `json:"tags"`

	Importance memory.Importance `json:"importance,omitempty"`     // empty: normal
	Foreign    bool              `json:"from_elsewhere,omitempty"` // as in [Whose]

	Score  float64 `json:"score"`
	Active bool    `json:"active"` // a reduced version is still active

	SupersededBy   []memory.ID `json:"superseded_by,omitempty"` // as in [Said]
	ArchivedReason string      `json:"archived_reason,omitempty"`
	ArchivedAt     *time.Time  `json:"archived_at,omitempty"` // only in listings
}

// ArchiveRecall answers a search of the archives.
type ArchiveRecall struct {
	Archives []ArchiveHit `json:"archives"`
	Total    int          `json:"total"`
	HeldBack int          `json:"held_back,omitempty"` // foreign memories that no person has approved
}

// CheckReport lists the inconsistencies of a store. Problems covers everything in the other lists, with reasons.
type CheckReport struct {
	OK              bool          `json:"ok"` // there are no problems
	UnreadableFiles []BadFile     `json:"unreadable_files"`
	Conflicts       []string      `json:"conflicts"`          // files with an unresolved merge; one side is used
	Problems        []Problem     `json:"problems"`           // in the order of a repair
	Remarks         []Problem     `json:"remarks"`            // worth knowing, but not problems
	Warnings        []memory.Note `json:"warnings,omitempty"` // risks; the store itself is consistent
	Summary         memory.Note   `json:"summary"`

	Omitted map[string]int `json:"omitted,omitempty"` // how many entries each list leaves out
}

// Problem is a single finding of a check.
type Problem struct {
	Kind   string      `json:"kind"`   // in a few words
	Where  string      `json:"where"`  // a path in the store or the id of a memory
	Reason memory.Note `json:"reason"` // what is wrong
	Repair string      `json:"repair"` // the action that a repair would take; empty: only a person can fix it
}

// BadFile is a file that cannot be read as what it should be.
type BadFile struct {
	File   string      `json:"file"` // relative to the store
	Reason memory.Note `json:"reason"`
}

// SecretsReport is a CheckReport that also lists credentials in the files of memories
// and archives. OK and Summary cover both.
type SecretsReport struct {
	CheckReport
	Secrets   []SecretFound        `json:"secrets"`
	Unscanned []memory.FileProblem `json:"unscanned_files"` // files that could not be scanned
}

// SecretFound is the place of what looks like a credential. It never has the value.
type SecretFound struct {
	File string `json:"file"`
	Line int    `json:"line"` // counted from 1
	Kind string `json:"kind"`
}

// EvictOptions says what an eviction may do.
type EvictOptions struct {
	DryRun bool // only report what would be done
}

// FixOptions says what a repair may do. The zero value deletes nothing that a person or a model may have written.
type FixOptions struct {
	RemoveUnreadable      bool // delete unreadable memory files instead of moving them to the archives
	CleanOrphanedArchives bool // delete unreadable archive files
	Adopt                 bool // give memories with ids of another length than 8 digits such ids
	DryRun                bool

	// Plan is the fingerprint of what was shown to a person: only that is carried out. Empty: whatever is needed.
	Plan string
}

// FixAction is one step of a repair.
type FixAction struct {
	Action string `json:"action"` // recover, resolve, archive_file, archive_text, adopt, remove_file, remove_archive, rebuild, remove_temp
	Target string `json:"target"`
	Reason string `json:"reason"`
}

// FixReport lists what a repair did or would do.
type FixReport struct {
	DryRun  bool        `json:"dry_run"`
	Actions []FixAction `json:"actions"` // in the order of execution
	Left    []Problem   `json:"left"`    // only a person can fix these
	Summary string      `json:"summary"`

	Omitted map[string]int `json:"omitted,omitempty"` // how many entries each list leaves out
}

// Fingerprint distinguishes lists of steps.
func (r FixReport) Fingerprint() string {
	sum := sha256.New()
	for _, a := range r.Actions {
		fmt.Fprintf(sum, "%q %q %q\n", a.Action, a.Target, a.Reason) // a hash takes everything
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// EvictionReport lists the steps of an eviction, whether carried out or only planned.
type EvictionReport struct {
	DryRun bool                  `json:"dry_run"`
	Active int                   `json:"active"` // memories before the eviction
	Max    int                   `json:"max"`
	Steps  []memory.EvictionStep `json:"steps"`
	Reason memory.Note           `json:"reason"` // explains the number of steps
}

// Setting is a configuration value and its source.
type Setting struct {
	Key     string `json:"key"`
	Value   any    `json:"value"`
	Default any    `json:"default"`
	Source  string `json:"source"` // local, shared (the team's) or default
	Help    string `json:"help"`
}
