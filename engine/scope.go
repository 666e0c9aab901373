package engine

import (
	"context"
	"fmt"
	"slices"

	"ltm/memory"
	"ltm/search"
	"ltm/store"
)

// scopedHit is a hit and the folder that it was found in.
type scopedHit struct {
	search.Hit
	archived bool
}

// findIn searches what a scope holds and returns the best hits, and how many
// memories match in all; e.mu is held.
func (e *Engine) findIn(ctx context.Context, v *store.View, scope memory.Scope, query search.Query, q memory.Query, u use) ([]scopedHit, int, error) {
	var found []scopedHit
	limit := limitOr(q.Limit, DefaultRecall)
	o := search.Options{Limit: limit % unlimited, MinScore: q.MinScore, Tag: q.Tag, Explain: q.Explain}
	if scope == memory.ScopeAll {
		o.Limit = 0 // a memory can be found twice
	}
	total := 0
	if scope != memory.ScopeArchives {
		snapshot, err := v.Memories()
		if err != nil {
			return nil, 0, err
		}
		if _, err := e.active.refresh(ctx, v, snapshot, v.Read, -1); err != nil {
			return nil, 0, err
		}
		found, total = searchIn(&e.active, snapshot, query, o, u, false)
	}
	if scope != memory.ScopeActive {
		snapshot, err := e.refreshArchives(ctx, v)
		if err != nil {
			return nil, 0, err
		}
		more, n := searchIn(&e.archived, snapshot, query, o, u, true)
		if scope == memory.ScopeArchives {
			return more, n, nil
		}
		more, err = withoutCopies(v, more)
		if err != nil {
			return nil, 0, err
		}
		found = mergeHits(found, more)
		total = len(found)
		found = found[:min(limit, total)]
	}
	return found, total, nil
}

// searchIn searches one index, whose snapshot tells what each memory matters.
func searchIn(x *indexed, s *store.Snapshot, query search.Query, o search.Options, u use, archived bool) ([]scopedHit, int) {
	o.Prior = func(id string) float64 {
		record, _ := s.Find(memory.ID(id))
		return u.rounded(record.Memory)
	}
	hits, total := x.index.Search(query, o)
	found := make([]scopedHit, len(hits))
	for i, h := range hits {
		found[i] = scopedHit{h, archived}
	}
	return found, total
}

// withoutCopies takes out the archives of memories that were brought back: these
// have all of the text themselves.
func withoutCopies(v *store.View, archived []scopedHit) ([]scopedHit, error) {
	active, err := v.Memories()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(archived, func(h scopedHit) bool {
		m, ok := active.Find(memory.ID(h.ID))
		return ok && m.Phase == memory.Full && m.Restored
	}), nil
}

// mergeHits makes one list of the hits of both folders, the higher score first;
// each folder's own order stays, for it also knows what matters more. A memory
// that was found in both is there once, as its better hit: what fading took away
// may be what answers. Of equal ones it is the active one.
func mergeHits(active, archived []scopedHit) []scopedHit {
	best := make(map[string]scopedHit, len(active)+len(archived))
	for _, h := range slices.Concat(active, archived) {
		if known, ok := best[h.ID]; !ok || h.Score > known.Score {
			best[h.ID] = h
		}
	}
	worse := func(h scopedHit) bool { return best[h.ID].archived != h.archived }
	a, b := slices.DeleteFunc(slices.Clone(active), worse), slices.DeleteFunc(slices.Clone(archived), worse)
	merged := make([]scopedHit, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].Score > a[0].Score {
			merged, b = append(merged, b[0]), b[1:]
		} else {
			merged, a = append(merged, a[0]), a[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// textOf returns the memory of a hit.
func (e *Engine) textOf(v *store.View, h scopedHit) (memory.Memory, error) {
	if h.archived {
		return e.archived.text(memory.ID(h.ID), v.ReadArchive)
	}
	return e.active.text(memory.ID(h.ID), v.Read)
}

// countArchived returns how many archives match a question that no active
// memory answers, without those that are held back. For a number, what stands in
// the caches is good enough.
func (e *Engine) countArchived(ctx context.Context, v *store.View, query search.Query, q memory.Query, g guard) (int, error) {
	archives, err := v.ArchivesQuick()
	if err != nil {
		return 0, err
	}
	if _, err := e.archived.refresh(ctx, v, archives, v.ReadArchive, -1); err != nil {
		return 0, err
	}
	o := search.Options{Limit: 1, MinScore: q.MinScore, Tag: q.Tag}
	if g.asks() {
		o.Limit = 0
	}
	hits, total := e.archived.index.Search(query, o)
	for _, h := range hits {
		if g.asks() && g.look(memory.ID(h.ID), bytesOf(v.ReadArchive)) {
			total--
		}
	}
	return total, nil
}

// recallNote says what to do about archives.
func recallNote(r memory.Recall) string {
	isArchived := func(h memory.Hit) bool { return h.Archived }
	switch {
	case r.Archived == 1:
		return `1 archived memory matches; scope "archives" (ltm recall --archives) shows it`
	case r.Archived > 1:
		return fmt.Sprintf(`%d archived memories match; scope "archives" (ltm recall --archives) shows them`, r.Archived)
	case slices.ContainsFunc(r.Memories, isArchived):
		return "restore_memory (ltm restore) brings an archived one back in full"
	}
	return ""
}
