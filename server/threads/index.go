package threads

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"ltm/server/conversation"
	"ltm/server/conversation/recall"
	"ltm/server/provider"
	"ltm/text/secrets"
)

// indexes hold the search indexes of the subjects that were asked for lately. They are built from the storage when
// they are first needed, and follow it by its versions, so that what another server wrote is found, too.
type indexes struct {
	mu      sync.Mutex
	most    int64 // bytes
	held    int64
	entries map[Subject]*entry
	used    list.List // of *entry, the latest first
}

// entry is the index of one subject at one version. A search holds mu for reading.
type entry struct {
	who   Subject
	place *list.Element // guarded by indexes.mu, as is size
	size  int64

	mu        sync.RWMutex
	version   int64
	recall    *recall.Index
	claims    []Claim
	policies  []conversation.Claim // of claims, with periods that end where they expire
	known     *conversation.Known  // of policies
	claimAt   map[string]int       // the place of a claim by its id
	proposals []conversation.Proposal
	summaries map[string]dated
	latest    map[string][]dated // by thread, the oldest first
}

// dated is a summary with the time until which it covers what was said.
type dated struct {
	Summary
	until time.Time
}

// errMoved tells that a view is older than the index.
var errMoved = errors.New("the memory has moved on")

// of returns the entry of a subject, which counts as used.
func (x *indexes) of(who Subject) *entry {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := x.entries[who]
	if e == nil {
		e = &entry{who: who}
		e.place = x.used.PushFront(e)
		x.entries[who] = e
	}
	x.used.MoveToFront(e.place)
	return e
}

// holds reports whether there is an index of a subject, of whatever version.
func (x *indexes) holds(who Subject) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.entries[who] != nil
}

// drop forgets the index of a subject.
func (x *indexes) drop(who Subject) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e := x.entries[who]; e != nil {
		x.used.Remove(e.place)
		delete(x.entries, who)
		x.held -= e.size
	}
}

// resized notes the size of an entry and drops those that were not used for longest, until the rest fits. The
// entry itself stays: it is in use.
func (x *indexes) resized(e *entry, size int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.entries[e.who] != e {
		return // dropped meanwhile
	}
	x.held += size - e.size
	e.size = size
	for last := x.used.Back(); x.held > x.most && last != nil; last = x.used.Back() {
		old := last.Value.(*entry)
		if old == e {
			return
		}
		x.used.Remove(last)
		delete(x.entries, old.who)
		x.held -= old.size
	}
}

// at calls use with the index of a subject at a view's version, which no one changes meanwhile. If the index is of a
// later version than the view, it returns errMoved: ask again with a new view.
func (x *indexes) at(v View, who Subject, use func(*entry) error) error {
	version, err := v.Version()
	if err != nil {
		return err
	}
	e := x.of(who)
	for {
		e.mu.RLock()
		switch {
		case e.version == version && e.recall != nil:
			defer e.mu.RUnlock()
			return use(e)
		case e.version > version && version > 0:
			e.mu.RUnlock()
			return errMoved
		}
		e.mu.RUnlock()
		if err := x.refresh(v, e, version); err != nil {
			return err
		}
	}
}

// refresh brings an entry to a version.
func (x *indexes) refresh(v View, e *entry, version int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.recall != nil && e.version >= version && version > 0 {
		return nil // another request did it
	}
	if err := e.update(v, version); err != nil {
		e.recall, e.version = nil, 0 // half of an update is useless
		return fmt.Errorf("read the memory for its search index: %w", err)
	}
	x.resized(e, e.bytes())
	return nil
}

// many is the number of changed events from which reading all costs less than asking for each.
const many = 5000

// update makes the entry that of a view's version.
func (e *entry) update(v View, version int64) error {
	var refs []Ref
	known := false
	if e.recall != nil && e.version > 0 && version > 0 {
		var err error
		if refs, known, err = v.Changed(e.version); err != nil {
			return err
		}
	}
	changed := map[Kind]bool{}
	var events []string
	for _, r := range refs {
		changed[r.Kind] = true
		if r.Kind == KindEvent {
			events = append(events, r.ID)
		}
	}
	if !known || len(events) > many || e.recall.Worn() {
		e.recall = recall.New()
		changed = map[Kind]bool{KindSummary: true, KindClaim: true}
		if err := e.readEvents(v); err != nil {
			return err
		}
	} else if err := e.changeEvents(v, events); err != nil {
		return err
	}
	if changed[KindClaim] {
		if err := e.readClaims(v); err != nil {
			return err
		}
	}
	// the text of a summary may be gone with its events
	if changed[KindSummary] || changed[KindEvent] && len(e.summaries) > 0 {
		if err := e.readSummaries(v); err != nil {
			return err
		}
	}
	e.version = version
	return nil
}

