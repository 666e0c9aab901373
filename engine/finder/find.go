package finder

import (
	"context"
	"slices"

	"ltm/api"
	"ltm/memory"
	"ltm/search"
	"ltm/store"
)

// Hit is a hit and where it was found.
type Hit struct {
	search.Hit
	Archived bool // in the archives
	Faded    bool // among the memories, out of sight
}

// Sight is what one clone knows of its memories, as far as it matters to a search.
type Sight struct {
	Prior   func(memory.Memory) float64 // what a memory matters, from 0 to 1
	InSight func(memory.Memory) bool    // whether sessions see it
	Fades   bool                        // false: what a file says of its phase is all there is
}

// Find searches the included part of a store and returns the best hits, and how many
// memories match in all. [search.Options].Prior and Keep are its own.
func (s *Search) Find(ctx context.Context, include api.Include, query search.Query, o search.Options,
	sight Sight) ([]Hit, int, error) {
	active, err := s.finder.active.current(ctx, s.view)
	if err != nil {
		return nil, 0, err
	}
	if include == api.IncludeActive {
		o.Keep = KeepInSight(active, sight)
		found, total := s.finder.active.search(active, query, o, sight)
		return found, total, nil
	}
	limit := o.Limit
	o.Limit = 0 // a memory can be found twice
	archives, err := s.finder.archived.current(ctx, s.view)
	if err != nil {
		return nil, 0, err
	}
	if include == api.IncludeArchives {
		o.Keep = func(id string) bool { return !isInSight(active, sight, id) }
	}
	found, _ := s.finder.active.search(active, query, o, sight)
	for i := range found {
		found[i].Faded = !isInSight(active, sight, found[i].ID)
	}
	o.Keep = func(id string) bool { return Aside(active, memory.ID(id)) }
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

// KeepInSight returns which documents are in sight, for [search.Options].Keep; nil: all
// of them.
func KeepInSight(active *store.Snapshot, sight Sight) func(id string) bool {
	if !sight.Fades && !hasRemoved(active) {
		return nil
	}
	return func(id string) bool { return isInSight(active, sight, id) }
}

func hasRemoved(active *store.Snapshot) bool {
	return slices.ContainsFunc(active.Records, func(r store.Record) bool { return !r.Phase.Active() })
}

func isInSight(active *store.Snapshot, sight Sight, id string) bool {
	m, ok := active.Find(memory.ID(id))
	return ok && sight.InSight(m.Memory)
}

// search searches one index, whose snapshot tells what each memory matters.
func (x *folder) search(s *store.Snapshot, query search.Query, o search.Options, sight Sight) ([]Hit, int) {
	o.Prior = func(id string) float64 {
		record, _ := s.Find(memory.ID(id))
		return sight.Prior(record.Memory)
	}
	hits, total := x.index.Search(query, o)
	found := make([]Hit, len(hits))
	for i, h := range hits {
		found[i] = Hit{Hit: h}
	}
	return found, total
}

// mergeHits makes one list of the hits of both directories, the higher score first;
// each directory's own order stays, for it also knows what matters more. A memory
// that was found in both is there once, as its better hit: what fading took away
// may be what answers. Of equal ones it is the active one.
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

// Aside reports whether an archive is what is left of a memory: the memory was set
// Aside, or its own file is reduced. Of other memories the archives hold earlier
// versions.
func Aside(active *store.Snapshot, archive memory.ID) bool {
	m, ok := active.Find(archive)
	return !ok || m.Phase != memory.Full
}

// TakenBy returns what unknown words were taken for by the searches that found
// hits, one for each directory.
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
