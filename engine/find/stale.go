package find

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"ltm/engine/rank"
	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Stale returns the memories in sight whose files have changed, the best first.
func (e *Engine) Stale(ctx context.Context, q api.StaleQuery) (api.StaleReport, error) {
	return e.StaleIn(ctx, q, AskHistory(maxRenamed))
}

func (e *Engine) StaleIn(ctx context.Context, q api.StaleQuery, h *History) (api.StaleReport, error) {
	report := api.StaleReport{Memories: []api.StaleMemory{}}
	var wanted []memory.ID
	for _, text := range q.IDs {
		id, err := memory.ParseID(text)
		if err != nil {
			return report, err
		}
		wanted = append(wanted, id)
	}
	err := e.Store.View(func(v *store.View) error {
		u, _, err := e.Usage(v)
		if err != nil {
			return err
		}
		active, err := v.Memories()
		if err != nil {
			return err
		}
		g, err := e.ModelFilter(v)
		if err != nil {
			return err
		}
		all := slices.DeleteFunc(rank.SortedMemories(active, u), func(r rank.Ranked) bool { return len(r.Refs) == 0 })
		n := len(all)
		all = slices.DeleteFunc(all, rank.ForeignIn(g))
		report.HeldBack = n - len(all)
		if wanted != nil {
			all = slices.DeleteFunc(all, func(r rank.Ranked) bool { return !slices.Contains(wanted, r.ID) })
		}
		tellStale(all, e.lookAtAll(ctx, v, all, wanted == nil, h), q.All, &report)
		marks := e.Origins(v, u.Settings)
		for i, m := range report.Memories {
			report.Memories[i].Foreign = marks.Foreign(m.ID, false)
		}
		return nil
	})
	return report, err
}

// tellStale adds the memories of which some reference is stale.
func tellStale(all []rank.Ranked, found [][]worktree.Verdict, fresh bool, report *api.StaleReport) {
	files := map[string]bool{}
	for i, r := range all {
		report.Checked++
		m := api.StaleMemory{ID: r.ID, Topic: r.Topic}
		isStale := false
		for j, v := range found[i] {
			files[r.Refs[j].Path] = true
			switch v.State {
			case "":
				report.Unchecked++
			case memory.RefFresh:
				if !fresh {
					continue
				}
			default:
				isStale = true
			}
			if v.State != "" || fresh {
				m.Refs = append(m.Refs, api.Ref{Ref: r.Refs[j], State: v.State, To: v.To})
			}
		}
		if isStale || fresh {
			report.Memories = append(report.Memories, m)
		}
	}
	report.Files = len(files)
}

// lookAtAll returns what became of the references of memories. It asks git's history for files that are
// gone, and for those that seem to have moved: another file may just have the same content.
func (e *Engine) lookAtAll(ctx context.Context, v *store.View, all []rank.Ranked, complete bool,
	h *History) [][]worktree.Verdict {
	out := make([][]worktree.Verdict, len(all))
	var refs []memory.Ref
	for i, r := range all {
		out[i] = make([]worktree.Verdict, len(r.Refs))
		refs = append(refs, r.Refs...)
	}
	if e.Files == nil || v.Own() {
		return out
	}
	l := worktree.Thorough()
	l.Time, l.All = rank.StaleTime, complete
	found := e.Files.Check(v, refs, l)
	e.FollowHistory(ctx, v, refs, found, h)
	for i, r := range all {
		copy(out[i], found)
		found = found[len(r.Refs):]
	}
	return out
}

// StaleStamp returns a number that changes when other memories are stale, or the same ones for other reasons; 0 means
// that none is. It looks at their files as far as it gets in 50 ms; of the rest it returns what was known before.
func (e *Engine) StaleStamp(context.Context) (sum uint64, err error) {
	err = e.Store.View(func(v *store.View) error {
		t := e.Staleness(v)
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
		for i, found := range t.Files.Check(v, refs, l) {
			if found.State != "" && found.State != memory.RefFresh {
				fmt.Fprintf(h, "%s %q %s %q\n", of[i], refs[i].String(), found.State, found.To)
				sum = h.Sum64()
			}
		}
		return nil
	})
	return sum, err
}

// watchLook bounds a look at the files of all memories by a process that follows them.
const watchLook = 50 * time.Millisecond

const (
	// maxTouched is how many commits an answer has of each stale file, and maxTold of how many files.
	maxTouched = 3
	maxTold    = 3
)

// TellCommits adds to the stale references of memories the newest commits that touched their files, as far as it
// gets: in a long history each file can take a second.
func (e *Engine) TellCommits(ctx context.Context, all []api.StaleMemory) {
	ctx, cancel := context.WithTimeout(ctx, rank.StaleTime)
	defer cancel()
	told := map[string][]api.RefCommit{}
	for i := range all {
		e.tellCommits(ctx, all[i].Refs, told)
	}
}

// tellCommits adds the newest commits to references that do not hold. It asks git, and keeps in told what it says. A
// model gets no subjects where the settings hold back what was not approved: anyone may have written them.
func (e *Engine) tellCommits(ctx context.Context, refs []api.Ref, told map[string][]api.RefCommit) {
	if e.Files == nil || e.Files.Git == nil || e.Hurried {
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
			bare := e.ToModel && e.Withholds(ctx)
			for _, c := range e.Files.Git.Touched(ctx, r.Path, maxTouched) {
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
