package threads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"ltm/server/conversation"
	"ltm/server/conversation/recall"
	"ltm/server/provider"
	"ltm/text/secrets"
)

// Models is what a [Service] asks of models. Each may be nil; then what needs it is skipped with a reason.
type Models struct {
	Embeddings Embedder
	Summaries  Summarizer
	Extraction Extractor
	Chat       Chatter
}

// Embedder makes vectors, as [provider.Client] does.
type Embedder interface {
	Model() string
	Embed(ctx context.Context, app string, texts []string) ([]provider.Vector, error)
}

// Summarizer writes summaries.
type Summarizer interface {
	Model() string
	Summarize(ctx context.Context, app, prior string, turns []provider.Turn) (provider.Summary, error)
}

// Extractor finds claims.
type Extractor interface {
	Model() string
	Extract(ctx context.Context, app string, events []provider.Event, holds []provider.Holding, buckets []string) (
		provider.Extraction, error)
}

// Chatter replies.
type Chatter interface {
	Model() string
	Chat(ctx context.Context, app string, chat provider.Chat) (provider.Reply, error)
}

// Options configure a [Service]. Storage, Now and Random are needed.
type Options struct {
	Storage Storage
	Models  Models
	Now     func() time.Time
	Random  io.Reader
	Log     *slog.Logger // default: nowhere
	Library Library      // of the stores of applications; nil: there are none
	// Erased notes what was deleted for good outside of the storage, before the request that did it is answered. nil:
	// nothing does. If it fails, the request fails, and what it deleted stays deleted.
	Erased func(context.Context) error

	// VectorWeight is what vectors count beside words in the order of what is found, 0 to 1. 0 is VectorWeight.
	VectorWeight float64

	IndexBytes int64 // memory for the search indexes of subjects that were asked for lately. Default: 512 MiB
	Workers    int   // that do jobs. Default: 2
}

// VectorWeight is the weight of vectors by default: a model that knows nothing moves little by it.
const VectorWeight = 0.3

// Service is the memory of applications. It is safe for concurrent use.
type Service struct {
	o      Options
	random sync.Mutex // of o.Random, which need not be safe for concurrent use

	// wakeRules and wakeModels wake one worker each; see [Service.Work].
	wakeRules, wakeModels chan struct{}

	untilAll int // looks that are left until the next one at all events, of the one goroutine that looks

	asking  endpoints
	queries queries
	indexes *indexes
}

