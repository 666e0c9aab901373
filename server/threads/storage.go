package threads

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
)

// FromNow is the cursor after all changes that are there, for a client that begins to follow them.
const FromNow = "now"

// Storage keeps applications and the memories of their users. Every method is one transaction, and what it
// acknowledged stays. It may be used by many goroutines, and a database by several servers. Times are in UTC, to the
// microsecond.
type Storage interface {
	Apps
	Jobs

	// Change runs a change of a subject's memory as one transaction. Changes of one subject run one after another; of
	// different ones, at once where the database can. The function may run several times, and must not keep the Tx.
	// The subject need not exist: its first row makes it. [ErrNotFound]: there is no such application.
	Change(ctx context.Context, who Subject, change func(Tx) error) error

	// View runs a question that sees one state of a subject. A subject without rows has none.
	View(ctx context.Context, who Subject, look func(View) error) error

	// OwnerOf returns whose thread it is, within an application. [ErrNotFound].
	OwnerOf(ctx context.Context, app, thread string) (user string, err error)

	// Changes returns the changes of an application after a cursor, oldest first; of one user, if it is not empty. ""
	// is the beginning of what is there, and [FromNow] the end. Every change appears once to a client that continues
	// after next, also when several servers write. [ErrCursor]; [ErrPurged]: a change after the cursor may have been
	// purged.
	Changes(ctx context.Context, app, user, after string, limit int) (changes []Change, next string, err error)

	// Users returns the users of an application that have rows, by name, after one.
	Users(ctx context.Context, app, after string, limit int) ([]string, error)

	// Counts counts what is kept of a subject, of which there may be nothing.
	Counts(ctx context.Context, who Subject) (Counts, error)

	// Erase deletes all rows of a subject and notes it as [Erased]. It returns how many rows of which table went. No
	// question sees any of them from the first moment; they go in steps, and what is left of one that was interrupted
	// goes with the next purge.
	Erase(ctx context.Context, who Subject, at time.Time) (map[string]int64, error)

	// ErasedSince returns the erasures, oldest first. An id that was erased twice is listed once, with the later time.
	// Repeat erases again what is in the list and still there, and notes all of the list as erased.
	ErasedSince(ctx context.Context, since time.Time) ([]Erased, error)
	Repeat(ctx context.Context, erased []Erased) (map[string]int64, error)

	// WithoutVector returns rows of any subject that have a text and no vector of this model that was made of it, after
	// a place in the order of the storage, and the place for the next call; "" is the beginning, and the end. A call
	// looks at some rows, all of which may have their vectors.
	WithoutVector(ctx context.Context, model, after string, limit int) ([]Text, string, error)

	// DropVectors removes the vectors of a model, at most limit of them, and returns how many.
	DropVectors(ctx context.Context, model string, limit int) (int64, error)

	// AddUsage adds to what providers counted; Usage returns a day.
	AddUsage(ctx context.Context, u Usage) error
	Usage(ctx context.Context, day string) ([]Usage, error)
}

// Counts is how much is kept of a subject.
type Counts struct{ Threads, Claims, Suggested, Jobs int } // claims in every state, and pending jobs

// Text is the text of a row that can be embedded.
type Text struct {
	Subject Subject
	Ref
	Text string
}

// Apps keeps applications and the hashes of their keys.
type Apps interface {
	CreateApp(ctx context.Context, a App) error // [ErrTaken]: the name
	UpdateApp(ctx context.Context, a App) error
	AppOf(ctx context.Context, given string) (App, error) // by id or name
	ListApps(ctx context.Context) ([]App, error)          // the oldest first

	// DeleteApp erases an application with its keys, subjects and all their rows, in steps, and returns how many
	// rows of which table went.
	DeleteApp(ctx context.Context, id string, at time.Time) (map[string]int64, error)

	CreateKey(ctx context.Context, k Key) error
	ListKeys(ctx context.Context, app string) ([]Key, error) // the newest first; all applications' if it is empty
	RevokeKey(ctx context.Context, id string, at time.Time) error

	// AuthenticateKey returns the key with this hash and its application, if it has neither expired nor been revoked.
	AuthenticateKey(ctx context.Context, hash [32]byte, at time.Time) (Key, App, error)
}

