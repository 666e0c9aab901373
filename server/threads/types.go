package threads

import (
	"time"

	"ltm/server/conversation"
)

// Subject is whose memory something is: a user of an application. The same user id in two applications is two users.
type Subject struct {
	App  string // the id of the application, a ULID
	User string // as the application names its user, 1 to 128 bytes of printable UTF-8
}

// App is an application.
type App struct {
	ID        string // ULID
	Name      string // unique on the server
	CreatedAt time.Time
	Settings  Settings
}

// Settings are what an operator decides for an application. The zero value is the default.
type Settings struct {
	// Retention deletes events that were recorded longer ago, with what follows from them alone. Zero: never.
	Retention time.Duration `json:"retention,omitempty"`

	// TokensPerDay bounds what providers may use for the application on a day of UTC. Zero: the server's default.
	TokensPerDay int64 `json:"tokens_per_day,omitempty"`

	// ActiveExtraction makes what a model extracts an active claim at once. The default is to suggest it.
	ActiveExtraction bool `json:"active_extraction,omitempty"`

	// ActiveSuggestions makes what the word rules are sure of an active claim at once; see [conversation.Surely].
	ActiveSuggestions bool `json:"active_suggestions,omitempty"`

	// ExtractionTurns is how many messages of a user a model for extraction is asked about at once. Zero: the default.
	ExtractionTurns int `json:"extraction_turns,omitempty"`

	// Fields declares which keys of meta filters may name, and their types: "text", "number", "bool" or "time".
	Fields map[string]string `json:"fields,omitempty"`

	// Stores are directories of memories that contexts draw from, by the names that the operator gave them. They are
	// the same for all users of the application.
	Stores map[string]string `json:"stores,omitempty"`

	// Issuer, if set, makes a JWT of this issuer say who the user is; see [Issuer].
	Issuer *Issuer `json:"issuer,omitempty"`
}

// Issuer signs the tokens of an application's users.
type Issuer struct {
	URL      string `json:"url"`      // the claim iss
	JWKS     string `json:"jwks"`     // where its keys are
	Audience string `json:"audience"` // the claim aud must hold it
}

// Key lets an application in. Its secret has 256 random bits, of which only the SHA-256 is stored.
type Key struct {
	ID        string // ULID; not secret
	App       string
	Name      string
	Hash      [32]byte
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	RevokedAt time.Time // zero: not
	UsedAt    time.Time // zero: never; it is noted at most once a minute
}

// Meta is what an application attaches to a thread or an event: a JSON object, kept byte for byte.
type Meta []byte

// Thread is one conversation of one user.
type Thread struct {
	ID        string    `json:"id"`              // UUID
	Agent     string    `json:"agent,omitempty"` // which agent of the application it is with; may be empty
	Title     string    `json:"title,omitempty"`
	Meta      Meta      `json:"meta,omitempty"` // nil: {}
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	CoreAt    time.Time `json:"core_at,omitzero"` // when it was promoted to core memory; zero: not

	// Cursor is the last event that summaries have looked at; empty at the beginning.
	Cursor string `json:"cursor,omitempty"`
}

// Event is a message of a thread. Its order is that of recording; within a subject no two have the same Seq.
type Event struct {
	conversation.Event        // ID is a UUID
	Seq                int64  // given by the storage, ascending within a subject
	Agent              string // who said it, if the role alone does not say
	Meta               Meta   // nil: {}
	Importance         int    // 0..10
	Unembedded         bool   // the client wants no vector of it
	// the client's own name of the event, unique in its thread if not empty: adding it again changes nothing
	Key string
}

