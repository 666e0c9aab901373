package threads

import (
	"time"

	"ltm/server/conversation"
)

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
	Text string
	Act  string // of Undoes: the act
	Note string
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
}

// Message is a message as a model takes it.
type Message struct {
	Role    string // "system", "user" or "assistant"
	Content string
}
