package engine

import (
	"context"
	"sync"

	"ltm/memory"
	"ltm/priority"
	"ltm/store"
)

// maxFirstHits bounds the memories whose hits wait to be written.
const maxFirstHits = 1000

// firstHits counts how often memories were the first hit of a question, until the
// next change is written: a question does not wait for the disk. Those of a process
// that is killed are lost.
type firstHits struct {
	mu     sync.Mutex
	counts map[memory.ID]int
}

func (h *firstHits) add(id memory.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts == nil {
		h.counts = map[memory.ID]int{}
	}
	if len(h.counts) < maxFirstHits {
		h.counts[id]++
	}
}

// take returns the counts so far, and starts over.
func (h *firstHits) take() map[memory.ID]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts := h.counts
	h.counts = nil
	return counts
}

// CountHits writes what questions found first as half an access each. It is called
// when a process ends; before, every change does so. Nothing depends on it.
func (e *Engine) CountHits(ctx context.Context) {
	e.hits.mu.Lock()
	waiting := len(e.hits.counts) > 0
	e.hits.mu.Unlock()
	if waiting {
		_ = e.updateAside(ctx, func(*store.Tx) error { return nil })
	}
}

// countHits adds the hits that wait to what a change writes. The change does not fail
// for them.
func (e *Engine) countHits(tx *store.Tx) {
	counts := e.hits.take()
	if len(counts) == 0 {
		return
	}
	stats, err := tolerate(tx.Stats())
	if err != nil {
		return
	}
	state, err := tolerate(tx.State())
	if err != nil {
		return
	}
	u := use{stats, state.SessionCount, settingsOf(&tx.View, state)}
	for id, n := range counts {
		st := u.of(id)
		st.Use = u.settings.PriorityProfile.Access(st.Use, u.since(st), priority.FirstHit*float64(n))
		st.LastSession = u.sessions
		stats[id] = st
	}
	tx.SetStats(stats)
}