// Summary is an episode of a thread. Storages may keep its JSON, which lacks what they have columns for.
type Summary struct {
	ID     string `json:"-"` // UUID
	Thread string `json:"-"`
	conversation.Summary

	// Written is the text that a model wrote from the same turns, and Model which; empty without one.
	Written, Model string

	Active    bool      `json:"-"` // exactly one of a thread's summaries, if it has any
	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// Claim is a claim with what the storage knows about it. Its ID is a UUID, made from the subject and
// [conversation.ClaimID], so that the same statement has the same id in each derivation. For its JSON, see [Summary].
type Claim struct {
	ID                 string    `json:"-"`
	conversation.Claim           // its own ID field is the policies' name of the claim
	Stability          string    // "high", "med" or "low"
	ExpiresAt          time.Time // when it stops being true by itself; zero: never
	CreatedAt          time.Time `json:"-"`
	UpdatedAt          time.Time `json:"-"`
}

// Since returns when the claim began to be true for the last time; zero: never.
func (c Claim) Since() time.Time {
	if len(c.Valid) == 0 {
		return time.Time{}
	}
	return c.Valid[len(c.Valid)-1].From
}

// Act is an act with who did it. For its JSON, see [Summary].
type Act struct {
	conversation.Act           // ID is a UUID; claims are named by the policies' ids
	Seq              int64     `json:"-"` // given by the storage
	By               string    // "rules", the name of a model, "client" or "import"
	Note             string    // why, as the client said
	Stability        string    // of Adds
	ExpiresAt        time.Time // of Adds and Confirms
	Proposed         bool      `json:"-"` // it was not done: the claims suggest it; see [conversation.Proposals]
}

// Reaction is a user's mark on an event of the assistant.
type Reaction struct {
	Event     string    `json:"event"`
	Name      string    `json:"name"` // thumbs_up, heart, angry, sad or brain
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Kind is what a row is: of a vector, a change, a hit, a filter.
type Kind string

// The kinds.
const (
	KindThread   Kind = "thread"
	KindEvent    Kind = "event"
	KindSummary  Kind = "summary"
	KindClaim    Kind = "claim"
	KindMemory   Kind = "memory" // of a store, see [Library]; in contexts alone
	KindReaction Kind = "reaction"
	KindUser     Kind = "user"
	KindAct      Kind = "act" // only of what was erased
)

// Ref names a row of a subject.
type Ref struct {
	Kind Kind
	ID   string
}

// Vector is the embedding of a row's text by one model. Vectors of two models are never compared.
type Vector struct {
	Ref
	Model string
	Of    [32]byte // the SHA-256 of the text that was embedded
	V     []float32
}

// Near is a row near a vector.
type Near struct {
	Ref
	Cosine float64
}

// JobKind is what a job does.
type JobKind string

// The kinds of jobs.
const (
	JobSuggest   JobKind = "suggest"   // claims of an event by word rules
	JobExtract   JobKind = "extract"   // claims of an event by a model
	JobSummarize JobKind = "summarize" // the next step of a thread's summaries
	JobEmbed     JobKind = "embed"     // the vector of an event, a summary or a claim
)

// JobKinds lists all kinds of jobs.
func JobKinds() []JobKind { return []JobKind{JobSuggest, JobExtract, JobSummarize, JobEmbed} }

// JobState is how far a job is.
type JobState string

// The states of jobs.
const (
	JobPending JobState = "pending" // waits, or runs
	JobDone    JobState = "done"
	JobSkipped JobState = "skipped" // had nothing to do, or no model to ask; Reason says which
	JobFailed  JobState = "failed"  // will not be tried again; Reason says why
)

// JobStates lists all states of jobs.
func JobStates() []JobState { return []JobState{JobPending, JobDone, JobSkipped, JobFailed} }

// Job is a side effect of a change.
type Job struct {
	Seq       int64 // given by the storage
	Subject   Subject
	Kind      JobKind
	Thread    string
	Of        Ref    // what it is about
	Cause     string // the event that set it off, or empty; see Effects
	State     JobState
	Attempts  int
	Reason    string
	CreatedAt time.Time
	RunAt     time.Time // not before
	DoneAt    time.Time

	// Lease is whose turn it is: a random text of the worker, until LeasedTo.
	Lease    string
	LeasedTo time.Time
}

// Change is a line of the feed of changes: that a row was put or deleted, not what it says.
type Change struct {
	Cursor string // what to continue after
	User   string
	Ref
	Op string // "put" or "delete"
	At time.Time
}

// Erased is the id of something that was permanently deleted. It is kept to repeat the deletion after an older backup
// is restored.
type Erased struct {
	Subject Subject
	Ref     // of KindUser without an ID: the whole subject, or without a user the whole application
	At      time.Time
}

// Usage is what a provider counted for an application on a day.
type Usage struct {
	App, Day                                   string
	Requests, Input, Output, Estimated, Micros int64
}

// Caller is the sender of a request: an application for any of its users, or one user of it.
type Caller struct {
	App  string // its id
	User string // "" : the application itself
}

// NewThread is a thread to make.
type NewThread struct {
	ID    string // UUID; "": the server makes one
	User  string
	Agent string
	Title string
	Meta  Meta
}

// NewEvent is an event to add.
type NewEvent struct {
	ID         string // UUID; "": the server makes one
	Role       conversation.Role
	Agent      string
	Session    string
	Lang       string
	Text       string
	Meta       Meta
	OccurredAt time.Time // zero: now
	Key        string    // see [Event.Key]
	Importance int       // 1 to 5; 0: the word rules judge it
	Unembedded bool
}

// Added is what became of a new event.
type Added struct {
	Event Event
	New   bool  // false: the event was there, and stays as it was
	Err   error // in a batch: why it was not added; the others are
}

// Effect is a side effect of an event.
type Effect struct {
	Kind     JobKind
	State    JobState
	Reason   string
	Attempts int
	Since    time.Time
	DoneAt   time.Time
}

// NewClaim is a claim to add as active, or to suggest.
type NewClaim struct {
	Bucket     conversation.Bucket
	Text       string
	Confidence float64
	Stability  string // "" is "med"
	Session    string
	Event      string // that says it, may be empty
	ExpiresAt  time.Time
	Note       string
	Suggest    bool
}

// ClaimAct is what to do with a claim.
type ClaimAct struct {
	// Confirms, Rejects, Supersedes (with Text: a correction), Deprecates, Disputes, Forgets or Undoes
	Verb  conversation.Verb
	Claim string // UUID
	Other string // UUID of the claim that supersedes it, or that it is in dispute with
	// of Supersedes without Other: what is true instead, which becomes an active claim of the same bucket
	Text  string
	Act   string    // of Undoes: the act
	Since time.Time // of Supersedes: when it became so; zero: by the evidence
	Note  string
}

// SearchRequest asks for rows that answer a question.
type SearchRequest struct {
	User   string // may be left out if Thread says it
	Thread string // "": all of the user's
	Query  string
	Kinds  []Kind // of KindEvent, KindSummary and KindClaim, and for a context KindMemory; none: all
	Filter *Filter
	AsOf   time.Time // as if it were then; zero: now
	// Limit is the greatest number of hits, at most 200. 0: 20, or for a context as many as its budget needs.
	Limit int
}

// Hit is a row that answers a question.
type Hit struct {
	Ref
	Thread     string
	Role       conversation.Role
	Text       string
	OccurredAt time.Time
	Score      float64  // 0..1
	Reasons    []string // "words: …", "near in meaning: 0.83", "neighbour of …"
}

// RetrieveRequest asks for a context.
type RetrieveRequest struct {
	SearchRequest
	Budget    int     // tokens, by [conversation.Tokens]; 0: 1,000
	Threshold float64 // least score of a hit, 0..1
	Recent    int     // newest events of the thread that come along
	Explain   bool

	// Stores are those of the application's [Settings]. Memories come with any thread, but not with a filter, whose
	// fields they do not have, nor as of a time, because their files say what is so now.
	Stores map[string]string

	statement bool // Query is what a user says, which may be no question
}

// Retrieved is a context with where it comes from.
type Retrieved struct {
	conversation.Context
	Blocks []Block
	Empty  string // why there is nothing, if there is nothing
	Notes  []string
	Stores *StoreTotals // nil: the application has none, or no explanation was asked for
}

// Block is an item of a context.
type Block struct {
	Source conversation.Source
	Ref
	Thread  string
	Text    string
	Score   float64
	Reasons []string // if they were asked for
	Memory  *Memory  // of KindMemory
	Against []Claim  // the claims that contradict a claim, or the one that holds instead of what a message says
}

// Message is a message as a model takes it.
type Message struct {
	Role    string // "system", "user" or "assistant"
	Content string
}
