package finder

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"ltm/internal/fs/cachefile"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
	"ltm/text/search"
)

// directory is the search index of one directory, with the stamps of the indexed files.
type directory struct {
	cache string // name of its cache file
	list  func(*store.View) (*store.Snapshot, error)
	read  func(*store.View, memory.ID) (*memfile.File, error)

	index    *search.Index
	stamps   map[memory.ID]store.Stamp
	learned  map[memory.ID][]string // learned aliases in the index
	snapshot *store.Snapshot        // the directory as it was last compared
	saved    int                    // documents in the cache file
	behind   int                    // changes since

	texts     map[memory.ID]memory.Memory // memories that were read, until their files change
	textBytes int
	alike     map[memory.ID]Likeness // of texts that are kept

	ready      map[memory.ID]*search.Text // texts prepared for passages, until their files change
	readyBytes int
}

// maxTextBytes bounds the size of texts, and separately that of ready.
const maxTextBytes = 16 << 20

// The names of the cache files, one for each directory.
const (
	activeCache  = "search-memories"
	archiveCache = "search-archives"
)

// A cache file is rewritten when a new process would have to read more than this many files that
// changed since, or more than this share of all: encoding takes longer than reading a few files.
const (
	cacheBehind      = 32
	cacheBehindShare = 200 // one in so many
)

// current brings an index up to date with all of its directory.
func (x *directory) current(ctx context.Context, v *store.View) (*store.Snapshot, error) {
	snapshot, err := x.list(v)
	if err != nil {
		return nil, err
	}
	_, err = x.refresh(ctx, v, snapshot, -1)
	return snapshot, err
}

// refresh brings an index up to date with a snapshot, by reading the files that changed. It
// leaves out files that are gone or unreadable. If it would have to read more than most files, it
// returns false and leaves the index out of date; most < 0 means no limit.
func (x *directory) refresh(ctx context.Context, v *store.View, s *store.Snapshot, most int) (bool, error) {
	if x.index != nil && x.snapshot == s {
		return true, nil
	}
	if x.index == nil {
		x.load(v)
	}
	changed, gone := x.since(s)
	if most >= 0 && len(changed) > most {
		return false, nil
	}
	for _, id := range gone {
		x.drop(id)
	}
	for _, r := range changed {
		if err := ctx.Err(); err != nil {
			return false, &memory.Error{Code: memory.CodeBusy, Kind: memory.KindSearchStopped,
				Message: "the search was stopped", Err: err}
		}
		if err := x.put(v, r); err != nil {
			return false, err
		}
	}
	x.snapshot = s
	x.save(v)
	return true, nil
}

// since lists the files that changed since they were indexed, and the memories whose files are
// gone. What this process has indexed is compared by the readings of its snapshots. What another
// process indexed is compared by stamps, and a stamp that is too recent is not trusted.
func (x *directory) since(s *store.Snapshot) (changed []store.Record, gone []memory.ID) {
	if x.snapshot != nil {
		return x.between(x.snapshot.Records, s.Records)
	}
	kept := 0
	for _, r := range s.Records {
		stamp, known := x.stamps[r.ID]
		if known {
			kept++
		}
		if !r.Stable() || r.Stamp() != stamp {
			changed = append(changed, r)
		}
	}
	if kept < len(x.stamps) {
		for id := range x.stamps {
			if _, ok := s.Find(id); !ok {
				gone = append(gone, id)
			}
		}
	}
	return changed, gone
}

// between compares the memories of two snapshots, which are in the order of their ids.
func (x *directory) between(before, now []store.Record) (changed []store.Record, gone []memory.ID) {
	for _, r := range now {
		for len(before) > 0 && before[0].ID < r.ID {
			gone, before = append(gone, before[0].ID), before[1:]
		}
		if len(before) == 0 || before[0].ID != r.ID {
			changed = append(changed, r)
			continue
		}
		if !r.SameReading(before[0]) {
			changed = append(changed, r)
		} else if _, known := x.stamps[r.ID]; known && r.Stable() && !before[0].Stable() {
			x.stamps[r.ID] = r.Stamp()
		}
		before = before[1:]
	}
	for _, r := range before {
		gone = append(gone, r.ID)
	}
	return changed, gone
}

func (x *directory) put(v *store.View, r store.Record) error {
	file, err := x.read(v, r.ID)
	switch code := memory.CodeOf(err); {
	case code == memory.CodeNotFound || code == memory.CodeUnreadable:
		x.drop(r.ID)
		return nil
	case err != nil:
		return err
	}
	x.index.Put(docOf(file.Memory, x.learned[r.ID]))
	x.forgetText(r.ID)
	if x.snapshot != nil { // a changed memory is likely to be asked for soon
		x.keep(file.Memory)
	}
	x.stamps[r.ID] = store.Stamp{}
	if r.Stable() {
		x.stamps[r.ID] = r.Stamp()
	}
	x.behind++
	return nil
}

// teach gives memories of the index their learned aliases. It skips those that it cannot read, which only costs hits.
func (x *directory) teach(v *store.View, learned map[memory.ID][]string) {
	if len(learned)+len(x.learned) == 0 {
		return
	}
	for id := range x.learned {
		if len(learned[id]) == 0 {
			x.relearn(v, id, nil)
		}
	}
	for id, aliases := range learned {
		if !slices.Equal(aliases, x.learned[id]) {
			x.relearn(v, id, aliases)
		}
	}
}

