package engine

import (
	"context"
	"errors"
	"time"

	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/store"
)

// maxRenamed bounds for how many files git's history is asked where nothing is lost without an answer.
const maxRenamed = 20

// errOutdated says that a file has changed since its new references were made.
var errOutdated = errors.New("the file has changed meanwhile")

// history is what git's history tells of missing files. All memories of an answer or a change share one, and its time:
// many of them may name the same files.
type history struct {
	until time.Time
	most  int
	names map[string]string // by path; empty: git knows no other name
}

func askHistory(most int) *history {
	return &history{until: time.Now().Add(staleTime), most: most, names: map[string]string{}}
}

// knows reports whether git was asked for a file, and had the time to answer.
func (h *history) knows(path string) bool {
	_, known := h.names[path]
	return known
}

// followHistory puts the names that git's history gave missing files into what was found of them.
func (e *Engine) followHistory(ctx context.Context, v *store.View, refs []memory.Ref, found []worktree.Verdict,
	h *history) {
	ctx, cancel := context.WithDeadline(ctx, h.until)
	defer cancel()
	for _, state := range []memory.RefState{memory.RefGone, memory.RefMoved} {
		for i, r := range refs {
			if found[i].State != state {
				continue
			}
			to, known := h.names[r.Path]
			if !known && len(h.names) < h.most && ctx.Err() == nil {
				if to, _ = e.files.Renamed(ctx, v, r); to != "" || ctx.Err() == nil {
					h.names[r.Path] = to
				}
			}
			if to != "" && to != found[i].To {
				e.files.Follow(v, r, to)
				found[i] = worktree.Verdict{State: memory.RefMoved, To: to}
			}
		}
	}
}
