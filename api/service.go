package api

import (
	"time"

	"ltm/memory"
)

// Draft asks to remember something.
type Draft struct {
	Topic      string
	Content    string
	Summary    string // empty: taken from the content's first paragraph
	Tags       []string
	Importance memory.Importance // empty: as the tags say
	AutoTag    bool              // add tags found in topic and content
	Difficulty *float64          // nil: judged from the session's work since the last store
	Told       bool              // a person said it outright, so no work shows how hard it was
	Redact     bool              // mask credentials instead of refusing them
	Session    string            // the client's session id; empty: the one seen last
}

// Patch asks to change a memory; nil fields stay, and so does the importance when it
// is empty. Content excludes Append, and Tags excludes AddTags and RemoveTags.
type Patch struct {
	Topic      *string
	Content    *string // replaces the whole
	Append     *string // goes behind the content, after a blank line
	Summary    *string // empty: taken from the content's first paragraph
	Tags       *[]string
	AddTags    []string
	RemoveTags []string
	Importance memory.Importance
	Difficulty *float64
	Redact     bool
	Session    string
}

// Empty reports whether the patch changes nothing.
func (p Patch) Empty() bool {
	return p.Topic == nil && p.Content == nil && p.Append == nil && p.Summary == nil && p.Tags == nil &&
		len(p.AddTags) == 0 && len(p.RemoveTags) == 0 && p.Importance == "" && p.Difficulty == nil
}

// Receipt answers a store, an update or a restore.
type Receipt struct {
	Success    bool      `json:"success"`
	ID         memory.ID `json:"id"`
	Message    string    `json:"message"`
	Difficulty float64   `json:"difficulty"`
	Tags       []string  `json:"tags"`

	Similar []Similar `json:"similar,omitempty"` // of a store: memories that say about the same, at most 3
}

// Similar is a memory that says about the same as another.
type Similar struct {
	ID         memory.ID `json:"id"`
	Topic      string    `json:"topic"`
	Similarity float64   `json:"similarity"` // 0 to 1
}

// Query asks for the memories that answer a question in plain words.
type Query struct {
	Text     string
	Limit    int      // 0: the default
	Tag      string   // only memories with this tag
	Tags     []string // and with all of these
	MinScore float64  // 0 to 1: leave out weaker hits
	Include  Include  // empty: the active ones
	Explain  bool     // fill Hit.Explanation
	Asked    bool     // a session or a person asked: the first hit counts as half an access
}

// Hit is one memory that a query found.
type Hit struct {
	ID          memory.ID         `json:"id"`
	Topic       string            `json:"topic"`
	Summary     string            `json:"summary"` // the passage that answers, at most 300 characters
	Priority    float64           `json:"priority"`
	Phase       memory.Phase      `json:"phase"`
	Tags        []string          `json:"tags"`
	Importance  memory.Importance `json:"importance,omitempty"` // none: normal
	Score       float64           `json:"score"`                // 0 to 1
	Archived    bool              `json:"archived,omitempty"`   // found in the archives
	Explanation string            `json:"explanation,omitempty"`

	CreatedAt time.Time `json:"-"` // for people: models pay for every byte of a reply
}

// Recall answers a [Query]: the best hits, and how many there were in all.
type Recall struct {
	Memories []Hit  `json:"memories"`
	Total    int    `json:"total"`
	Archived int    `json:"archived_matches,omitempty"` // how many archives match when no active memory does
	Note     string `json:"note,omitempty"`             // what to do about archives, when there are any

	// Taken are the words of the query that no memory holds, each with the words
	// of memories that it was taken for: they are what a hit has in its place.
	Taken map[string][]string `json:"-"`
}

// ListFilter asks for memories in order of priority. Zero fields do not filter.
type ListFilter struct {
	Phase      *memory.Phase
	Tag        string
	Tags       []string // all of them, beside Tag
	Keyword    string   // stands in topic or tags, whatever its case
	Importance memory.Importance
	Include    Include   // empty: the active ones
	Since      time.Time // only those that were stored then or later
	Order      Order     // empty: ByPriority
	Reverse    bool      // the other way around
	Limit      int       // 0: the default
	Offset     int
}

// TagCount says how many memories have a tag.
type TagCount struct {
	Tag      string `json:"tag"`
	Memories int    `json:"memories"`
}

