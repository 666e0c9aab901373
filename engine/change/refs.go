package change

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/trust"
	"ltm/engine/worktree"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

func givenRefs(given []string) ([]memory.Ref, error) {
	var all []memory.Ref
	for _, text := range given {
		r, err := memory.ParseRef(text)
		if err != nil {
			return nil, err
		}
		if err := trust.Refuse(memory.KindTextSecret, "ref", text); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return memory.NormalizeRefs(all)
}

// takeRefs returns references as their files are now: those that were given, and what a text names. The
// note names the given ones whose files do not exist, or are ignored by git.
func (e *Engine) takeRefs(ctx context.Context, given []memory.Ref, text string) ([]memory.Ref, memory.Note) {
	if e.Files == nil {
		return nil, e.untakenNote(given, nil)
	}
	all := slices.Clone(given)
	if text != "" {
		all = append(all, e.Files.Find(text)...)
	}
	taken := e.Files.Take(ctx, all)
	return taken, e.untakenNote(given, taken)
}

// untakenNote names the given references that were not taken.
func (e *Engine) untakenNote(given, taken []memory.Ref) memory.Note {
	var names []string
	for _, g := range given {
		if !slices.ContainsFunc(taken, func(r memory.Ref) bool { return e.isAt(r, g) }) {
			names = append(names, rank.FileName(g.String()))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return memory.Advise(memory.KindRefUntaken, "", "not noted as "+plural.Of(len(names), "ref", "refs")+": "+
		strings.Join(names[:min(len(names), rank.MaxStale)], ", "))
}

// isAt reports whether a reference is to the file that another one names, at the top or below the project's
// own directory.
func (e *Engine) isAt(r, named memory.Ref) bool {
	below := e.Files.Place().Below
	return e.Files.Same(r.Path, named.Path) || below != "" && e.Files.Same(r.Path, below+"/"+named.Path)
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
func (e *Engine) renew(ctx context.Context, id memory.ID, p api.Patch, h *find.History) (*renewed, error) {
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
	if e.Files == nil && p.Refs == nil {
		return nil, nil
	}
	var r *renewed
	err := e.Store.View(func(v *store.View) error {
		file, err := base.ReadActive(v, id)
		if err != nil {
			return nil //nolint:nilerr // the update reports it
		}
		r = e.renewIn(ctx, v, file, given, p, h)
		return nil
	})
	return r, err
}

func (e *Engine) renewIn(ctx context.Context, v *store.View, file *memfile.File, given []memory.Ref,
	p api.Patch, h *find.History) *renewed {
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
	named, still := e.Files.Find(textOf(m)), e.Files.Find(textOf(after))
	byHand := slices.DeleteFunc(slices.Clone(m.Refs), func(r memory.Ref) bool {
		isTaken := slices.ContainsFunc(found, func(f memory.Ref) bool { return e.Files.Same(f.Path, r.Path) })
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
	h *find.History) (kept []memory.Ref, note memory.Note) {
	found := e.Files.Check(v, refs, worktree.Thorough())
	e.FollowHistory(ctx, v, refs, found, h)
	var gone []string
	var unasked []memory.Ref
	for i, r := range refs {
		switch {
		case found[i].State != memory.RefGone:
		case h.Knows(r.Path):
			gone = append(gone, rank.FileName(r.Path))
		default:
			unasked = append(unasked, r)
		}
	}
	kept = e.Files.Verify(ctx, v, refs, follow)
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
		return nil, find.ErrOutdated
	}
	m.Refs, m.OddRefs = r.refs, false
	return r.note, nil
}

// Verify confirms that memories hold for the files that they refer to as they are now, and counts as an access of each.
// If one of them cannot be changed, none is, and one undo takes all back.
func (e *Engine) Verify(ctx context.Context, q api.VerifyRequest) (api.VerifyReport, error) {
	report := api.VerifyReport{Success: true, Memories: []api.StaleMemory{}}
	if len(q.IDs) == 0 {
		return report, memory.NewError(memory.CodeInvalid, memory.KindIDsNone, "", "no ids were given")
	}
	ids, err := base.ParseIDs(q.IDs)
	if err != nil {
		return report, err
	}
	h := find.AskHistory(math.MaxInt)
	before, err := e.StaleIn(ctx, api.StaleQuery{IDs: q.IDs, All: true}, h) // which also finds what git renamed
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
				moved = append(moved, rank.FileName(r.Path)+" moved to "+rank.FileName(r.To))
			case r.State == memory.RefGone && h.Knows(r.Path):
				gone = append(gone, rank.FileName(r.Path))
			}
			isStale = isStale || r.State != "" && r.State != memory.RefFresh && (r.State != memory.RefMoved || q.Follow)
		}
		if isStale {
			report.Changed++
		}
	}
	after, err := e.StaleIn(ctx, api.StaleQuery{IDs: q.IDs, All: true}, h)
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
