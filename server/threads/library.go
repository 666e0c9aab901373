package threads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
	"ltm/server/conversation/recall"
	"ltm/text/secrets"
)

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
