package recall

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"ltm/text/search"
)

// Kind is the kind of a row.
type Kind string

// The kinds.
const (
	Event   Kind = "event"
	Summary Kind = "summary"
	Claim   Kind = "claim"
)

// Kinds lists all kinds.
func Kinds() []Kind { return []Kind{Event, Summary, Claim} }

// Said is an event of a thread.
type Said struct {
	ID     string
	Thread string
	Seq    int64  // orders the events of a subject
	Agent  string // who said it by name, if that is known
	Text   string
	At     time.Time // when it was said
}

// Note is a summary or a claim.
type Note struct {
	ID     string
	Thread string // of a summary
	Text   string
	At     time.Time // until when it covers what was said
}

// Index holds the rows of one subject.
type Index struct {
	events  *search.Index
	rows    []row // in the order of Seq; their number, in 4 bytes, is the ID in events
	live    int
	threads map[string]*thread
	agents  []string // names, by row.agent less one

	once sync.Once
	byID map[string]uint32 // of live rows; made when it is first needed

	notes map[Kind]*notes
}

// row is what is known of an event without its text.
type row struct {
	id     string
	thread *thread
	seq    int64
	at     int64 // microseconds
	agent  uint16
	gone   bool
}

// thread has the live rows of a thread, in their order.
type thread struct {
	id   string
	rows []uint32
}

// notes are the summaries or the claims.
type notes struct {
	words *search.Index
	byID  map[string]Note
}

// New returns an empty index.
func New() *Index {
	return &Index{events: search.New(), threads: map[string]*thread{}, notes: map[Kind]*notes{
		Summary: {search.New(), map[string]Note{}}, Claim: {search.New(), map[string]Note{}}}}
}

// Len returns the number of events.
func (x *Index) Len() int { return x.live }

// Last returns the greatest Seq of the events that were put, and 0 if there were none.
func (x *Index) Last() int64 {
	if len(x.rows) == 0 {
		return 0
	}
	return x.rows[len(x.rows)-1].seq
}

// Put adds an event, which must come after all others by its Seq. Events do not change: one that is not new is
// ignored.
func (x *Index) Put(e Said) {
	if len(x.rows) > 0 && e.Seq <= x.Last() {
		return
	}
	t := x.threads[e.Thread]
	if t == nil {
		t = &thread{id: strings.Clone(e.Thread)}
		x.threads[t.id] = t
	}
	n := uint32(len(x.rows))
	doc := search.Doc{ID: name(n), Content: e.Text, Created: e.At.UTC()}
	if len(t.rows) > 0 {
		doc.After = name(t.rows[len(t.rows)-1])
	}
	x.events.Put(doc)
	x.rows = append(x.rows, row{id: strings.Clone(e.ID), thread: t, seq: e.Seq, at: e.At.UnixMicro(),
		agent: x.agent(e.Agent)})
	t.rows = append(t.rows, n)
	x.live++
	if x.byID != nil {
		x.byID[x.rows[n].id] = n
	}
}

// name returns the ID of a row in the index of words, whose order is that of the rows.
func name(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

// rowOf returns the row of an ID in the index of words.
func (x *Index) rowOf(id string) *row {
	return &x.rows[uint32(id[0])<<24|uint32(id[1])<<16|uint32(id[2])<<8|uint32(id[3])]
}

// maxAgents bounds the names that are kept; an application that names more of them does not name persons.
const maxAgents = 1000

// agent returns the number of an agent's name, and 0 for none.
func (x *Index) agent(name string) uint16 {
	if name == "" {
		return 0
	}
	i := slices.Index(x.agents, name)
	if i < 0 {
		if len(x.agents) == maxAgents {
			return 0
		}
		i = len(x.agents)
		x.agents = append(x.agents, strings.Clone(name))
	}
	return uint16(i + 1)
}

// Delete removes an event. An unknown one is ignored.
func (x *Index) Delete(id string) {
	n, ok := x.numbers()[id]
	if !ok {
		return
	}
	r := &x.rows[n]
	x.events.Delete(name(n))
	delete(x.byID, id)
	r.gone, r.id = true, ""
	at, _ := slices.BinarySearch(r.thread.rows, n)
	r.thread.rows = slices.Delete(r.thread.rows, at, at+1)
	if len(r.thread.rows) == 0 {
		delete(x.threads, r.thread.id)
	}
	x.live--
}

// numbers returns the rows by the ids of their events.
func (x *Index) numbers() map[string]uint32 {
	x.once.Do(func() {
		x.byID = make(map[string]uint32, x.live)
		for n, r := range x.rows {
			if !r.gone {
				x.byID[r.id] = uint32(n)
			}
		}
	})
	return x.byID
}

// SetNotes makes the summaries or the claims these.
func (x *Index) SetNotes(kind Kind, all []Note) {
	n := x.notes[kind]
	next := make(map[string]Note, len(all))
	for _, note := range all {
		next[note.ID] = note
	}
	for id := range n.byID {
		if _, ok := next[id]; !ok {
			n.words.Delete(id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(next)) {
		note := next[id]
		if known, ok := n.byID[id]; !ok || known.Text != note.Text || !known.At.Equal(note.At) {
			n.words.Put(search.Doc{ID: id, Content: note.Text, Created: note.At})
		}
	}
	n.byID = next
}

// Worn reports whether so many events were deleted that a rebuilt index takes much less memory.
func (x *Index) Worn() bool { return len(x.rows) > 2*x.live+1000 }

// Compact reduces the index to the least memory that it needs. It is worthwhile after many rows were put.
func (x *Index) Compact() {
	x.events.Compact()
	x.rows = slices.Clip(x.rows)
}

// Size estimates the memory that the index uses, in bytes.
func (x *Index) Size() int64 {
	const perRow, perName, perNote, perThread = 100, 64, 200, 150
	size := x.events.Size() + len(x.rows)*perRow + len(x.byID)*perName + len(x.threads)*perThread
	for _, n := range x.notes {
		size += n.words.Size() + len(n.byID)*perNote
		for _, note := range n.byID {
			size += len(note.Text)
		}
	}
	return int64(size)
}
