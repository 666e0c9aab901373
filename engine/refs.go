package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ltm/engine/worktree"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// givenRefs parses references that a caller gave.
func givenRefs(given []string) ([]memory.Ref, error) {
	var all []memory.Ref
	for _, text := range given {
		r, err := memory.ParseRef(text)
		if err != nil {
			return nil, err
		}
		if err := refuse(memory.KindTextSecret, "ref", text); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return memory.NormalizeRefs(all)
}

// takeRefs returns references as their files are now: those that were given, and what a text names. The
// note names the given ones whose files do not exist, or are ignored by git.
func (e *Engine) takeRefs(ctx context.Context, given []memory.Ref, text string) ([]memory.Ref, memory.Note) {
	if e.files == nil {
		return nil, e.untakenNote(given, nil)
	}
	all := slices.Clone(given)
	if text != "" {
		all = append(all, e.files.Find(text)...)
	}
	taken := e.files.Take(ctx, all)
	return taken, e.untakenNote(given, taken)
}

// untakenNote names the given references that were not taken.
func (e *Engine) untakenNote(given, taken []memory.Ref) memory.Note {
	var names []string
	for _, g := range given {
		if !slices.ContainsFunc(taken, func(r memory.Ref) bool { return e.isAt(r, g) }) {
			names = append(names, fileName(g.String()))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return memory.Advise(memory.KindRefUntaken, "", "not noted as "+plural.Of(len(names), "ref", "refs")+": "+
		strings.Join(names[:min(len(names), maxStale)], ", "))
}

// isAt reports whether a reference is to the file that another one names, at the top or below the project's
// own directory.
func (e *Engine) isAt(r, named memory.Ref) bool {
	below := e.files.Place().Below
	return e.files.Same(r.Path, named.Path) || below != "" && e.files.Same(r.Path, below+"/"+named.Path)
}

// textOf returns the texts of a memory in which files are looked for.
func textOf(m memory.Memory) string { return m.Topic + "\n" + m.Content }

// renewed is what an update makes of a memory's references.
type renewed struct {
	file []byte // that it was made for
	refs []memory.Ref
	note memory.Note
}

// renew returns the references that a memory has after an update, or nil if they stay. It looks at the
// work tree and asks git, so it is called before the store is locked.
func (e *Engine) renew(ctx context.Context, id memory.ID, p api.Patch, h *history) (*renewed, error) {
	if p.Refs == nil && !p.Verified && p.Content == nil && p.Append == nil && p.Topic == nil {
		return nil, nil
	}
	var given []memory.Ref
	if p.Refs != nil {
		var err error
		if given, err = givenRefs(*p.Refs); err != nil {
			return nil, err
		}
	}
	if e.files == nil && p.Refs == nil {
		return nil, nil
	}
	var r *renewed
	err := e.store.View(func(v *store.View) error {
		file, err := readActive(v, id)
		if err != nil {
			return nil //nolint:nilerr // the update reports it
		}
		r = e.renewIn(ctx, v, file, given, p, h)
		return nil
	})
	return r, err
}

func (e *Engine) renewIn(ctx context.Context, v *store.View, file *memfile.File, given []memory.Ref,
	p api.Patch, h *history) *renewed {
	r := &renewed{file: file.Bytes()}
	if p.Refs != nil {
		r.refs, r.note = e.takeRefs(ctx, given, "")
		return r
	}
	m := file.Memory
	if p.Content == nil && p.Append == nil && p.Topic == nil {
		r.refs, r.note = e.verified(ctx, v, m.Refs, p.Follow, h)
		return r
	}
	after, err := patched(m, api.Patch{Topic: p.Topic, Content: p.Content, Append: p.Append})
	if err != nil {
		return nil // as the update reports
	}
	found, _ := e.takeRefs(ctx, nil, textOf(after))
	names := func(all []memory.Ref, r memory.Ref) bool {
		return slices.ContainsFunc(all, func(n memory.Ref) bool { return e.isAt(r, n) })
	}
	named, still := e.files.Find(textOf(m)), e.files.Find(textOf(after))
	byHand := slices.DeleteFunc(slices.Clone(m.Refs), func(r memory.Ref) bool {
		isTaken := slices.ContainsFunc(found, func(f memory.Ref) bool { return e.files.Same(f.Path, r.Path) })
		return names(named, r) && (isTaken || !names(still, r)) // one still named may not be checked out
	})
	kept, _ := e.verified(ctx, v, byHand, p.Follow, h)
	all := append(kept, found...)
	if all, err = memory.NormalizeRefs(all[:min(len(all), memory.MaxRefs)]); err == nil {
		r.refs = all
	}
	return r
}

// verified returns references as their files are now, and names those that are left out. It asks git's history
// first: a file that is gone may have another name. One of which there was no time to ask stays.
func (e *Engine) verified(ctx context.Context, v *store.View, refs []memory.Ref, follow bool,
	h *history) (kept []memory.Ref, note memory.Note) {
	found := e.files.Check(v, refs, worktree.Thorough())
	e.followHistory(ctx, v, refs, found, h)
	var gone []string
	var unasked []memory.Ref
	for i, r := range refs {
		switch {
		case found[i].State != memory.RefGone:
		case h.knows(r.Path):
			gone = append(gone, fileName(r.Path))
		default:
			unasked = append(unasked, r)
		}
	}
	kept = e.files.Verify(ctx, v, refs, follow)
	for _, r := range unasked {
		if !slices.ContainsFunc(kept, r.Same) {
			kept = append(kept, r)
		}
	}
	return kept, goneNote(gone)
}

// goneNote names files that a memory does not refer to any more.
func goneNote(gone []string) memory.Note {
	if len(gone) == 0 {
		return nil
	}
	slices.Sort(gone)
	return memory.Say("no longer refers to what is gone: " + strings.Join(slices.Compact(gone), ", "))
}

// apply gives a memory its new references. It fails with errOutdated if the file has changed since they were made:
// git, which may take long, is not asked while others wait for the lock.
func (r *renewed) apply(file *memfile.File, m *memory.Memory) (memory.Note, error) {
	if r == nil {
		return nil, nil
	}
	if !slices.Equal(r.file, file.Bytes()) {
		return nil, errOutdated
	}
	m.Refs, m.OddRefs = r.refs, false
	return r.note, nil
}

const (
	// staleTime bounds a look at the files of all memories that someone waits for, and each round of questions to
	// git about them.
	staleTime = 10 * time.Second

	// endLook bounds the look at a session's end.
	endLook = 300 * time.Millisecond
)

// Stale returns the memories in sight whose files have changed, the best first.
func (e *Engine) Stale(ctx context.Context, q api.StaleQuery) (api.StaleReport, error) {
	return e.stale(ctx, q, askHistory(maxRenamed))
}

func (e *Engine) stale(ctx context.Context, q api.StaleQuery, h *history) (api.StaleReport, error) {
	report := api.StaleReport{Memories: []api.StaleMemory{}}
	var wanted []memory.ID
	for _, text := range q.IDs {
		id, err := memory.ParseID(text)
		if err != nil {
			return report, err
		}
		wanted = append(wanted, id)
	}
	err := e.store.View(func(v *store.View) error {
		u, _, err := e.usage(v)
		if err != nil {
			return err
		}
		active, err := v.Memories()
		if err != nil {
			return err
		}
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		all := slices.DeleteFunc(rank(active, u), func(r ranked) bool { return len(r.Refs) == 0 })
		n := len(all)
		all = slices.DeleteFunc(all, g.lookRanked)
		report.HeldBack = n - len(all)
		if wanted != nil {
			all = slices.DeleteFunc(all, func(r ranked) bool { return !slices.Contains(wanted, r.ID) })
		}
		tellStale(all, e.lookAtAll(ctx, v, all, wanted == nil, h), q.All, &report)
		marks := e.marker(v, u.settings)
		for i, m := range report.Memories {
			report.Memories[i].Foreign = marks.look(m.ID, false)
		}
		return nil
	})
	return report, err
}

// tellStale adds the memories of which some reference is stale.
func tellStale(all []ranked, found [][]worktree.Verdict, fresh bool, report *api.StaleReport) {
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
func (e *Engine) lookAtAll(ctx context.Context, v *store.View, all []ranked, complete bool,
	h *history) [][]worktree.Verdict {
	out := make([][]worktree.Verdict, len(all))
	var refs []memory.Ref
	for i, r := range all {
		out[i] = make([]worktree.Verdict, len(r.Refs))
		refs = append(refs, r.Refs...)
	}
	if e.files == nil || v.Own() {
		return out
	}
	l := worktree.Thorough()
	l.Time, l.All = staleTime, complete
	found := e.files.Check(v, refs, l)
	e.followHistory(ctx, v, refs, found, h)
	for i, r := range all {
		copy(out[i], found)
		found = found[len(r.Refs):]
	}
	return out
}

// Verify confirms that memories hold for the files that they refer to as they are now, and counts as an access of each.
// If one of them cannot be changed, none is, and one undo takes all back.
func (e *Engine) Verify(ctx context.Context, q api.VerifyRequest) (api.VerifyReport, error) {
	report := api.VerifyReport{Success: true, Memories: []api.StaleMemory{}}
	if len(q.IDs) == 0 {
		return report, memory.NewError(memory.CodeInvalid, memory.KindIDsNone, "", "no ids were given")
	}
	ids, err := parseIDs(q.IDs)
	if err != nil {
		return report, err
	}
	h := askHistory(math.MaxInt)
	before, err := e.stale(ctx, api.StaleQuery{IDs: q.IDs, All: true}, h) // which also finds what git renamed
	if err != nil {
		return report, err
	}
	p := api.Patch{Verified: true, Follow: q.Follow, Session: q.Session}
	_, err = e.updateAll(ctx, ids, p, h)
	if err != nil {
		return report, err
	}
	var moved, gone []string
	for _, m := range before.Memories {
		isStale := false
		for _, r := range m.Refs {
			switch {
			case r.State == memory.RefMoved && !q.Follow:
				moved = append(moved, fileName(r.Path)+" moved to "+fileName(r.To))
			case r.State == memory.RefGone && h.knows(r.Path):
				gone = append(gone, fileName(r.Path))
			}
			isStale = isStale || r.State != "" && r.State != memory.RefFresh && (r.State != memory.RefMoved || q.Follow)
		}
		if isStale {
			report.Changed++
		}
	}
	after, err := e.stale(ctx, api.StaleQuery{IDs: q.IDs, All: true}, h)
	report.Memories = after.Memories
	report.Message = verifiedNote(report.Changed, len(ids), moved, gone)
	return report, err
}

// verifiedNote says what was verified, and what of it could not be.
func verifiedNote(changed, all int, moved, gone []string) memory.Note {
	note := memory.Say(fmt.Sprintf("verified %s, %d of them stale", plural.Of(all, "memory", "memories"), changed))
	note = append(note, goneNote(gone)...)
	slices.Sort(moved)
	if moved = slices.Compact(moved); len(moved) > 0 {
		note = append(note, memory.Advise(memory.KindRefMoved, "", strings.Join(moved, "; "))...)
	}
	return note
}

// lookAround looks at the files of all memories for the sessions to come, as far as it gets, and notes
// which memories name which file.
func (e *Engine) lookAround() {
	if e.files == nil || !e.store.Exists() {
		return
	}
	_ = e.store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil || v.Own() {
			return err
		}
		u, _, err := e.startUsage(v)
		if err != nil {
			return err
		}
		g, err := e.guardOf(v, u.settings)
		if err != nil {
			return err
		}
		var refs []memory.Ref
		for _, r := range snapshot.Records {
			if len(r.Refs) > 0 && !g.hides(*r.Memory) {
				refs = append(refs, r.Refs...)
			}
		}
		l := worktree.Thorough()
		l.Time, l.All = endLook, true
		e.files.Check(v, refs, l)
		if v.Exists() {
			e.writeFiles(v, g, places(snapshot, u))
		}
		return nil
	})
}
