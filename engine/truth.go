package engine

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

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

	// lookTime bounds how long an answer waits for a look at files. A session's start has less, see
	// [worktree.Hurried].
	lookTime = 100 * time.Millisecond

	// statusLook is lookTime for the files of all memories.
	statusLook = time.Second

	// maxLooked is how many memories of a session's start are looked at: more are never named in one.
	maxLooked = 150

	// maxStale bounds how many files an answer names of each memory, and staleChars how much of a path.
	maxStale   = 3
	staleChars = 80
)

// truth tells which memories may not hold any more, in one view. A nil truth contains none.
type truth struct {
	files *worktree.Files
	view  *store.View
	left  time.Duration // for looks
	hurry bool
}

// truth returns what tells it in a view.
func (e *Engine) truth(v *store.View) *truth {
	if e.files == nil || v.Own() || !v.Exists() {
		return nil
	}
	t := &truth{files: e.files, view: v, left: lookTime, hurry: e.hurried}
	if e.hurried {
		t.left = worktree.Hurried().Time
	}
	return t
}

// check returns what became of the files of references.
func (t *truth) check(refs []memory.Ref) []worktree.Verdict {
	if t == nil || len(refs) == 0 {
		return make([]worktree.Verdict, len(refs))
	}
	l := worktree.Thorough()
	if t.hurry {
		l = worktree.Hurried()
	}
	l.Time = t.left
	begun := time.Now()
	found := t.files.Check(t.view, refs, l)
	t.left = max(0, t.left-time.Since(begun))
	return found
}

// stale returns why a memory may not hold any more, for an answer about several.
func (t *truth) stale(m memory.Memory) []string {
	if t == nil || len(m.Refs) == 0 {
		return nil
	}
	return staleWords(m.Refs, t.check(m.Refs))
}

// staleOf is stale for several memories at once. It has those that are stale.
func (t *truth) staleOf(all []*memory.Memory) map[memory.ID][]string {
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
			word = fileName(r.String()) + " changed"
		case memory.RefMoved:
			word = fileName(r.Path) + " moved to " + fileName(found[i].To)
		case memory.RefGone:
			word = fileName(r.Path) + " is gone"
		}
		if word != "" && len(words) < maxStale && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// fileName returns a path for an answer. Anyone may have written it: one that could be read as a sentence
// is quoted.
func fileName(name string) string {
	clipped := safe.ClipLine(name, staleChars)
	if strings.Trim(clipped, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:#@+") == "" {
		return clipped
	}
	return memory.Quote(clipped, staleChars)
}

// freshFirst sorts places by priority, with the stale ones after fresh ones that have as much or little less, and
// returns which are stale. It looks at the first places, and at the critical ones. It does not look at files of
// memories that a guard holds back.
func (u use) freshFirst(all []place, g guard) ([]place, map[memory.ID][]string) {
	var looked []*memory.Memory
	var orders []*order
	for i := range all {
		p := &all[i]
		wanted := i < maxLooked || p.Importance() == memory.Critical
		if len(p.Refs) > 0 && len(looked) < 2*maxLooked && wanted && !g.hides(*p.Memory) {
			looked, orders = append(looked, p.Memory), append(orders, &p.order)
		}
	}
	stale := u.truth.lower(looked, orders)
	if len(stale) > 0 {
		all = u.inOrder(all)
	}
	return all, stale
}

// lower gives the stale ones of memories a lower rank, and returns which they are.
func (t *truth) lower(all []*memory.Memory, orders []*order) map[memory.ID][]string {
	stale := t.staleOf(all)
	for i, m := range all {
		if stale[m.ID] != nil {
			orders[i].rank = orders[i].score - staleMargin
		}
	}
	return stale
}

// lowerRanked is lower for the first of a listing by priority.
func (t *truth) lowerRanked(all []ranked, first int) {
	looked, orders := []*memory.Memory{}, []*order{}
	for i := range min(len(all), first+maxLooked) {
		looked, orders = append(looked, &all[i].Memory), append(orders, &all[i].order)
	}
	t.lower(looked, orders)
}

// refsOf returns the references of a memory, with what became of each.
func (t *truth) refsOf(m memory.Memory) []api.Ref {
	var out []api.Ref
	for i, v := range t.check(m.Refs) {
		out = append(out, api.Ref{Ref: m.Refs[i], State: v.State, To: v.To})
	}
	return out
}

// watchLook bounds a look at the files of all memories by a process that follows them.
const watchLook = 50 * time.Millisecond

// StaleStamp returns a number that changes when other memories are stale, or the same ones for other reasons; 0 means
// that none is. It looks at their files as far as it gets in 50 ms; of the rest it returns what was known before.
func (e *Engine) StaleStamp(context.Context) (sum uint64, err error) {
	err = e.store.View(func(v *store.View) error {
		t := e.truth(v)
		if t == nil {
			return nil
		}
		active, err := v.Memories()
		if err != nil {
			return err
		}
		var refs []memory.Ref
		var of []memory.ID
		for _, r := range active.Records {
			for _, ref := range r.Refs {
				refs, of = append(refs, ref), append(of, r.ID)
			}
		}
		l := worktree.Thorough()
		l.Time, l.Hook = watchLook, true // so that it leaves writing to others if there was no time
		h := fnv.New64a()
		for i, found := range t.files.Check(v, refs, l) {
			if found.State != "" && found.State != memory.RefFresh {
				fmt.Fprintf(h, "%s %q %s %q\n", of[i], refs[i].String(), found.State, found.To)
				sum = h.Sum64()
			}
		}
		return nil
	})
	return sum, err
}

const (
	// maxTouched is how many commits an answer has of each stale file, and maxTold of how many files.
	maxTouched = 3
	maxTold    = 3
)

// TellCommits adds to the stale references of memories the newest commits that touched their files, as far as it
// gets: in a long history each file can take a second.
func (e *Engine) TellCommits(ctx context.Context, all []api.StaleMemory) {
	ctx, cancel := context.WithTimeout(ctx, staleTime)
	defer cancel()
	told := map[string][]api.RefCommit{}
	for i := range all {
		e.tellCommits(ctx, all[i].Refs, told)
	}
}

// tellCommits adds the newest commits to references that do not hold. It asks git, and keeps in told what it says. A
// model gets no subjects where the settings hold back what was not approved: anyone may have written them.
func (e *Engine) tellCommits(ctx context.Context, refs []api.Ref, told map[string][]api.RefCommit) {
	if e.files == nil || e.files.Git == nil || e.hurried {
		return
	}
	asked := 0
	for i, r := range refs {
		if r.State == "" || r.State == memory.RefFresh {
			continue
		}
		commits, known := told[r.Path]
		if !known && asked < maxTold && ctx.Err() == nil {
			asked++
			bare := e.guarded && e.Withholds(ctx)
			for _, c := range e.files.Git.Touched(ctx, r.Path, maxTouched) {
				commit := api.RefCommit{Hash: c.Hash, At: c.At, Subject: c.Subject}
				if bare {
					commit.Subject = ""
				}
				commits = append(commits, commit)
			}
			told[r.Path] = commits
		}
		refs[i].Commits = commits
	}
}
