package finder

import (
	"context"
	"sync"

	"ltm/memory"
	"ltm/store"
	"ltm/text/search"
)

// Finder holds the search indexes of one store. It is safe for concurrent use.
type Finder struct {
	mu               sync.Mutex // guards both indexes
	active, archived directory
}

// New returns a finder. It reads nothing until the first search.
func New() *Finder {
	return &Finder{
		active:   directory{cache: activeCache, list: (*store.View).Memories, read: (*store.View).Read},
		archived: directory{cache: archiveCache, list: (*store.View).ArchivedTexts, read: (*store.View).ReadArchive},
	}
}

// Search is a search over a view of the store. It locks the [Finder] until Close.
type Search struct {
	finder *Finder
	view   *store.View
}

// Over begins a search. It waits until other searches have ended.
func (f *Finder) Over(v *store.View) *Search {
	f.mu.Lock()
	return &Search{f, v}
}

func (s *Search) Close() { s.finder.mu.Unlock() }

// Refresh brings the index of the active memories up to date with a snapshot of them. If it would have to read more
// than most files, it returns false and the index is not usable; most < 0 means no limit.
func (s *Search) Refresh(ctx context.Context, active *store.Snapshot, most int) (ready bool, err error) {
	return s.finder.active.refresh(ctx, s.view, active, most)
}

// Best returns the best hits among the active memories, as they were at the last [Search.Refresh].
func (s *Search) Best(query search.Query, o search.Options) []search.Hit {
	hits, _ := s.finder.active.index.Search(query, o)
	return hits
}

func (s *Search) Active(id memory.ID) (memory.Memory, error) { return s.finder.active.text(s.view, id) }

func (s *Search) Memory(h Hit) (memory.Memory, error) {
	return s.directory(h).text(s.view, memory.ID(h.ID))
}

func (s *Search) directory(h Hit) *directory {
	if h.Archived {
		return &s.finder.archived
	}
	return &s.finder.active
}

// Likeness returns the likeness of a memory that [Search.Active] returned, to compare others with.
func (s *Search) Likeness(m memory.Memory) Likeness { return s.finder.active.likeness(m) }

// Warm brings the indexes and their caches up to date, so that the first question and the prompts of other processes
// find them ready. A question about active memories need not wait for the archives.
func (f *Finder) Warm(ctx context.Context, v *store.View) error {
	for _, x := range []*directory{&f.active, &f.archived} {
		if err := f.warm(ctx, v, x); err != nil {
			return err
		}
	}
	return nil
}

func (f *Finder) warm(ctx context.Context, v *store.View, x *directory) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := x.current(ctx, v)
	return err
}
