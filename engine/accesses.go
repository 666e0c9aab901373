package engine

import (
	"context"
	"sync"
	"time"

	"ltm/memory"
	"ltm/priority"
)

// maxWaiting bounds the accesses that are not written yet.
const maxWaiting = 1000

// accesses buffers accesses in memory, so that no answer waits for the disk. First hits of
// questions are written with the next change. In a server, opened memories are written just after
// the answer. A process that is killed loses what it has buffered.
type accesses struct {
	mu sync.Mutex
	buffered
	soon bool // a write is on its way

	writing sync.Mutex
}

// buffered is what waits to be written.
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

func (a *accesses) add(id memory.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found == nil {
		a.found = map[memory.ID]int{}
	}
	if len(a.found) < maxWaiting {
		a.found[id]++
	}
}

// teach adds what is learned of a memory.
func (a *accesses) teach(l lesson) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.taught) < maxWaiting {
		a.taught = append(a.taught, l)
	}
}

// take returns what is buffered and empties the buffer.
func (a *accesses) take() buffered {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.buffered
	a.buffered = buffered{}
	return all
}

func (a *accesses) waiting() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.isEmpty()
}

// show notes that the running session has opened memories, unless a person has. It is written with the
// next change.
func (e *Engine) show(ids ...memory.ID) {
	if !e.guarded || e.outside || e.isOwn() || !e.Exists() {
		return
	}
	a := &e.accesses
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shown = append(a.shown, ids...)
	a.shown = a.shown[max(0, len(a.shown)-maxShown):]
}

// countSoon counts an access of a memory in the background.
func (e *Engine) countSoon(id memory.ID, at time.Time) {
	a := &e.accesses
	a.mu.Lock()
	if len(a.opened) < maxWaiting {
		a.opened = append(a.opened, opening{id, at})
	}
	a.mu.Unlock()
	e.writeSoon()
}

// writeSoon writes the buffer in the background.
func (e *Engine) writeSoon() {
	a := &e.accesses
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

// CountAccesses writes the buffered accesses. Being the first hit of a question counts as half an
// access. Every change writes them too, so callers need it only when a process ends. It is best
// effort.
func (e *Engine) CountAccesses(ctx context.Context) {
	e.accesses.writing.Lock()
	defer e.accesses.writing.Unlock()
	if e.accesses.waiting() || e.learned.waiting() {
		_ = e.updateAside(ctx, func(*changing) error { return nil })
	}
}

// countAccesses adds the buffered accesses to a change. If they cannot be counted, the change
// still succeeds.
func (e *Engine) countAccesses(tx *changing) {
	all := e.accesses.take()
	if all.isEmpty() {
		return
	}
	u, state, err := usage(tx.View)
	if err != nil {
		return
	}
	if s := e.sessions.Find(state, ""); s != nil && len(all.shown) > 0 {
		markShown(s, all.shown...)
		tx.SetState(state)
	}
	memories, err := tx.MemoriesQuick()
	if err != nil {
		return
	}
	for id, n := range all.found {
		st := u.of(id)
		st.Use = u.settings.PriorityProfile.Access(st.Use, u.since(st), priority.FirstHit*float64(n))
		st.FirstHits += n
		st.LastSession = u.sessions
		u.stats[id] = st
	}
	for _, o := range all.opened {
		if m, ok := memories.Find(o.id); ok {
			u.touch(*m.Memory, o.at)
		}
	}
	if u.settings.LearnAliases {
		e.learnAliases(tx, u, all.taught)
	}
	tx.SetStats(u.stats)
}

// learnAliases adds learned aliases to memories. Those from elsewhere learn none: a session opens one to see what came
// with the repository, which does not show that it answers anything.
func (e *Engine) learnAliases(tx *changing, u use, taught []lesson) {
	if len(taught) == 0 {
		return
	}
	g, err := e.guardOf(tx.View, u.settings)
	if err != nil {
		return
	}
	for _, l := range taught {
		file, err := readActive(tx.View, l.id)
		if err == nil && !g.foreign(l.id, file.Bytes()) && l.holdsFor(file.Memory) {
			u.stats[l.id] = u.of(l.id).WithQuestions(withLearned(file.Memory, u.stats[l.id].Questions(), l.text))
		}
	}
}