// Jobs is the queue of side effects.
type Jobs interface {
	// Lease hands out at most n pending jobs whose time has come and that no other worker has, the longest waiting
	// first, until a time, and counts one more attempt of each. Of the jobs of one thread that summarize, one at most
	// is handed out at once.
	Lease(ctx context.Context, lease string, kinds []JobKind, n int, now, until time.Time) ([]Job, error)

	// Renew has the leases of jobs end later. A job whose lease has passed to another is left alone.
	Renew(ctx context.Context, jobs []Job, until time.Time) error

	// Finish ends a leased job outside of a change, as its State, Attempts, Reason and DoneAt say: with JobPending it
	// is tried again at RunAt. [ErrLost].
	Finish(ctx context.Context, j Job) error

	// ListJobs returns jobs of an application in one state, the newest first by CreatedAt and Seq.
	// [ErrNotFound]: the application.
	ListJobs(ctx context.Context, q JobQuery) ([]Job, error)

	// JobTotals counts jobs by state and kind, and returns since when the oldest pending one waits.
	JobTotals(ctx context.Context) (counts map[JobState]map[JobKind]int64, oldest time.Time, err error)
}

// View is one state of a subject's memory. Anything that is not the subject's is [ErrNotFound].
type View interface {
	// Version grows with every change of the subject; 0: it has no rows. No two states share one, not even if the
	// subject was erased between them: what was read at a version is known to be true as long as it is the version.
	Version() (int64, error)

	// Changed returns the events, summaries and claims that were put or deleted after a version, each once, in any
	// order. known is false if the storage cannot say, such as after [Storage.Erase]; then everything is read again.
	Changed(after int64) (refs []Ref, known bool, err error)

	Thread(id string) (Thread, error)
	Threads(q ThreadQuery) ([]Thread, error)

	Event(id string) (Event, error)

	EventByKey(thread, key string) (Event, error) // see [Event.Key]

	// Imported returns the Seq up to which events may have been recorded before others with a lower one, because they
	// were imported: what [Tx.SetImported] has set last. 0: none is.
	Imported() (seq int64, err error)

	// Events returns events in the order of Seq. See EventQuery.
	Events(q EventQuery) ([]Event, error)

	// ActiveSummary is a thread's latest episode. [ErrNotFound]: it has none.
	ActiveSummary(thread string) (Summary, error)
	Summary(id string) (Summary, error)
	Summaries(thread string) ([]Summary, error) // the oldest first; of all threads if it is empty

	// History returns the acts of the subject with the events that they name, which have no text: what
	// [conversation.Derive] needs to fold the acts.
	History() (conversation.History, error)
	Acts(claim string) ([]Act, error) // of a claim, by the policies' id; all if it is empty; the oldest first

	Claim(id string) (Claim, error) // by its UUID
	Claims(q ClaimQuery) ([]Claim, error)

	Reactions(thread string, limit int) ([]Reaction, error) // the newest first
	Reaction(event string) (Reaction, error)

	Jobs(cause string) ([]Job, error)  // the effects of an event
	PendingJobs(of Ref) ([]Job, error) // about a row

	// Nearest returns the k rows of these kinds nearest to a vector of a model, nearest first.
	Nearest(model string, v []float32, kinds []Kind, k int) ([]Near, error)
	VectorOf(model string, of Ref) (Vector, error)
}