// page is the number of events that are read at once; their texts are in memory meanwhile.
const page = 2000

func (e *entry) readEvents(v View) error {
	for {
		events, err := v.Events(EventQuery{After: e.recall.Last(), Limit: page})
		if err != nil {
			return err
		}
		for _, event := range events {
			e.recall.Put(said(event))
		}
		if len(events) < page {
			break
		}
	}
	if e.recall.Len() >= worthCompacting {
		e.recall.Compact()
	}
	return nil
}

// worthCompacting is the number of events from which an index takes much less memory after it was compacted.
const worthCompacting = 200

func said(e Event) recall.Said {
	return recall.Said{ID: e.ID, Thread: e.Thread, Seq: e.Seq, Agent: e.Agent,
		Text: conversation.Said(e.Text), At: e.Occurred}
}

// changeEvents adds the events with these ids that exist, and deletes the others.
func (e *entry) changeEvents(v View, ids []string) error {
	events, err := eventsOf(v, ids, nil)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, ok := events[id]; !ok {
			e.recall.Delete(id)
		}
	}
	for _, id := range slices.SortedFunc(slices.Values(ids), func(a, b string) int {
		return cmp.Compare(events[a].Seq, events[b].Seq)
	}) {
		if event, ok := events[id]; ok {
			e.recall.Put(said(event))
		}
	}
	return nil
}

// atOnce is the number of ids in a question, which databases limit.
const atOnce = 500

// eventsOf returns the events with these ids that exist and that a filter lets through.
func eventsOf(v View, ids []string, filter *Filter) (map[string]Event, error) {
	out := make(map[string]Event, len(ids))
	for part := range slices.Chunk(ids, atOnce) {
		events, err := v.Events(EventQuery{IDs: part, Filter: filter})
		if err != nil {
			return nil, err
		}
		for _, event := range events {
			out[event.ID] = event
		}
	}
	return out, nil
}

func (e *entry) readClaims(v View) error {
	claims, err := v.Claims(ClaimQuery{})
	if err != nil {
		return err
	}
	e.policies, e.claimAt = make([]conversation.Claim, len(claims)), make(map[string]int, len(claims))
	notes := make([]recall.Note, len(claims))
	for i, c := range claims {
		e.policies[i], e.claimAt[c.ID] = until(c), i
		notes[i] = recall.Note{ID: c.ID, Text: c.Text}
	}
	e.claims, e.known, e.proposals = claims, conversation.Know(e.policies), conversation.Proposals(e.policies)
	e.recall.SetNotes(recall.Claim, notes)
	return nil
}

// until returns a claim of the policies whose periods end when the claim expires.
func until(c Claim) conversation.Claim {
	p := c.Claim
	if c.ExpiresAt.IsZero() {
		return p
	}
	p.Valid = nil
	for _, period := range c.Valid {
		if !period.From.Before(c.ExpiresAt) {
			continue
		}
		if period.To.IsZero() || period.To.After(c.ExpiresAt) {
			period.To = c.ExpiresAt
		}
		p.Valid = append(p.Valid, period)
	}
	return p
}

func (e *entry) readSummaries(v View) error {
	all, err := v.Summaries("")
	if err != nil {
		return err
	}
	ends := make([]string, 0, len(all))
	for _, s := range all {
		if s.To != "" {
			ends = append(ends, s.To)
		}
	}
	events, err := eventsOf(v, ends, nil)
	if err != nil {
		return err
	}
	e.summaries, e.latest = make(map[string]dated, len(all)), map[string][]dated{}
	notes := make([]recall.Note, len(all))
	for i, s := range all {
		s.Written, _ = secrets.RedactTalk(s.Written) // a key has several lines
		d := dated{s, s.UpdatedAt}
		if end, ok := events[s.To]; ok {
			d.until = end.Occurred
		}
		e.summaries[s.ID] = d
		e.latest[s.Thread] = append(e.latest[s.Thread], d)
		notes[i] = recall.Note{ID: s.ID, Thread: s.Thread, Text: s.Shown(), At: d.until}
	}
	e.recall.SetNotes(recall.Summary, notes)
	return nil
}

