package server

import (
	"context"
	"io"
	"time"

	"ltm/server/threads"
)

// Memory is what the routes of applications need. [threads.Service] implements it, and says what each method does.
//
// A caller that is a user sees what is theirs; an application sees what its users have. All else is
// [threads.ErrNotFound], whether it exists or not.
type Memory interface {
	AuthenticateKey(ctx context.Context, hash [32]byte) (threads.Key, threads.App, error)

	CreateThread(ctx context.Context, c threads.Caller, t threads.NewThread) (threads.Thread, error)
	Thread(ctx context.Context, c threads.Caller, id string) (threads.Thread, string, error) // and its user
	ListThreads(ctx context.Context, who threads.Subject, q threads.ThreadQuery) ([]threads.Thread, error)
	RenameThread(ctx context.Context, c threads.Caller, id, title string) (threads.Thread, error)
	DeleteThread(ctx context.Context, c threads.Caller, id string) (map[string]int64, error)
	Promote(ctx context.Context, c threads.Caller, id string) (threads.Summary, bool, error)

	AddEvents(ctx context.Context, c threads.Caller, thread string, events []threads.NewEvent) ([]threads.Added, error)
	ListEvents(ctx context.Context, c threads.Caller, q threads.EventQuery) ([]threads.Event, error)
	Event(ctx context.Context, c threads.Caller, thread, id string) (threads.Event, error)
	DeleteEvent(ctx context.Context, c threads.Caller, thread, id string) (map[string]int64, error)
	Effects(ctx context.Context, c threads.Caller, thread, event string) ([]threads.Effect, error)
	React(ctx context.Context, c threads.Caller, thread, event, name string) (summary bool, err error)
	Reactions(ctx context.Context, c threads.Caller, thread string) (map[string]threads.Reaction, error) // by event
	Summary(ctx context.Context, c threads.Caller, thread string) (threads.Summary, error)
	Summaries(ctx context.Context, c threads.Caller, thread string) ([]threads.Summary, error)

	ListClaims(ctx context.Context, who threads.Subject, q threads.ClaimQuery) ([]threads.Claim, error)
	Profile(ctx context.Context, who threads.Subject, at time.Time) (threads.Profile, error) // zero: now
	Claim(ctx context.Context, who threads.Subject, id string) (threads.Claim, error)
	AddClaim(ctx context.Context, who threads.Subject, c threads.NewClaim) (threads.Claim, error)
	Act(ctx context.Context, who threads.Subject, a threads.ClaimAct) (threads.Claim, threads.Act, error)
	ClaimHistory(ctx context.Context, who threads.Subject, id string) ([]threads.Act, error)

	Search(ctx context.Context, c threads.Caller, r threads.SearchRequest) ([]threads.Hit, error)
	Retrieve(ctx context.Context, c threads.Caller, r threads.RetrieveRequest) (threads.Retrieved, error)
	MemoryContext(ctx context.Context, c threads.Caller, thread, text string, recent int) ([]threads.Message, error)
	Chat(ctx context.Context, c threads.Caller, thread, text, key string, recent int,
		out func(piece string) error) (user, assistant string, err error)

	Changes(ctx context.Context, c threads.Caller, after string, limit int) ([]threads.Change, string, error)
	EraseUser(ctx context.Context, who threads.Subject) (map[string]int64, error)
	Export(ctx context.Context, who threads.Subject, w io.Writer) error
	Import(ctx context.Context, who threads.Subject, r io.Reader) (map[string]int64, error)

	Users(ctx context.Context, app, after string, limit int) ([]string, error)
	Counts(ctx context.Context, who threads.Subject) (threads.Counts, error)
	ListJobs(ctx context.Context, c threads.Caller, q threads.JobQuery) ([]threads.Job, error)

	// JobTotals and ModelCalls are for metrics.
	JobTotals(ctx context.Context) (map[threads.JobState]map[threads.JobKind]int64, time.Time, error)
	ModelCalls() map[threads.ModelCall]int64
}

var _ Memory = (*threads.Service)(nil)