// Tx is a change of a subject's memory. Everything that it puts or deletes is a line in the feed of changes.
type Tx interface {
	View

	PutThread(t Thread) error // new, or in the place of the one with its id

	// DeleteThread deletes a thread with its events, summaries, reactions, vectors and jobs, and the acts that
	// were taken from its
	// events. Claims follow by PutClaims.
	DeleteThread(id string, at time.Time) error

	// AddEvent adds an event and returns its Seq. [ErrTaken]: the thread has its Key, or another event its id.
	AddEvent(e Event) (int64, error)
	SetEventMeta(id string, meta Meta) error

	SetImported(seq int64) error // see [View.Imported]; no line of the feed

	// DeleteEvent deletes an event with its reaction, vectors and jobs, and the acts that were taken from it.
	DeleteEvent(id string, at time.Time) error

	// PutSummary adds or replaces a summary. If it is active, the one that was before is not any more, in the same
	// transaction.
	PutSummary(s Summary) error
	DeleteSummaries(thread string) error

	// DeleteSummary deletes one summary with its vectors.
	DeleteSummary(id string) error

	AddAct(a Act) error // [ErrTaken]: the id

	// DeleteActs deletes acts by their ids, and notes each as [Erased], because some have texts. Claims follow by
	// PutClaims.
	DeleteActs(ids []string, at time.Time) error

	// PutClaims makes the subject's claims these, and touches only those that differ: one that is the same but for
	// its times stays as it is, and one that was there keeps its CreatedAt.
	PutClaims(claims []Claim) error

	PutReaction(r Reaction) error
	DeleteReaction(event string) error

	PutVector(v Vector) error

	// AddJob adds a job, unless one of its kind about the same row is pending and not leased.
	AddJob(j Job) error

	// FinishJob ends a leased job with the change that it made. [ErrLost]: then the change must not happen.
	FinishJob(j Job) error
}

// JobQuery asks for jobs of an application.
type JobQuery struct {
	App   string
	User  string // "": of all users
	State JobState
	After *JobPlace // the last one of the page before
	Limit int
}

// JobPlace is a place in a list of jobs.
type JobPlace struct {
	At  time.Time // CreatedAt
	Seq int64
}

// ThreadQuery asks for threads, newest first by CreatedAt and id.
type ThreadQuery struct {
	Agent string // "" any
	After *Place
	Limit int
}

// Place is a place in a list that is ordered by time and then id, both descending.
type Place struct {
	At time.Time
	ID string
}

// EventQuery asks for events in the order of Seq, which is that of recording. Zero fields do not filter.
type EventQuery struct {
	Thread string // "" all threads of the subject
	IDs    []string
	After  int64 // Seq greater than this
	Before int64 // Seq less than this; 0: no bound
	Newest bool  // the last Limit events instead of the first ones, still oldest first
	Limit  int   // 0: all
	Filter *Filter
}

// ClaimQuery asks for claims by confidence, reinforcement and time of change, all descending, then by id. Zero
// fields do not filter.
type ClaimQuery struct {
	Buckets []conversation.Bucket
	States  []conversation.State
	AsOf    time.Time // true at this time by what is known now, whatever the state
	IDs     []string
	After   *ClaimPlace
	Limit   int // 0: all
	Filter  *Filter
}

// ClaimPlace is a place in the list of claims, which stays where it is when claims before it come or go.
type ClaimPlace struct {
	Confidence float64
	Reinforced int
	UpdatedAt  time.Time
	ID         string // UUID
}

// Place returns the place of a claim.
func (c Claim) Place() ClaimPlace { return ClaimPlace{c.Confidence, c.Reinforced, c.UpdatedAt, c.ID} }

// before reports whether a place comes before a claim.
func (p ClaimPlace) before(c Claim) bool {
	return cmp.Or(cmp.Compare(c.Confidence, p.Confidence), cmp.Compare(c.Reinforced, p.Reinforced),
		c.UpdatedAt.Compare(p.UpdatedAt), strings.Compare(p.ID, c.ID)) < 0
}

// Page returns the part of claims, which are in order, that a query asks for by After and Limit.
func (q ClaimQuery) Page(claims []Claim) []Claim {
	if q.After != nil {
		first := slices.IndexFunc(claims, q.After.before)
		if first < 0 {
			return nil
		}
		claims = claims[first:]
	}
	if q.Limit > 0 {
		claims = claims[:min(q.Limit, len(claims))]
	}
	return claims
}

// Filter is a condition on the fields of events or claims, already checked against what is declared.
type Filter struct {
	And, Or []Filter
	Not     *Filter

	Field string // "role", "agent", "occurred_at", …, or "meta.KEY"
	Type  string // of the field: "text", "number", "bool" or "time"
	// "eq", "in", "range" or "exists": it has a value of any type but null. A value of another type than Type is as
	// if there were none.
	Op     string
	Values []any // string, float64, bool or time.Time; of a range: from (inclusive) and to (exclusive), nil is open
}
