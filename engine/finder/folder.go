package finder

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"ltm/internal/cachefile"
	"ltm/memfile"
	"ltm/memory"
	"ltm/search"
	"ltm/store"
)

// folder is a search index over a directory, and the stamps of the files that are in
// it.
type folder struct {
	cache string // name of its cache file
	list  func(*store.View) (*store.Snapshot, error)
	read  func(*store.View, memory.ID) (*memfile.File, error)

	index    *search.Index
	stamps   map[memory.ID]store.Stamp
	snapshot *store.Snapshot // the directory as it was last compared
	saved    int             // documents in the cache file
	behind   int             // changes since

	texts     map[memory.ID]memory.Memory // what hits were made of, until their files change
	textBytes int
	alike     map[memory.ID]search.Likeness // of texts that are kept

	ready      map[memory.ID]*search.Text // texts that passages were picked from, until their files change
	readyBytes int
}

// maxTextBytes bounds the texts that a server keeps to answer from, and apart from
// them those that are ready to pick passages from.
const maxTextBytes = 16 << 20

// The names of the cache files, one for each directory.
const (
	activeCache  = "search-memories"
	archiveCache = "search-archives"
)

// A cache file is written anew when a cold process would have to read more than
// this many files beside it, or this share of them: encoding takes longer than
// reading a few.
const (
	cacheBehind      = 32
	cacheBehindShare = 200 // one in so many
)

// current brings an index up to date with all of its directory.
func (x *folder) current(ctx context.Context, v *store.View) (*store.Snapshot, error) {
	snapshot, err := x.list(v)
	if err != nil {
		return nil, err
	}
	_, err = x.refresh(ctx, v, snapshot, -1)
	return snapshot, err
}

