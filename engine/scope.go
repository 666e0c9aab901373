package engine

import (
	"context"
	"fmt"
	"slices"

	"ltm/api"
	"ltm/memory"
	"ltm/search"
	"ltm/store"
)

// includedHit is a hit and where it was found.
type includedHit struct {
	search.Hit
	archived bool // in the archives
	faded    bool // among the memories, out of sight in this clone
}

// findIn searches the included part of a store and returns the best hits, and how many
// memories match in all; e.mu is held.
func (e *Engine) findIn(ctx context.Context, v *store.View, include api.Include, query search.Query, q api.Query, u use) ([]includedHit, int, error) {
	limit := limitOr(q.Limit, DefaultRecall)
	o := search.Options{Limit: limit % unlimited, MinScore: q.MinScore, Tag: q.Tag, Explain: q.Explain}
	active, err := v.Memories()
	if err != nil {
		return nil, 0, err
	}
	if _, err := e.active.refresh(ctx, v, active, v.Read, -1); err != nil {
		return nil, 0, err
	}
	if include == api.IncludeActive {
		o.Keep = inSightOf(active, u)
		found, total := searchIn(&e.active, active, query, o, u)
		return found, total, nil
	}
	o.Limit = 0 // a memory can be found twice
	archives, err := e.refreshArchives(ctx, v)
	if err != nil {
		return nil, 0, err
	}
	if include == api.IncludeArchives {
		o.Keep = func(id string) bool { return !isInSight(active, u, id) }
	}
	found, _ := searchIn(&e.active, active, query, o, u)
	for i := range found {
		found[i].faded = !isInSight(active, u, found[i].ID)
	}
	o.Keep = func(id string) bool { return aside(active, memory.ID(id)) }
	old, _ := searchIn(&e.archived, archives, query, o, u)
	for i := range old {
		old[i].archived = true
	}
	found = mergeHits(found, old)
	return found[:min(limit, len(found))], len(found), nil
}

// inSightOf returns which documents plain recall may find; nil: all of them.
func inSightOf(active *store.Snapshot, u use) func(id string) bool {
	if !u.fades() && !hasRemoved(active) {
		return nil
	}
	return func(id string) bool { return isInSight(active, u, id) }
}

func hasRemoved(active *store.Snapshot) bool {
	return slices.ContainsFunc(active.Records, func(r store.Record) bool { return !r.Phase.Active() })
}

func isInSight(active *store.Snapshot, u use, id string) bool {
	m, ok := active.Find(memory.ID(id))
	return ok && u.inSight(m.Memory)
}

// searchIn searches one index, whose snapshot tells what each memory matters.
func searchIn(x *indexed, s *store.Snapshot, query search.Query, o search.Options, u use) ([]includedHit, int) {
	o.Prior = func(id string) float64 {
		record, _ := s.Find(memory.ID(id))
		return u.rounded(record.Memory)
	}
	hits, total := x.index.Search(query, o)
	found := make([]includedHit, len(hits))
	for i, h := range hits {
		found[i] = includedHit{Hit: h}
	}
	return found, total
}

// mergeHits makes one list of the hits of both folders, the higher score first;
// each folder's own order stays, for it also knows what matters more. A memory
// that was found in both is there once, as its better hit: what fading took away
// may be what answers. Of equal ones it is the active one.
func mergeHits(active, archived []includedHit) []includedHit {
	best := make(map[string]includedHit, len(active)+len(archived))
	for _, h := range slices.Concat(active, archived) {
		if known, ok := best[h.ID]; !ok || h.Score > known.Score {
			best[h.ID] = h
		}
	}
	worse := func(h includedHit) bool { return best[h.ID].archived != h.archived }
	a, b := slices.DeleteFunc(slices.Clone(active), worse), slices.DeleteFunc(slices.Clone(archived), worse)
	merged := make([]includedHit, 0, len(a)+len(b))
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
func (e *Engine) textOf(v *store.View, h includedHit) (memory.Memory, error) {
	if h.archived {
		return e.archived.text(memory.ID(h.ID), v.ReadArchive)
	}
	return e.active.text(memory.ID(h.ID), v.Read)
}

// countOutOfSight returns how many memories out of sight match a question that
// none in sight answers, without those that are withheld.
func (e *Engine) countOutOfSight(ctx context.Context, v *store.View, query search.Query, q api.Query, u use, g guard) (int, error) {
	found, total, err := e.findIn(ctx, v, api.IncludeArchives, query, api.Query{MinScore: q.MinScore, Tag: q.Tag, Limit: unlimited}, u)
	if err != nil || !g.asks() {
		return total, err
	}
	_, held := g.release(v, found, unlimited)
	return total - held, nil
}

// recallNote says what to do about archives.
func recallNote(r api.Recall) string {
	isArchived := func(h api.Hit) bool { return h.Archived }
	switch {
	case r.Archived == 1:
		return "1 archived memory matches; " + memory.DoSearchAside + " shows it"
	case r.Archived > 1:
		return fmt.Sprintf("%d archived memories match; %s shows them", r.Archived, memory.DoSearchAside)
	case slices.ContainsFunc(r.Memories, isArchived):
		return memory.DoRestore + " brings an archived one back in full"
	}
	return ""
}
