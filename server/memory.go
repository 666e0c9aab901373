package server

import (
	"context"
	"io"
	"time"

	"ltm/server/threads"
)

// Memory is what the routes of applications need. [threads.Service] implements it.
//
// A caller that is a user sees what is theirs; an application sees what its users have. All else is
// [threads.ErrNotFound], whether it exists or not.
type Memory interface {
	// AuthenticateKey returns the application that a key of this hash lets in. [threads.ErrNotFound].
	AuthenticateKey(ctx context.Context, hash [32]byte) (threads.Key, threads.App, error)

	CreateThread(ctx context.Context, c threads.Caller, t threads.NewThread) (threads.Thread, error)
	Thread(ctx context.Context, c threads.Caller, id string) (threads.Thread, string, error) // and its user
	ListThreads(ctx context.Context, who threads.Subject, q threads.ThreadQuery) ([]threads.Thread, error)
	RenameThread(ctx context.Context, c threads.Caller, id, title string) (threads.Thread, error)
	// DeleteThread deletes a thread and what follows from it alone, and returns how many rows of which kind went.
	DeleteThread(ctx context.Context, c threads.Caller, id string) (map[string]int64, error)
	// Promote marks a thread as core memory, and summarizes what has not been yet. It reports whether the summary
	// changed.
	Promote(ctx context.Context, c threads.Caller, id string) (threads.Summary, bool, error)

	// AddEvents adds events in their order, each by itself: one that is refused says why in its row.
	AddEvents(ctx context.Context, c threads.Caller, thread string, events []threads.NewEvent) ([]threads.Added, error)
	ListEvents(ctx context.Context, c threads.Caller, q threads.EventQuery) ([]threads.Event, error)
	Event(ctx context.Context, c threads.Caller, thread, id string) (threads.Event, error)
	DeleteEvent(ctx context.Context, c threads.Caller, thread, id string) (map[string]int64, error)
	Effects(ctx context.Context, c threads.Caller, thread, event string) ([]threads.Effect, error)
	// React sets the reaction to an event of the assistant, or removes it if name is empty. It reports whether the
	// summary changed.
	React(ctx context.Context, c threads.Caller, thread, event, name string) (summary bool, err error)
	Reactions(ctx context.Context, c threads.Caller, thread string) (map[string]threads.Reaction, error) // by event
	// Summary returns the active summary. [threads.ErrNotFound]: no such thread; without a summary its ID is empty.
	Summary(ctx context.Context, c threads.Caller, thread string) (threads.Summary, error)
	Summaries(ctx context.Context, c threads.Caller, thread string) ([]threads.Summary, error)

	ListClaims(ctx context.Context, who threads.Subject, q threads.ClaimQuery) ([]threads.Claim, error)
	Profile(ctx context.Context, who threads.Subject, at time.Time) (threads.Profile, error) // zero: now
	Claim(ctx context.Context, who threads.Subject, id string) (threads.Claim, error)
	AddClaim(ctx context.Context, who threads.Subject, c threads.NewClaim) (threads.Claim, error)
	// Act does something with a claim, and returns it as it is then, and the act, which can be undone.
	Act(ctx context.Context, who threads.Subject, a threads.ClaimAct) (threads.Claim, threads.Act, error)
	ClaimHistory(ctx context.Context, who threads.Subject, id string) ([]threads.Act, error)

	Search(ctx context.Context, c threads.Caller, r threads.SearchRequest) ([]threads.Hit, error)
	Retrieve(ctx context.Context, c threads.Caller, r threads.RetrieveRequest) (threads.Retrieved, error)
	// MemoryContext returns what a model is sent for a text that the user is about to say in a thread.
	MemoryContext(ctx context.Context, c threads.Caller, thread, text string, recent int) ([]threads.Message, error)
	// Chat stores a text, and calls out with each piece of the reply, which it stores as well.
	// The ids are those of both events. A call with the key of an earlier one goes on where that one stopped, and
	// stores nothing twice; with another text it is [threads.ErrTaken]. The key may be empty.
	Chat(ctx context.Context, c threads.Caller, thread, text, key string, recent int,
		out func(piece string) error) (user, assistant string, err error)

	Changes(ctx context.Context, c threads.Caller, after string, limit int) ([]threads.Change, string, error)
	EraseUser(ctx context.Context, who threads.Subject) (map[string]int64, error)
	// Export writes a user, or the whole application if User is empty, as one file; Import reads it, and counts
	// what it added by kind.
	Export(ctx context.Context, who threads.Subject, w io.Writer) error
	Import(ctx context.Context, who threads.Subject, r io.Reader) (map[string]int64, error)

	// Users returns users of an application that have rows, by name, after one.
	Users(ctx context.Context, app, after string, limit int) ([]string, error)
	Counts(ctx context.Context, who threads.Subject) (threads.Counts, error)
	// ListJobs returns jobs of an application, or of the caller if it is a user, the newest first.
	ListJobs(ctx context.Context, c threads.Caller, q threads.JobQuery) ([]threads.Job, error)

	// JobTotals and ModelCalls are for metrics.
	JobTotals(ctx context.Context) (map[threads.JobState]map[threads.JobKind]int64, time.Time, error)
	ModelCalls() map[threads.ModelCall]int64
}

var _ Memory = (*threads.Service)(nil)