// refresh brings an index up to date with a snapshot: only files whose stamp
// changed are read. A file that just went away, or broke, is left out. It
// reports false, without an index, when more than most files would have to be
// read; most < 0 has no bound.
func (x *folder) refresh(ctx context.Context, v *store.View, s *store.Snapshot, most int) (bool, error) {
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

// since lists the files that changed since they were indexed, and the memories that
// have none any more. In this process the readings of a file tell; of what another
// one indexed the stamps do, unless one was too young to be believed.
func (x *folder) since(s *store.Snapshot) (changed []store.Record, gone []memory.ID) {
	if x.snapshot != nil {
		return x.between(x.snapshot.Records, s.Records)
	}
	kept := 0
	for _, r := range s.Records {
		stamp, known := x.stamps[r.ID]
		if known {
			kept++
		}
		if !r.Settled || stamp != r.Stamp {
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

// between compares the records of two snapshots, which are in the order of their ids.
func (x *folder) between(before, now []store.Record) (changed []store.Record, gone []memory.ID) {
	for i := range now {
		r := &now[i]
		for len(before) > 0 && before[0].ID < r.ID {
			gone, before = append(gone, before[0].ID), before[1:]
		}
		if len(before) == 0 || before[0].ID != r.ID {
			changed = append(changed, *r)
			continue
		}
		if !r.SameReading(before[0]) {
			changed = append(changed, *r)
		} else if _, known := x.stamps[r.ID]; known && r.Settled && !before[0].Settled {
			x.stamps[r.ID] = r.Stamp
		}
		before = before[1:]
	}
	for _, r := range before {
		gone = append(gone, r.ID)
	}
	return changed, gone
}

func (x *folder) put(v *store.View, r store.Record) error {
	file, err := x.read(v, r.ID)
	switch code := memory.CodeOf(err); {
	case code == memory.CodeNotFound || code == memory.CodeUnreadable:
		x.drop(r.ID)
		return nil
	case err != nil:
		return err
	}
	x.index.Put(docOf(file.Memory))
	x.forgetText(r.ID)
	if x.snapshot != nil { // a change, which a question or another store is likely to meet
		x.keep(file.Memory)
	}
	x.stamps[r.ID] = r.Stamp
	if !r.Settled {
		x.stamps[r.ID] = store.Stamp{}
	}
	x.behind++
	return nil
}

func (x *folder) drop(id memory.ID) {
	x.index.Delete(string(id))
	delete(x.stamps, id)
	x.forgetText(id)
	x.behind++
}

func (x *folder) forgetText(id memory.ID) {
	delete(x.texts, id)
	delete(x.alike, id)
	delete(x.ready, id)
}

// text returns a memory that the index holds. After a refresh what was kept is
// as new as its file.
func (x *folder) text(v *store.View, id memory.ID) (memory.Memory, error) {
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

func (x *folder) keep(m memory.Memory) {
	x.textBytes += len(m.Content) + len(m.Summary)
	if x.texts == nil || x.textBytes > maxTextBytes {
		x.texts, x.alike, x.textBytes = map[memory.ID]memory.Memory{}, map[memory.ID]search.Likeness{}, 0
	}
	x.texts[m.ID] = m
}

// likeness returns what new memories are compared with: of one that text returned it
// is made once.
func (x *folder) likeness(m memory.Memory) search.Likeness {
	made, known := x.alike[m.ID]
	if !known {
		made = search.NewLikeness(m.Topic + "\n" + cmp.Or(m.Content, m.Summary))
		x.textBytes += len(m.Content)
		x.alike[m.ID] = made
	}
	return made
}

// passageText returns what passages are picked from: of a memory that text returned it
// is made ready once.
func (x *folder) passageText(m memory.Memory) *search.Text {
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

func docOf(m memory.Memory) search.Doc {
	content := m.Content
	if m.Phase == memory.Abstract || !strings.Contains(content, m.Summary) {
		content = m.Summary + "\n\n" + content
	}
	return search.Doc{ID: string(m.ID), Topic: m.Topic, Content: content, Tags: m.Tags, Created: m.CreatedAt}
}

// load takes over the index that another process left in the cache.
func (x *folder) load(v *store.View) {
	x.index, x.stamps, x.saved, x.behind = search.New(), map[memory.ID]store.Stamp{}, 0, 0
	stamps, rest, ok := decodeStamps(v.ReadCache(x.cache))
	if !ok {
		return
	}
	index, err := search.Decode(rest)
	if err != nil || index.Len() != len(stamps) {
		return
	}
	x.index, x.stamps, x.saved = index, stamps, len(stamps)
}

// save leaves the index to other processes, when the one in the cache has
// fallen too far behind.
func (x *folder) save(v *store.View) {
	if x.behind <= max(cacheBehind, x.saved/cacheBehindShare) {
		return
	}
	v.WriteCache(x.cache, append(encodeStamps(x.stamps), x.index.Encode()...))
	x.saved, x.behind = len(x.stamps), 0
}

// encodeStamps returns a block with the stamps, each with its id.
func encodeStamps(stamps map[memory.ID]store.Stamp) []byte {
	b := binary.AppendUvarint(slices.Grow(cachefile.Begin(nil), len(stamps)*32), uint64(len(stamps)))
	for id, s := range stamps {
		b = cachefile.AppendString(b, string(id))
		b = binary.AppendVarint(b, s.Size)
		b = binary.AppendVarint(b, s.ModTime)
	}
	cachefile.End(b, 0, 0)
	return b
}

// leastStamp is how many bytes a stamp takes at least: the length of its id, its size
// and its time.
const leastStamp = 3

// decodeStamps reads what encodeStamps wrote and returns what follows it.
func decodeStamps(b []byte) (stamps map[memory.ID]store.Stamp, rest []byte, ok bool) {
	fields, rest, _, err := cachefile.Next(b, 0)
	if err != nil {
		return nil, nil, false
	}
	r := cachefile.NewReader(string(fields))
	n := r.Count(leastStamp)
	stamps = make(map[memory.ID]store.Stamp, n)
	for range n {
		id := memory.ID(r.Field())
		stamps[id] = store.Stamp{Size: r.Varint(), ModTime: r.Varint()}
	}
	return stamps, rest, r.Complete()
}
