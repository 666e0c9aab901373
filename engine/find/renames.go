package find

import (
	"context"
	"errors"
	"time"

	"ltm/engine/rank"
	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/store"
)

// maxRenamed bounds for how many files git's history is asked where nothing is lost without an answer.
const maxRenamed = 20

// ErrOutdated says that a file has changed since its new references were made.
var ErrOutdated = errors.New("the file has changed meanwhile")

// History is what git's history tells of missing files. All memories of an answer or a change share one, and its time:
// many of them may name the same files.
type History struct {
	until time.Time
	most  int
	names map[string]string // by path; empty: git knows no other name
}

func AskHistory(most int) *History {
	return &History{until: time.Now().Add(rank.StaleTime), most: most, names: map[string]string{}}
}

// Knows reports whether git was asked for a file, and had the time to answer.
func (h *History) Knows(path string) bool {
	_, known := h.names[path]
	return known
}

// FollowHistory puts the names that git's history gave missing files into what was found of them.
func (e *Engine) FollowHistory(ctx context.Context, v *store.View, refs []memory.Ref, found []worktree.Verdict,
	h *History) {
	ctx, cancel := context.WithDeadline(ctx, h.until)
	defer cancel()
	for _, state := range []memory.RefState{memory.RefGone, memory.RefMoved} {
		for i, r := range refs {
			if found[i].State != state {
				continue
			}
			to, known := h.names[r.Path]
			if !known && len(h.names) < h.most && ctx.Err() == nil {
				if to, _ = e.Files.Renamed(ctx, v, r); to != "" || ctx.Err() == nil {
					h.names[r.Path] = to
				}
			}
			if to != "" && to != found[i].To {
				e.Files.Follow(v, r, to)
				found[i] = worktree.Verdict{State: memory.RefMoved, To: to}
			}
		}
	}
}
