package rank

import (
	"slices"
	"strings"
	"time"

	"ltm/engine/trust"
	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/safe"
)

// A memory names the files that it refers to. It may no longer hold once they have changed: then it is marked, and
// comes after others of about the same priority.

const (
	// staleMargin is how much less priority a fresh memory can have and still comes before a stale one.
	staleMargin = 0.05

	// lookTime bounds how long an answer waits for a look at files. A session's start has less, see [worktree.Hurried].
	lookTime = 100 * time.Millisecond

	// StatusLook is lookTime for the files of all memories.
	StatusLook = time.Second

	// maxLooked is how many memories of a session's start are looked at: more are never named in one.
	maxLooked = 150

	// MaxStale bounds how many files an answer names of each memory, and staleChars how much of a path.
	MaxStale   = 3
	staleChars = 80
)

// Staleness tells which memories may not hold any more, in one view. A nil one contains none.
type Staleness struct {
	Files *worktree.Files
	view  *store.View
	Left  time.Duration // for looks
	hurry bool
}

// Staleness returns what tells it in a view.
func (e *Engine) Staleness(v *store.View) *Staleness {
	if e.Files == nil || v.Own() || !v.Exists() {
		return nil
	}
	t := &Staleness{Files: e.Files, view: v, Left: lookTime, hurry: e.Hurried}
	if e.Hurried {
		t.Left = worktree.Hurried().Time
	}
	return t
}

func (t *Staleness) check(refs []memory.Ref) []worktree.Verdict {
	if t == nil || len(refs) == 0 {
		return make([]worktree.Verdict, len(refs))
	}
	l := worktree.Thorough()
	if t.hurry {
		l = worktree.Hurried()
	}
	l.Time = t.Left
	begun := time.Now()
	found := t.Files.Check(t.view, refs, l)
	t.Left = max(0, t.Left-time.Since(begun))
	return found
}

// stale returns why a memory may not hold any more, for an answer about several.
func (t *Staleness) stale(m memory.Memory) []string {
	if t == nil || len(m.Refs) == 0 {
		return nil
	}
	return staleWords(m.Refs, t.check(m.Refs))
}

// StaleOf is stale for several memories at once. It has those that are stale.
func (t *Staleness) StaleOf(all []*memory.Memory) map[memory.ID][]string {
	if t == nil {
		return nil
	}
	n := 0
	for _, m := range all {
		n += len(m.Refs)
	}
	refs := make([]memory.Ref, 0, n)
	for _, m := range all {
		refs = append(refs, m.Refs...)
	}
	if len(refs) == 0 {
		return nil
	}
	found := t.check(refs)
	var out map[memory.ID][]string
	for _, m := range all {
		n := len(m.Refs)
		if words := staleWords(refs[:n], found[:n]); words != nil {
			if out == nil {
				out = map[memory.ID][]string{}
			}
			out[m.ID] = words
		}
		refs, found = refs[n:], found[n:]
	}
	return out
}

// staleWords says in a few words what became of the first stale references.
func staleWords(refs []memory.Ref, found []worktree.Verdict) []string {
	var words []string
	for i, r := range refs {
		word := ""
		switch found[i].State {
		case memory.RefChanged:
			word = FileName(r.String()) + " changed"
		case memory.RefMoved:
			word = FileName(r.Path) + " moved to " + FileName(found[i].To)
		case memory.RefGone:
			word = FileName(r.Path) + " is gone"
		}
		if word != "" && len(words) < MaxStale && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// FileName returns a path for an answer. Anyone may have written it: one that could be read as a sentence is quoted.
func FileName(name string) string {
	clipped := safe.ClipLine(name, staleChars)
	if strings.Trim(clipped, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:#@+") == "" {
		return clipped
	}
	return memory.Quote(clipped, staleChars)
}

// FreshFirst sorts places by priority, with the stale ones after fresh ones that have as much or little less, and
// returns which are stale. It looks at the first places, and at the critical ones. It does not look at files of
// memories that a filter holds back.
func (u Usage) FreshFirst(all []Place, g trust.Filter) ([]Place, map[memory.ID][]string) {
	var looked []*memory.Memory
	var orders []*order
	for i := range all {
		p := &all[i]
		wanted := i < maxLooked || p.Importance() == memory.Critical
		if len(p.Refs) > 0 && len(looked) < 2*maxLooked && wanted && !g.Hides(*p.Memory) {
			looked, orders = append(looked, p.Memory), append(orders, &p.order)
		}
	}
	stale := u.Staleness.lower(looked, orders)
	if len(stale) > 0 {
		all = u.inOrder(all)
	}
	return all, stale
}

// lower gives the stale ones of memories a lower rank, and returns which they are.
func (t *Staleness) lower(all []*memory.Memory, orders []*order) map[memory.ID][]string {
	stale := t.StaleOf(all)
	for i, m := range all {
		if stale[m.ID] != nil {
			orders[i].rank = orders[i].Score - staleMargin
		}
	}
	return stale
}

// LowerRanked is lower for the first of a listing by priority.
func (t *Staleness) LowerRanked(all []Ranked, first int) {
	looked, orders := []*memory.Memory{}, []*order{}
	for i := range min(len(all), first+maxLooked) {
		looked, orders = append(looked, &all[i].Memory), append(orders, &all[i].order)
	}
	t.lower(looked, orders)
}

// RefsOf returns the references of a memory, with what became of each.
func (t *Staleness) RefsOf(m memory.Memory) []api.Ref {
	var out []api.Ref
	for i, v := range t.check(m.Refs) {
		out = append(out, api.Ref{Ref: m.Refs[i], State: v.State, To: v.To})
	}
	return out
}

const (
	// StaleTime bounds a look at the files of all memories that someone waits for, and each round of questions to
	// git about them.
	StaleTime = 10 * time.Second

	// EndLook bounds the look at a session's end.
	EndLook = 300 * time.Millisecond
)