// bytes estimates the memory that an entry uses.
func (e *entry) bytes() int64 {
	const perClaim, perSummary = 600, 3000
	size := e.recall.Size() + int64(len(e.claims))*perClaim + int64(len(e.summaries))*perSummary
	for _, c := range e.claims {
		size += int64(2 * len(c.Text))
	}
	return size
}

const (
	fillPage  = 512              // rows that are looked for at once
	fillEvery = time.Hour        // between passes: what failed as a job is made up for in the next
	fillWait  = 30 * time.Second // after a failure that does not say when to come back
)

// fill gives vectors to rows that have none of the model, until the context ends: after the model was changed to
// another, after an import, and after failures. It goes over all rows, waits, and begins again. It keeps no place: rows
// that have a vector are not found again, so that after a kill it goes on where it was.
//
// The vectors of other models stay until [Service.DropVectors]: while a new model is tried, the old one's are not lost.
// They are never compared with the new one's, and a row without one of the new model is found by its words.
func (s *Service) fill(ctx context.Context) {
	if s.o.Models.Embeddings == nil {
		return
	}
	for after := ""; ; {
		next, wait, err := s.fillPage(ctx, after)
		if err != nil && ctx.Err() == nil {
			s.o.Log.Warn("cannot embed rows that have no vector", "error", err)
		}
		if next == "" && err == nil {
			wait = fillEvery
		}
		if err == nil {
			after = next
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// fillPage embeds rows that have no vector of the model, from a place on, "" for the beginning, and returns the place
// to go on from, "" after the last row, and how long to wait before that. After an error, the same place may be tried
// again; rows that got their vectors keep them. Rows of an application that used up its tokens are left out, and so are
// texts that the model does not take.
func (s *Service) fillPage(ctx context.Context, after string) (next string, wait time.Duration, err error) {
	texts, next, err := s.o.Storage.WithoutVector(ctx, s.o.Models.Embeddings.Model(), after, fillPage)
	if err != nil {
		return "", fillWait, fmt.Errorf("look for rows without a vector: %w", err)
	}
	// Servers on one database are likely to be at the same page. In another order each, they meet seldom.
	rand.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	byApp := map[string][]wanted{}
	for _, text := range texts {
		byApp[text.Subject.App] = append(byApp[text.Subject.App], wanted{Text: text})
	}
	for app, rows := range byApp {
		wait, err := s.fillRows(ctx, app, rows)
		if err != nil {
			return "", wait, err
		}
	}
	return next, 0, nil
}

// fillRows embeds rows of an application, a batch at a time.
func (s *Service) fillRows(ctx context.Context, app string, rows []wanted) (wait time.Duration, err error) {
	for len(rows) > 0 && ctx.Err() == nil {
		var batch []wanted
		n := min(len(rows), EmbedBatch)
		for _, w := range rows[:n] { // another server, or a job, may have been faster
			why, err := s.lookUp(ctx, &w)
			if err != nil {
				return fillWait, err
			}
			if why == "" {
				batch = append(batch, w)
			}
		}
		rows = rows[n:]
		err := s.embedAll(ctx, app, batch)
		failure, known := errors.AsType[*provider.Error](err)
		switch {
		case known && failure.Kind == provider.UsedUp:
			return 0, nil
		case known:
			return max(failure.RetryAfter, fillWait), err
		case err != nil:
			return fillWait, err
		}
	}
	return 0, ctx.Err()
}

// DropVectors removes the vectors of a model that is no longer used, in steps, and returns how many. What was removed
// when the context ends stays removed.
func (s *Service) DropVectors(ctx context.Context, model string) (n int64, err error) {
	if m := s.o.Models.Embeddings; m != nil && m.Model() == model {
		return 0, Refuse(ErrInvalid, "vectors of %q are in use: configure another model first", model)
	}
	for {
		dropped, err := s.o.Storage.DropVectors(ctx, model, 1000)
		if n += dropped; err != nil || dropped == 0 {
			return n, err
		}
	}
}