// New returns a service. Its jobs are done while [Service.Work] runs.
func New(o Options) (*Service, error) {
	if o.Storage == nil || o.Now == nil || o.Random == nil {
		return nil, errors.New("threads: storage, clock and randomness are needed")
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Erased == nil {
		o.Erased = func(context.Context) error { return nil }
	}
	o.VectorWeight = cmp.Or(o.VectorWeight, VectorWeight)
	o.IndexBytes = cmp.Or(max(o.IndexBytes, 0), 512<<20) // a thousand users of a thousand events take 400
	o.Workers = cmp.Or(max(o.Workers, 0), 2)
	return &Service{o: o, wakeRules: make(chan struct{}, 1), wakeModels: make(chan struct{}, 1),
		indexes: &indexes{most: o.IndexBytes, entries: map[Subject]*entry{}}}, nil
}

// now returns the time as storages keep it: in UTC, to the microsecond.
func (s *Service) now() time.Time { return s.o.Now().UTC().Truncate(time.Microsecond) }

// newID returns a random UUID.
func (s *Service) newID() (string, error) {
	s.random.Lock()
	defer s.random.Unlock()
	id, err := uuid.NewRandomFromReader(s.o.Random)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// idOf returns the id of something of a subject that is known by its parts, so that making it again makes the same: a
// UUID of version 5.
func (who Subject) idOf(parts ...string) string {
	name := strings.Join(append([]string{who.App, who.User}, parts...), "\x00")
	return uuid.NewSHA1(uuid.MustParse("5d0c4a1e-9a55-5c7e-8f0a-6c8f1f0b7a42"), []byte(name)).String()
}

// ClaimUUID returns the id by which clients name the claim that the policies know by another one: in
// [conversation.Claim.SupersededBy] and [conversation.Claim.Against], and in acts.
func (who Subject) ClaimUUID(policy string) string { return who.idOf("claim", policy) }

// CanonicalID returns a UUID in lower case, and whether it is one: 36 characters with hyphens.
func CanonicalID(id string) (string, bool) {
	if len(id) != 36 || uuid.Validate(id) != nil {
		return "", false
	}
	return strings.ToLower(id), true
}

// Reason tells the errors of a [Storage], a [Service] and a [Library] apart: errors.Is finds it in them. All others are
// faults of the database itself.
type Reason string

// Error implements error.
func (r Reason) Error() string { return string(r) }

// The reasons of a storage.
const (
	ErrNotFound Reason = "not found" // or another subject's
	ErrTaken    Reason = "already taken"
	ErrLost     Reason = "the lease has passed to another" // of a job
	ErrCursor   Reason = "not a cursor of this database"
	ErrPurged   Reason = "changes after this cursor were purged"
)

// The reasons of a service beside those.
const (
	ErrInvalid  Reason = "not valid"                  // what was asked for breaks a rule
	ErrState    Reason = "not possible in this state" // such as to confirm what is rejected
	ErrNoModel  Reason = "there is no model for this" // none is configured, or what it may use today is used up
	ErrUpstream Reason = "the model failed"           // it was asked, and gave no answer that can be used
)

// Error is why something was not done, in words for the client. Nothing was changed. It matches its Reason and its
// Cause.
type Error struct {
	Reason Reason
	Text   string // what was wrong and what is allowed, without texts of the memory
	Cause  error  // for logs; may be nil
}

// Refuse returns an error without a cause.
func Refuse(reason Reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Text: fmt.Sprintf(format, args...)}
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// Unwrap makes the error match its reason and its cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Cause}
}

// Library finds memories in the directories that operators gave to applications. It changes nothing in them, and may be
// used by many goroutines.
type Library interface {
	// Consult returns the memories in a directory that answer words, the best first, none that scores less than least.
	// [ErrGone]: there is no store any more.
	Consult(ctx context.Context, dir, words string, limit int, least float64) (Consulted, error)
}

// ErrGone is the error of a [Library] for a directory that is not a store.
const ErrGone Reason = "not there"

// Consulted is what a store has for a question.
type Consulted struct {
	Memories []Memory
	Total    int      // without the limit
	Notes    []string // such as how many are held back
}

// Memory is a memory of a store, as files have it.
type Memory struct {
	Store     string // the name that the operator gave it
	ID        string // mem_1a2b3c4d
	Path      string // of its file, within the store
	Topic     string
	Text      string // the passage that answers
	CreatedAt time.Time
	Score     float64 // 0..1
	Foreign   bool    // not approved by a person
	Disputed  bool    // another memory contradicts it
}

// ref is the id of a memory among those of all stores.
func (m Memory) ref() string { return m.Store + "/" + m.ID }

// StoreTotals counts what stores had for a context, apart from the rest of it.
type StoreTotals struct {
	Found  int // memories that match
	Shown  int
	Tokens int // of those that are shown
}

const (
	// consultTime is how long a context waits for stores, which may be on a disk that does not answer.
	consultTime = time.Second
	// maxConsulted is how many memories of a store are considered: more than a share of any sensible budget holds.
	maxConsulted = 20
	// maxWords is the longest question to a store, in bytes. It is what the store's own search takes.
	maxWords = 16 << 10
)

// consulted is what all stores of an application have for a question.
type consulted struct {
	memories []Memory // best first
	total    int
	notes    []string
}

// consult asks the stores of a request concurrently. A note reports each one that cannot answer.
func (s *Service) consult(ctx context.Context, r RetrieveRequest) (out consulted) {
	switch {
	case len(r.Stores) == 0 || s.o.Library == nil || r.Filter != nil || strings.TrimSpace(r.Query) == "":
		return out
	case len(r.Kinds) > 0 && !slices.Contains(r.Kinds, KindMemory):
		return out
	case !r.AsOf.IsZero():
		out.notes = []string{"memories of stores are left out: they tell what is so now"}
		return out
	}
	ctx, cancel := context.WithTimeout(ctx, consultTime)
	defer cancel()
	limit := maxConsulted
	if r.Limit > 0 {
		limit = min(limit, r.Limit)
	}
	type reply struct {
		Consulted
		err error
	}
	names := slices.Sorted(maps.Keys(r.Stores))
	replies := make([]chan reply, len(names))
	for i, name := range names {
		replies[i] = make(chan reply, 1)
		go func() {
			found, err := s.o.Library.Consult(ctx, r.Stores[name], firstBytes(r.Query, maxWords), limit, r.Threshold)
			replies[i] <- reply{found, err}
		}()
	}
	for i, name := range names {
		var got reply
		select {
		case got = <-replies[i]:
		case <-ctx.Done():
			got.err = ctx.Err()
		}
		if got.err != nil {
			out.notes = append(out.notes, fmt.Sprintf("the store %q is left out: %s", name, whyNot(got.err)))
			continue
		}
		out.total += got.Total
		for _, note := range got.Notes {
			out.notes = append(out.notes, fmt.Sprintf("the store %q: %s", name, note))
		}
		for _, m := range got.Memories {
			m.Store = name
			m.Topic, _ = secrets.Redact(strings.Join(strings.Fields(m.Topic), " "))
			out.memories = append(out.memories, m)
		}
	}
	slices.SortStableFunc(out.memories, func(a, b Memory) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ref(), b.ref()))
	})
	return out
}

// whyNot says why a store has no answer, without the operator's paths.
func whyNot(err error) string {
	switch {
	case errors.Is(err, ErrGone):
		return "it is not there"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "it does not answer in time"
	}
	return "it cannot be read"
}

// request adds the memories to what a context is composed of.
func (c consulted) request(to *conversation.Request) {
	for _, m := range c.memories {
		text := m.Text
		if !strings.HasPrefix(text, m.Topic) {
			text = m.Topic + ": " + text
		}
		to.Memories = append(to.Memories, conversation.Memory{ID: m.ref(), Text: text, Score: m.Score, At: m.CreatedAt,
			Foreign: m.Foreign, Disputed: m.Disputed})
	}
}

// block describes the line of a memory.
func (c consulted) block(p conversation.Placed, explain bool, asked recall.Asked) Block {
	at := slices.IndexFunc(c.memories, func(m Memory) bool { return m.ref() == p.ID })
	m := c.memories[at]
	b := Block{Source: p.Source, Ref: Ref{KindMemory, m.ID}, Text: p.Text, Score: m.Score, Memory: &m}
	if explain {
		b.Reasons = recall.Found{Words: true}.Reasons(asked, m.Topic+"\n"+m.Text)
		if m.Foreign {
			b.Reasons = append(b.Reasons, "from elsewhere: not approved by a person")
		}
		if m.Disputed {
			b.Reasons = append(b.Reasons, "another memory contradicts it")
		}
	}
	return b
}

// totals counts what became of the memories.
func (c consulted) totals(placed []conversation.Placed) *StoreTotals {
	t := StoreTotals{Found: c.total}
	for _, p := range placed {
		if p.Source == conversation.FromMemory {
			t.Shown++
			t.Tokens += p.Tokens
		}
	}
	return &t
}