// Entry is one line of a listing.
type Entry struct {
	ID         memory.ID         `json:"id"`
	Topic      string            `json:"topic"`
	Phase      memory.Phase      `json:"phase"`
	Priority   float64           `json:"priority"`
	Tags       []string          `json:"tags"`
	Importance memory.Importance `json:"importance,omitempty"` // none: normal
	Difficulty *float64          `json:"difficulty,omitempty"` // nil where models read, like the next
	Work       *memory.Work      `json:"work,omitempty"`       // that the difficulty was judged by
	CreatedAt  Time              `json:"created_at"`           // null: unknown
	AccessedAt *time.Time        `json:"accessed_at"`          // null: never in this clone

	// Of archives only.
	Archived       bool       `json:"archived,omitempty"`
	ArchivedReason string     `json:"archived_reason,omitempty"`
	ArchivedAt     *time.Time `json:"archived_at,omitempty"`
}

// Listing answers a [ListFilter].
type Listing struct {
	Memories []Entry `json:"memories"`
	Total    int     `json:"total"`
	HasMore  bool    `json:"has_more"`
	HeldBack int     `json:"held_back,omitempty"` // from elsewhere, until a person approves them
}

// Detail is a memory with everything known of it.
type Detail struct {
	ID             memory.ID         `json:"id"`
	Topic          string            `json:"topic"`
	Content        string            `json:"content"`
	Summary        string            `json:"summary"`
	Tags           []string          `json:"tags"`
	Importance     memory.Importance `json:"importance,omitempty"` // none: normal
	Phase          memory.Phase      `json:"phase"`
	Priority       float64           `json:"priority"`
	Difficulty     float64           `json:"difficulty"`
	Work           *memory.Work      `json:"work,omitempty"` // that the difficulty was judged by
	AccessCount    int               `json:"access_count"`
	CreatedAt      Time              `json:"created_at"` // null: unknown
	AccessedAt     *time.Time        `json:"accessed_at"`
	CreatedSession int               `json:"created_session"`
	LastSession    int               `json:"last_session"`
	Conflicted     bool              `json:"conflicted,omitempty"` // one side of a merge that nobody has settled yet
	Archived       bool              `json:"archived"`             // its full text is in the archives, and this is from there or a part of it
	ArchivedReason string            `json:"archived_reason,omitempty"`
	ArchivedAt     *time.Time        `json:"archived_at,omitempty"`
	Note           string            `json:"note,omitempty"` // where there is more of it, or that it is an earlier text
}

// Got is one of several memories that were asked for together, or why it is not
// there.
type Got struct {
	ID     memory.ID
	Detail Detail
	Err    error
}

// Forgotten answers a request to forget.
type Forgotten struct {
	Success  bool   `json:"success"`
	Message  string `json:"message"`
	Archived bool   `json:"archived"`
}

// ArchiveHit is one archived memory that a query found.
type ArchiveHit struct {
	ID      memory.ID `json:"id"`
	Topic   string    `json:"topic"`
	Summary string    `json:"summary"`
	Tags    []string  `json:"tags"`
	Score   float64   `json:"score"`
	Active  bool      `json:"active"` // a reduced version is still among the memories

	ArchivedReason string     `json:"archived_reason,omitempty"`
	ArchivedAt     *time.Time `json:"archived_at,omitempty"` // of listings
}

// ArchiveRecall answers a search in the archives.
type ArchiveRecall struct {
	Archives []ArchiveHit `json:"archives"`
	Total    int          `json:"total"`
	HeldBack int          `json:"held_back,omitempty"` // from elsewhere, until a person approves them
}

// PhaseCounts says how many memories are in each phase.
type PhaseCounts struct {
	Full     int `json:"full"`
	Hint     int `json:"hint"`
	Abstract int `json:"abstract"`
}

// ImportanceCounts says how many memories have a level other than normal.
type ImportanceCounts struct {
	Critical  int `json:"critical"`
	Important int `json:"important"`
	Low       int `json:"low"`
}

// Status is the state of a store at a glance.
type Status struct {
	TotalMemories    int              `json:"total_memories"`
	ByPhase          PhaseCounts      `json:"by_phase"`
	TotalArchived    int              `json:"total_archived"`
	ByImportance     ImportanceCounts `json:"by_importance"`
	FromElsewhere    int              `json:"from_elsewhere,omitempty"` // not written or approved in this clone
	SessionCount     int              `json:"session_count"`
	LastEviction     *time.Time       `json:"last_eviction"`
	StorageSizeBytes int64            `json:"storage_size_bytes"`
	Config           map[string]any   `json:"config"`
	Version          string           `json:"version"`
	StorePath        string           `json:"store_path"`
	ClonePath        string           `json:"clone_path"` // counters, sessions, trust, log
	CachePath        string           `json:"cache_path"` // caches of this work tree
	Health           string           `json:"health"`     // one line

	Session *Segment `json:"session,omitempty"` // of the running session since its last store, where that is known
}