func (x *directory) relearn(v *store.View, id memory.ID, aliases []string) {
	if _, known := x.stamps[id]; !known {
		return
	}
	m, err := x.text(v, id)
	if err != nil {
		return
	}
	x.learned[id] = aliases
	if len(aliases) == 0 {
		delete(x.learned, id)
	}
	x.index.Put(docOf(m, aliases))
	x.behind++
}

func (x *directory) drop(id memory.ID) {
	x.index.Delete(string(id))
	delete(x.stamps, id)
	delete(x.learned, id)
	x.forgetText(id)
	x.behind++
}

func (x *directory) forgetText(id memory.ID) {
	delete(x.texts, id)
	delete(x.alike, id)
	delete(x.ready, id)
}

// text returns a memory that the index holds, from memory or from its file. After a refresh the two are the same.
func (x *directory) text(v *store.View, id memory.ID) (memory.Memory, error) {
	if m, ok := x.texts[id]; ok {
		return m, nil
	}
	file, err := x.read(v, id)
	if err != nil {
		return memory.Memory{}, err
	}
	x.keep(file.Memory)
	return file.Memory, nil
}

func (x *directory) keep(m memory.Memory) {
	x.textBytes += len(m.Content) + len(m.Summary)
	if x.texts == nil || x.textBytes > maxTextBytes {
		x.texts, x.alike, x.textBytes = map[memory.ID]memory.Memory{}, map[memory.ID]Likeness{}, 0
	}
	x.texts[m.ID] = m
}

// likeness returns the likeness of a memory that text returned. It is computed once.
func (x *directory) likeness(m memory.Memory) Likeness {
	made, known := x.alike[m.ID]
	if !known {
		made = LikenessOf(m)
		x.textBytes += len(m.Content)
		x.alike[m.ID] = made
	}
	return made
}

// passageText returns the prepared text of a memory that text returned. It is prepared once.
func (x *directory) passageText(m memory.Memory) *search.Text {
	t, known := x.ready[m.ID]
	if !known {
		t = search.NewText(shownText(m))
		x.readyBytes += t.Size()
		if x.ready == nil || x.readyBytes > maxTextBytes {
			x.ready, x.readyBytes = map[memory.ID]*search.Text{}, t.Size()
		}
		x.ready[m.ID] = t
	}
	return t
}

func docOf(m memory.Memory, learned []string) search.Doc {
	content := m.Content
	if m.Phase == memory.Abstract || !strings.Contains(content, m.Summary) {
		content = m.Summary + "\n\n" + content
	}
	return search.Doc{ID: string(m.ID), Topic: m.Topic, Content: content, Tags: m.Tags, Created: m.CreatedAt,
		Aliases: m.Aliases, Learned: learned}
}

// load reads the index from the cache, or starts with an empty one.
func (x *directory) load(v *store.View) {
	x.index, x.stamps, x.learned, x.saved, x.behind = search.New(), map[memory.ID]store.Stamp{},
		map[memory.ID][]string{}, 0, 0
	stamps, learned, rest, ok := decodeStamps(v.ReadCache(x.cache))
	if !ok {
		return
	}
	index, err := search.Decode(rest)
	if err != nil || index.Len() != len(stamps) {
		return
	}
	x.index, x.stamps, x.learned, x.saved = index, stamps, learned, len(stamps)
}

// save writes the index to the cache if the one there has fallen too far behind.
func (x *directory) save(v *store.View) {
	if x.behind <= max(cacheBehind, x.saved/cacheBehindShare) {
		return
	}
	v.WriteCache(x.cache, append(encodeStamps(x.stamps, x.learned), x.index.Encode()...))
	x.saved, x.behind = len(x.stamps), 0
}

// encodeStamps encodes stamps and learned aliases, each with their ids, as a block.
func encodeStamps(stamps map[memory.ID]store.Stamp, learned map[memory.ID][]string) []byte {
	b := binary.AppendUvarint(slices.Grow(cachefile.Begin(nil), len(stamps)*32), uint64(len(stamps)))
	for id, s := range stamps {
		b = cachefile.AppendString(b, string(id))
		b = binary.AppendVarint(b, s.Size)
		b = binary.AppendVarint(b, s.ModTime)
	}
	b = binary.AppendUvarint(b, uint64(len(learned)))
	for id, aliases := range learned {
		b = cachefile.AppendStrings(cachefile.AppendString(b, string(id)), aliases)
	}
	cachefile.End(b, 0)
	return b
}

// leastStamp is the minimum number of bytes of a stamp: the length of its id, its size and its time.
const leastStamp = 3

// decodeStamps decodes what encodeStamps wrote, and returns the bytes after it.
func decodeStamps(b []byte) (stamps map[memory.ID]store.Stamp, learned map[memory.ID][]string, rest []byte, ok bool) {
	fields, rest, err := cachefile.Next(b)
	if err != nil {
		return nil, nil, nil, false
	}
	r := cachefile.NewReader(string(fields))
	n := r.Count(leastStamp)
	stamps = make(map[memory.ID]store.Stamp, n)
	for range n {
		id := memory.ID(r.Field())
		stamps[id] = store.Stamp{Size: r.Varint(), ModTime: r.Varint()}
	}
	n = r.Count(1)
	learned = make(map[memory.ID][]string, n)
	for range n {
		id := memory.ID(r.Field())
		learned[id] = r.Fields()
	}
	return stamps, learned, rest, r.Complete()
}
