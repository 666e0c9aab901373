package rank

import (
	"context"
	"slices"
	"sync"
	"time"

	"ltm/engine/base"
	"ltm/memory"
	"ltm/priority"
	"ltm/store"
)

// maxWaiting bounds the accesses that are not written yet.
const maxWaiting = 1000

// Accesses buffers accesses in memory, so that no answer waits for the disk. First hits of
// questions are written with the next change. In a server, opened memories are written just after
// the answer. A process that is killed loses what it has buffered.
type Accesses struct {
	mu sync.Mutex
	buffered
	soon bool // a write is on its way

	writing sync.Mutex
}

type buffered struct {
	found  map[memory.ID]int
	opened []opening
	taught []lesson
	shown  []memory.ID // to the running session
}

func (b *buffered) isEmpty() bool { return len(b.found)+len(b.opened)+len(b.taught)+len(b.shown) == 0 }

// opening is when a memory was opened.
type opening struct {
	id memory.ID
	at time.Time
}

func (a *Accesses) Add(id memory.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found == nil {
		a.found = map[memory.ID]int{}
	}
	if len(a.found) < maxWaiting {
		a.found[id]++
	}
}

func (a *Accesses) teach(l lesson) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.taught) < maxWaiting {
		a.taught = append(a.taught, l)
	}
}

func (a *Accesses) take() buffered {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.buffered
	a.buffered = buffered{}
	return all
}

func (a *Accesses) waiting() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.isEmpty()
}

// Show notes that the running session has opened memories, unless a person has. It is written with the next change.
func (e *Engine) Show(ids ...memory.ID) {
	if !e.ToModel || e.Outside || e.IsOwn() || !e.Exists() {
		return
	}
	a := &e.Accesses
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shown = append(a.shown, ids...)
	a.shown = a.shown[max(0, len(a.shown)-maxShown):]
}

func (e *Engine) CountSoon(id memory.ID, at time.Time) {
	a := &e.Accesses
	a.mu.Lock()
	if len(a.opened) < maxWaiting {
		a.opened = append(a.opened, opening{id, at})
	}
	a.mu.Unlock()
	e.WriteSoon()
}

func (e *Engine) WriteSoon() {
	a := &e.Accesses
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.soon {
		return
	}
	a.soon = true
	go func() {
		a.mu.Lock()
		a.soon = false
		a.mu.Unlock()
		e.CountAccesses(context.Background())
	}()
}

// CountAccesses writes the buffered accesses. Being the first hit of a question counts as half an access. Every change
// writes them too, so callers need it only when a process ends. It is best effort.
func (e *Engine) CountAccesses(ctx context.Context) {
	e.Accesses.writing.Lock()
	defer e.Accesses.writing.Unlock()
	if e.Accesses.waiting() || e.Learned.Waiting() {
		_ = e.ChangeAside(ctx, func(*base.Tx) error { return nil })
	}
}

// countAccesses adds the buffered accesses to a change. If they cannot be counted, the change still succeeds.
func (e *Engine) countAccesses(tx *base.Tx) {
	all := e.Accesses.take()
	if all.isEmpty() {
		return
	}
	u, state, err := UsageOf(tx.View)
	if err != nil {
		return
	}
	if s := e.Sessions.Find(state, ""); s != nil && len(all.shown) > 0 {
		MarkShown(s, all.shown...)
		tx.SetState(state)
	}
	memories, err := tx.MemoriesQuick()
	if err != nil {
		return
	}
	for id, n := range all.found {
		st := u.Of(id)
		st.Use = u.Settings.PriorityProfile.Access(st.Use, u.Since(st), priority.FirstHit*float64(n))
		st.FirstHits += n
		st.LastSession = u.Sessions
		u.Stats[id] = st
	}
	for _, o := range all.opened {
		if m, ok := memories.Find(o.id); ok {
			u.Touch(*m.Memory, o.at)
		}
	}
	if u.Settings.LearnAliases {
		e.learnAliases(tx, u, all.taught)
	}
	tx.SetStats(u.Stats)
}

// learnAliases adds learned aliases to memories. Those from elsewhere learn none: a session opens one to see what came
// with the repository, which does not show that it answers anything.
func (e *Engine) learnAliases(tx *base.Tx, u Usage, taught []lesson) {
	if len(taught) == 0 {
		return
	}
	g, err := e.Filter(tx.View, u.Settings)
	if err != nil {
		return
	}
	for _, l := range taught {
		file, err := base.ReadActive(tx.View, l.id)
		if err == nil && !g.Foreign(l.id, file.Bytes()) && l.holdsFor(file.Memory) {
			u.Stats[l.id] = u.Of(l.id).WithQuestions(withLearned(file.Memory, u.Stats[l.id].Questions(), l.text))
		}
	}
}

// MarkShown notes that a session's context has the text of memories, or what a prompt brought up of them. The last
// ones count.
func MarkShown(s *store.Session, ids ...memory.ID) {
	for _, id := range ids {
		if !slices.Contains(s.Shown, id) {
			s.Shown = append(s.Shown, id)
		}
	}
	s.Shown = s.Shown[max(0, len(s.Shown)-maxShown):]
}

const (
	// PromptSnippet bounds the passage of one entry, in characters.
	PromptSnippet = 160

	// PromptReads bounds the files that are read because the cache lacks them. With more to read,
	// the prompt gets no memories until the server has updated the cache.
	PromptReads = 200

	// PromptLook bounds the time that a prompt waits for files of memories, and then of archives, that no cache knows.
	// After it, the prompt gets no memories; the next one goes on from what was read.
	PromptLook = 300 * time.Millisecond

	// maxShown bounds the ids that a session's record keeps.
	maxShown = 200
)
