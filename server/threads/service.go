package threads

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"ltm/server/provider"
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
	Extract(ctx context.Context, app string, events []provider.Event, buckets []string) (provider.Extraction, error)
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

	IndexBytes int64 // memory for the search indexes of subjects that were asked for lately. Default: 512 MiB
	Workers    int   // that do jobs. Default: 2
}

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
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.IndexBytes <= 0 {
		o.IndexBytes = 512 << 20 // a thousand users of a thousand events take 400
	}
	if o.Workers <= 0 {
		o.Workers = 2
	}
	return &Service{o: o, wakeRules: make(chan struct{}, 1), wakeModels: make(chan struct{}, 1),
		indexes: &indexes{most: o.IndexBytes, entries: map[Subject]*entry{}}}, nil
}

// now returns the time as storages keep it: in UTC, to the microsecond.
func (s *Service) now() time.Time { return s.o.Now().UTC().Truncate(time.Microsecond) }
