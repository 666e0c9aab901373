package engine

import (
	"context"
	"sync"
	"time"

	"ltm/memory"
	"ltm/priority"
)

// maxWaiting bounds the accesses that wait to be written.
const maxWaiting = 1000

// accesses are the accesses that wait to be written: how often memories were the
// first hit of a question, until the next change; and in a server the memories that
// were opened, until just after the answer. Neither waits for the disk. Those of a
// process that is killed are lost.
type accesses struct {
	mu     sync.Mutex
	found  map[memory.ID]int
	opened []opening
	soon   bool // a write is on its way

	writing sync.Mutex
}

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

// take returns what waits, and starts over.
func (a *accesses) take() (found map[memory.ID]int, opened []opening) {
	a.mu.Lock()
	defer a.mu.Unlock()
	found, opened = a.found, a.opened
	a.found, a.opened = nil, nil
	return found, opened
}

func (a *accesses) waiting() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.found)+len(a.opened) > 0
}

// countSoon counts an access of a memory beside the next request.
func (e *Engine) countSoon(id memory.ID, at time.Time) {
	a := &e.accesses
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.opened) < maxWaiting {
		a.opened = append(a.opened, opening{id, at})
	}
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

// CountAccesses writes the accesses that wait: what questions found first is half an
// access each. It is called when a process ends; before, every change does so. Nothing
// depends on it.
func (e *Engine) CountAccesses(ctx context.Context) {
	e.accesses.writing.Lock()
	defer e.accesses.writing.Unlock()
	if e.accesses.waiting() {
		_ = e.updateAside(ctx, func(*changing) error { return nil })
	}
}

// countAccesses adds the accesses that wait to what a change writes. The change does
// not fail for them.
func (e *Engine) countAccesses(tx *changing) {
	found, opened := e.accesses.take()
	if len(found)+len(opened) == 0 {
		return
	}
	u, _, err := usage(tx.View)
	if err != nil {
		return
	}
	memories, err := tx.MemoriesQuick()
	if err != nil {
		return
	}
	for id, n := range found {
		st := u.of(id)
		st.Use = u.settings.PriorityProfile.Access(st.Use, u.since(st), priority.FirstHit*float64(n))
		st.LastSession = u.sessions
		u.stats[id] = st
	}
	for _, o := range opened {
		if m, ok := memories.Find(o.id); ok {
			u.touch(m.Memory, o.at)
		}
	}
	tx.SetStats(u.stats)
}
