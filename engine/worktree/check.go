package worktree

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/refs"
)

// Cache keeps bytes for other processes.
type Cache interface {
	ReadCacheWithin(name string, limit int64) []byte // nil for a larger one
	WriteCache(name string, data []byte)
}

const (
	// cacheName is the name of the verdicts in a [Cache].
	cacheName = "refs"

	// maxCache bounds the bytes of a cache that is read. One of as many verdicts as are kept has fewer bytes.
	maxCache = 16 << 20
)

// Limits bound a look.
type Limits struct {
	Time  time.Duration
	File  int64 // bytes of a file that are read
	Place int   // bytes of a file in which a line or a symbol is looked for
	Index int64 // bytes of git's index that are read
	All   bool  // the references are all that there are: what is kept of others is dropped
	Hook  bool  // a look that ran out of time leaves writing what it found to a later one
}

// Hurried returns the limits of a hook. The time is far below what a person notices.
func Hurried() Limits {
	return Limits{Time: 20 * time.Millisecond, File: 4 << 20, Place: 512 << 10, Index: 2 << 20, Hook: true}
}

// Thorough returns the limits of a command or a session's end.
func Thorough() Limits {
	return Limits{Time: 400 * time.Millisecond, File: 64 << 20, Place: 8 << 20, Index: 64 << 20}
}

// Verdict is the state of a file. The state is empty if it is not known: the file is left alone, or too large, or there
// was no time.
type Verdict struct {
	State memory.RefState
	To    string // where a moved one is
}

// Place is where a work tree is.
type Place struct {
	Top    string // the directory that paths are relative to, absolute; empty: no work tree
	GitDir string // of the work tree; empty: it is not in git
	Below  string // where the project is below the top, with slashes; empty: at the top
}

// Files are the files of a work tree. They may be used by several goroutines.
type Files struct {
	Place func() Place // must be fast after the first call
	Git   Git          // nil: git is not asked

	// Fold returns what all spellings of a name have in common, where the file system takes them for one, such as
	// [strings.ToLower]. Nil: each spelling is another name.
	Fold func(name string) string

	mu        sync.Mutex
	loaded    bool
	known     verdicts
	unwritten bool // some of what is known is not in the cache
}