// CheckReport says where the store's parts disagree. Empty lists are in order.
// Problems names everything that the other lists do, with its reason.
type CheckReport struct {
	OK              bool                 `json:"ok"` // there are no problems
	UnreadableFiles []memory.FileProblem `json:"unreadable_files"`
	Conflicts       []string             `json:"conflicts"`          // memory files with an unsettled merge, of which one side is served
	Problems        []Problem            `json:"problems"`           // in the order in which a repair goes through them
	Remarks         []Problem            `json:"remarks"`            // what somebody may want to know; the store is in order all the same
	Warnings        []string             `json:"warnings,omitempty"` // nothing is out of order, and yet
	Summary         string               `json:"summary"`

	Omitted map[string]int `json:"omitted,omitempty"` // how many more entries each list has than it shows
}

// Problem is one thing that a check found.
type Problem struct {
	Kind   string `json:"kind"`   // what it is, in a few words
	Where  string `json:"where"`  // a path in the store, or the id of a memory
	Reason string `json:"reason"` // what is wrong, and what to do
	Repair string `json:"repair"` // the action of a repair without options; empty: only a person can settle it
}

// SecretsReport is a CheckReport with a look for credentials in every file of the
// memories and the archives. OK and Summary speak of both.
type SecretsReport struct {
	CheckReport
	Secrets   []SecretFound        `json:"secrets"`
	Unscanned []memory.FileProblem `json:"unscanned_files"` // could not be looked into
}

// SecretFound says where a file holds what looks like a credential, never what it
// is.
type SecretFound struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1, in the file
	Kind string `json:"kind"`
}

// FixOptions says what a repair may do. The zero value deletes nothing that
// somebody may have written.
type FixOptions struct {
	RemoveUnreadable      bool // delete unreadable memory files instead of moving them to the archives
	CleanOrphanedArchives bool // delete files of the archives that cannot be read
	DryRun                bool
}

// FixAction is one step of a repair.
type FixAction struct {
	Action string `json:"action"` // recover, settle, archive_file, remove_file, remove_archive, rebuild, remove_temp
	Target string `json:"target"`
	Reason string `json:"reason"`
}

// FixReport lists what a repair did, or would do.
type FixReport struct {
	DryRun  bool        `json:"dry_run"`
	Actions []FixAction `json:"actions"` // in the order in which they are done
	Left    []Problem   `json:"left"`    // what only a person can settle
	Summary string      `json:"summary"`

	Omitted map[string]int `json:"omitted,omitempty"` // how many more entries each list has than it shows
}

// EvictionReport lists the steps of an eviction, done or only planned.
type EvictionReport struct {
	DryRun bool                  `json:"dry_run"`
	Active int                   `json:"active"` // memories before it
	Max    int                   `json:"max"`
	Steps  []memory.EvictionStep `json:"steps"`
	Reason string                `json:"reason"` // why there are as many steps as there are
}

// SessionStart tells that the client began, resumed, cleared or compacted a session.
type SessionStart struct {
	Session    string
	Source     string // startup, resume, clear, compact
	Transcript string // path of the client's record of the session; empty: not known
}

// ToolUse tells that the client ran a tool.
type ToolUse struct {
	Session string
	Failed  bool
	Long    bool // too long to be read, so what it gave back is not known

	Tool       string
	Input      []byte // JSON; says what the call was about
	Response   []byte // JSON: what it gave back, or the error
	Transcript string // as in [SessionStart]
}

// Segment is a piece of a session's work, from one store or reset to the next.
type Segment struct {
	Work       memory.Work `json:"work"`
	Difficulty float64     `json:"difficulty"` // of what would be stored now
	Message    string      `json:"message"`
}

// Term is one part of a score.
type Term struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	Points float64 `json:"points"` // value × weight
}

// Why explains the two scores of a memory, term by term.
type Why struct {
	ID              memory.ID    `json:"id"`
	Topic           string       `json:"topic"`
	Priority        float64      `json:"priority"`
	PriorityTerms   []Term       `json:"priority_terms"`
	Difficulty      float64      `json:"difficulty"`
	DifficultyTerms []Term       `json:"difficulty_terms"` // empty: there is no work to judge by
	Work            *memory.Work `json:"work,omitempty"`
	Notes           []string     `json:"notes"` // what the terms do not say
}

// Setting is one configuration value and where it comes from.
type Setting struct {
	Key     string `json:"key"`
	Value   any    `json:"value"`
	Default any    `json:"default"`
	Source  string `json:"source"` // local, shared, default
	Help    string `json:"help"`
}
