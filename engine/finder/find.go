package finder

import (
	"context"
	"slices"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/search"
)

// Hit is a search hit and where it was found.
type Hit struct {
	search.Hit
	Archived bool // in the archives
	Faded    bool // among the memories, out of sight
}

// Sight is the part of a clone's view of its memories that a search needs.
type Sight struct {
	Prior   func(*memory.Memory) float64 // how much a memory matters, from 0 to 1
	InSight func(memory.Memory) bool     // whether sessions see it
	Wanted  func(memory.Memory) bool     // which memories may be hits, by their headers; nil: all
	Learned map[memory.ID][]string       // the learned aliases of memories
	Fades   bool                         // false: no memory has faded out of sight in this clone alone
}

// Find searches the included part of a store and returns the best hits, and how many memories
// match in all. It sets Prior and Keep of o itself.
func (s *Search) Find(ctx context.Context, include api.Include, query search.Query, o search.Options,
	sight Sight) ([]Hit, int, error) {
	active, err := s.finder.active.current(ctx, s.view)
	if err != nil {
		return nil, 0, err
	}
	s.finder.active.teach(s.view, sight.Learned)
	if include == api.IncludeActive {
		o.Keep = sight.wants(active, KeepInSight(active, sight))
		found, total := s.finder.active.search(active, query, o, sight)
		return found, total, nil
	}
	limit := o.Limit
	o.Limit = 0 // a memory can be found twice
	archives, err := s.finder.archived.current(ctx, s.view)
	if err != nil {
		return nil, 0, err
	}
	o.Keep = sight.wants(active, nil)
	keep := KeepInSight(active, sight)
	if include == api.IncludeArchives && keep != nil {
		o.Keep = sight.wants(active, func(id string) bool { return !keep(id) })
	}
	var found []Hit
	if include != api.IncludeArchives || keep != nil { // otherwise all of them are in sight
		found, _ = s.finder.active.search(active, query, o, sight)
	}
	for i := range found {
		found[i].Faded = !isInSight(active, sight, found[i].ID)
	}
	o.Keep = sight.wants(archives, func(id string) bool { return OnlyArchived(active, memory.ID(id)) })
	old, _ := s.finder.archived.search(archives, query, o, sight)
	for i := range old {
		old[i].Archived = true
	}
	found = mergeHits(found, old)
	total := len(found)
	if limit > 0 {
		found = found[:min(limit, total)]
	}
	return found, total, nil
}

// wants narrows keep to the memories of a directory that are wanted.
func (sight Sight) wants(s *store.Snapshot, keep func(id string) bool) func(id string) bool {
	if sight.Wanted == nil {
		return keep
	}
	return func(id string) bool {
		m, ok := s.Find(memory.ID(id))
		return ok && sight.Wanted(*m.Memory) && (keep == nil || keep(id))
	}
}

// KeepWanted is [KeepInSight] for the memories that are wanted, by their headers; nil: all.
func KeepWanted(active *store.Snapshot, sight Sight, wanted func(memory.Memory) bool) func(id string) bool {
	sight.Wanted = wanted
	return sight.wants(active, KeepInSight(active, sight))
}

// KeepInSight returns a filter for [search.Options].Keep that accepts the memories in sight, or nil if all of them are.
func KeepInSight(active *store.Snapshot, sight Sight) func(id string) bool {
	if !sight.Fades && !active.Traits().Removed {
		return nil
	}
	return func(id string) bool { return isInSight(active, sight, id) }
}

func isInSight(active *store.Snapshot, sight Sight, id string) bool {
	m, ok := active.Find(memory.ID(id))
	return ok && sight.InSight(*m.Memory)
}

// search searches one index. s is the snapshot of its directory.
func (x *directory) search(s *store.Snapshot, query search.Query, o search.Options, sight Sight) ([]Hit, int) {
	o.Prior = func(id string) float64 {
		if m := s.Header(memory.ID(id)); m != nil {
			return sight.Prior(m)
		}
		return 0
	}
	hits, total := x.index.Search(query, o)
	found := make([]Hit, len(hits))
	for i, h := range hits {
		found[i] = Hit{Hit: h}
	}
	return found, total
}

// mergeHits merges the hits of both directories, the higher score first. The order within each directory stays, because
// it also reflects how much each memory matters. A memory that was found in both is listed once, with its better hit,
// since its archive may have the matching text that fading removed. If both score the same, the active one is listed.
func mergeHits(active, archived []Hit) []Hit {
	best := make(map[string]Hit, len(active)+len(archived))
	for _, h := range slices.Concat(active, archived) {
		if known, ok := best[h.ID]; !ok || h.Score > known.Score {
			best[h.ID] = h
		}
	}
	worse := func(h Hit) bool { return best[h.ID].Archived != h.Archived }
	a, b := slices.DeleteFunc(slices.Clone(active), worse), slices.DeleteFunc(slices.Clone(archived), worse)
	merged := make([]Hit, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].Score > a[0].Score {
			merged, b = append(merged, b[0]), b[1:]
		} else {
			merged, a = append(merged, a[0]), a[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// OnlyArchived reports whether an archive has the fullest text of its memory: the memory was archived,
// or its own file is reduced. The archives of other memories are earlier versions.
func OnlyArchived(active *store.Snapshot, archive memory.ID) bool {
	m, ok := active.Find(archive)
	return !ok || m.Phase != memory.Full
}

// TakenBy maps the unknown words of a query to the words that were searched in their place, in either directory.
func TakenBy(found []Hit) map[string][]string {
	var taken map[string][]string
	for _, archived := range []bool{false, true} {
		i := slices.IndexFunc(found, func(h Hit) bool { return h.Archived == archived })
		if i < 0 {
			continue
		}
		for word, by := range found[i].Taken {
			if taken == nil {
				taken = make(map[string][]string)
			}
			taken[word] = slices.Concat(taken[word], by)
		}
	}
	return taken
}