// Check returns the verdicts of references, in their order. The results are kept in the cache.
func (f *Files) Check(cache Cache, all []memory.Ref, l Limits) []Verdict {
	out := make([]Verdict, len(all))
	if len(all) == 0 {
		return out
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	begun := time.Now()
	if !f.loaded {
		f.known, f.loaded = decode(cache.ReadCacheWithin(cacheName, maxCache)), true
	}
	t, err := openTree(f.Place().Top)
	if err != nil {
		return out
	}
	defer t.close()
	c := &check{files: f, gitDir: f.Place().GitDir, tree: t, limits: l, begun: begun, out: out}
	c.run(all)
	if l.All && c.complete {
		c.changed = c.changed || c.drop(all)
	}
	f.unwritten = f.unwritten || c.changed
	over := l.Hook && time.Since(begun) > l.Time // no time is left to keep anything
	if f.unwritten && len(f.known) <= maxVerdicts && !over {
		cache.WriteCache(cacheName, f.known.encode())
		f.unwritten = false
	}
	return out
}

// check is one look at the files of references.
type check struct {
	files    *Files
	gitDir   string
	tree     *tree
	limits   Limits
	begun    time.Time
	out      []Verdict
	changed  bool // the verdicts that are kept
	complete bool

	index     index
	indexRead bool
	hasIndex  bool
}

// pendingRef is a reference that is not decided yet.
type pendingRef struct {
	memory.Ref
	at    int // in the order of the references
	key   uint64
	stamp stamp
	kind  kind
	blob  string // of its content, if that is not the reference's
}

// late reports whether looking has to end. A hook leaves a quarter of its time for keeping what it has found out:
// otherwise a project with many references would be looked at from the beginning at every start.
func (c *check) late() bool {
	limit := c.limits.Time
	if c.limits.Hook {
		limit -= limit / 4
	}
	return time.Since(c.begun) > limit
}

// run decides all references: by what is kept, by the files' content, and by git's index.
func (c *check) run(all []memory.Ref) {
	var left []pendingRef
	stamps := map[string]target{} // by path
	indexed, _ := indexStamp(c.gitDir)
	indexed.size = -1
	for i, r := range all {
		if i%maxStats == 0 {
			c.statAll(all[i:min(len(all), i+maxStats)], indexed, stamps)
		}
		at, known := stamps[r.Path]
		if !known { // there was no time
			for ; i < len(all); i++ {
				if v, ok := c.files.known[keyOf(all[i])]; ok {
					c.out[i] = Verdict{v.state, v.to}
				}
			}
			return
		}
		o := pendingRef{Ref: r, at: i, key: keyOf(r), stamp: at.stamp, kind: at.kind}
		if !c.isKept(o) {
			left = append(left, o)
		}
	}
	slices.SortStableFunc(left, func(a, b pendingRef) int { return cmp.Compare(a.Path, b.Path) })
	left = c.byContent(left)
	c.complete = c.byIndex(left) && !c.late()
}

// maxStats is how many references are looked at together. The first ones matter most, so that they come before others
// if the time ends.
const maxStats = 512

// target is what a path leads to.
type target struct {
	stamp
	kind
}

// statAll looks at the files of references as far as there is time, in the order of their names, so that each directory
// is opened once.
func (c *check) statAll(all []memory.Ref, indexed stamp, into map[string]target) {
	names := make([]string, 0, len(all))
	for _, r := range all {
		if _, known := into[r.Path]; !known {
			names = append(names, r.Path)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if c.late() {
			return
		}
		var l target
		if l.stamp, l.kind = c.tree.stat(name); l.kind == missing {
			l.stamp = indexed
		}
		into[name] = l
	}
}

// isKept decides a reference whose file has the stamp that it had when it was last decided.
func (c *check) isKept(o pendingRef) bool {
	if o.kind == other {
		return true // and left alone
	}
	v, ok := c.files.known[o.key]
	if ok {
		c.out[o.at] = Verdict{v.state, v.to} // until it is decided
	}
	return ok && v.stamp == o.stamp
}

// decide notes the state of a reference, and keeps it if the file cannot change without another stamp.
func (c *check) decide(o pendingRef, state memory.RefState, to string) {
	c.out[o.at] = Verdict{state, to}
	if o.kind == file && !regular.Settled(o.stamp.modTime, c.begun.UnixNano()) {
		return
	}
	v := verdict{o.stamp, state, to, o.blob}
	if c.files.known[o.key] != v {
		c.files.known[o.key], c.changed = v, true
	}
}

// byContent decides the references to files whose content shows that they hold, and returns the others.
func (c *check) byContent(left []pendingRef) (rest []pendingRef) {
	var content []byte
	var lines *refs.Lines
	var name string
	for _, o := range left {
		if o.kind == missing {
			o.blob = c.files.known[o.key].blob // as it was last
			rest = append(rest, o)
			continue
		}
		if c.late() {
			return rest // what is kept of the others stays
		}
		if o.Path != name {
			var err error
			if content, _, err = c.tree.read(o.Path, c.limits.File); err != nil {
				continue
			}
			name, lines = o.Path, nil
		}
		if o.Blob == "" || refs.IsBlob(content, o.Blob) {
			c.decide(o, memory.RefFresh, "")
			continue
		}
		if o.Near != "" && len(content) > c.limits.Place {
			continue
		}
		o.blob = refs.Blob(content, len(o.Blob))
		if o.Near != "" {
			if lines == nil {
				lines = refs.Split(content)
			}
			if _, ok := lines.Place(o.Ref); ok {
				c.decide(o, memory.RefFresh, "")
				continue
			}
		}
		rest = append(rest, o)
	}
	return rest
}

func (c *check) isFile(name string) bool {
	if name == "" {
		return false
	}
	_, k := c.tree.stat(name)
	return k == file
}

// drop forgets the verdicts of references that are not there any more, and reports whether there are any.
func (c *check) drop(all []memory.Ref) bool {
	if len(c.files.known) <= len(all) {
		return false
	}
	kept := make(verdicts, len(all))
	for _, r := range all {
		key := keyOf(r)
		if v, ok := c.files.known[key]; ok {
			kept[key] = v
		}
	}
	gone := len(kept) < len(c.files.known)
	c.files.known = kept
	return gone
}

// Follow notes where the file of a reference is now, as git's history told.
func (f *Files) Follow(cache Cache, r memory.Ref, to string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.loaded {
		f.known, f.loaded = decode(cache.ReadCacheWithin(cacheName, maxCache)), true
	}
	s, _ := indexStamp(f.Place().GitDir)
	s.size = -1
	f.known[keyOf(r)] = verdict{stamp: s, state: memory.RefMoved, to: to}
	cache.WriteCache(cacheName, f.known.encode())
}

// Moved returns what tells where the file of a reference is now, or "" if it has not moved as far as is known. It looks
// at no file. The sum is another one if more is known of files that have moved.
func (f *Files) Moved(cache Cache) (to func(memory.Ref) string, sum uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.loaded {
		f.known, f.loaded = decode(cache.ReadCacheWithin(cacheName, maxCache)), true
	}
	moved := map[uint64]string{}
	for key, v := range f.known {
		if v.state == memory.RefMoved {
			moved[key] = v.to
			sum += keyOf(memory.Ref{Path: v.to}) ^ key
		}
	}
	return func(r memory.Ref) string {
		if len(moved) == 0 {
			return ""
		}
		return moved[keyOf(r)]
	}, sum
}
