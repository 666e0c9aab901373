package search

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ltm/internal/fs/cachefile"
)

// An encoded index is a cache file with one block:
//
//	4 bytes  number of documents
//	docs     length, alias length and creation time of each (4 + 4 + 8 bytes), length of its ID (4)
//	IDs      end to end
//	table    words to postings
//	table    stems to numbers of words
//
// Numbers are little-endian. A change of the layout, of tokenizing or of stemming needs a new
// version: an index is a cache, and an outdated one is rebuilt.
func format() cachefile.Format { return cachefile.Format{Magic: "ltmsrch", Version: 3} }

// docSize is how many bytes each document takes, before the IDs.
const docSize = 4 + 4 + 8 + 4

// ErrDamaged is wrapped by the errors of [Decode]: the bytes are not an index of this version, and
// the index must be rebuilt.
var ErrDamaged = errors.New("not a search index of this version")

// Encode returns the index in bytes, without dead slots. Indexes into which the same documents were
// put in the same order have the same encoding.
func (x *Index) Encode() []byte {
	b := format().Header()
	at := len(b)
	b = x.appendDocs(slices.Grow(cachefile.Begin(b), 4+x.live*(docSize+16)))
	words, stems := x.tables()
	b = words.appendTo(b)
	b = stems.appendTo(b)
	cachefile.End(b, at)
	return b
}

func (x *Index) appendDocs(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(x.live))
	for slot, id := range x.ids {
		if x.dead[slot] {
			continue
		}
		b = binary.LittleEndian.AppendUint32(b, x.lengths[slot])
		b = binary.LittleEndian.AppendUint32(b, x.aliased[slot])
		b = binary.LittleEndian.AppendUint64(b, uint64(x.created[slot]))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(id)))
	}
	for slot, id := range x.ids {
		if !x.dead[slot] {
			b = append(b, id...)
		}
	}
	return b
}

// entry is a word in either part of the index, or in both.
type entry struct {
	key  string
	stem string
	base int // its number in the frozen part; -1 if absent
	made int
}

// tables merges both parts of the index.
func (x *Index) tables() (words, stems tableWriter) {
	slots := x.newSlots()
	byStem := make(map[string][]uint32)
	n := uint32(0)
	for _, e := range x.entries() {
		before := len(words.values)
		words.values = x.appendMerged(words.values, e, slots)
		if len(words.values) == before {
			continue // only in dead slots
		}
		words.end(e.key)
		byStem[e.stem] = append(byStem[e.stem], n)
		n++
	}
	for _, s := range slices.SortedFunc(maps.Keys(byStem), compareKeys) {
		prev := uint32(0)
		for _, i := range byStem[s] {
			stems.values = binary.AppendUvarint(stems.values, uint64(i-prev))
			prev = i
		}
		stems.end(s)
	}
	return words, stems
}

func compareKeys(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// newSlots numbers the live slots.
func (x *Index) newSlots() []uint32 {
	slots, n := make([]uint32, len(x.dead)), uint32(0)
	for slot, dead := range x.dead {
		slots[slot] = n
		if !dead {
			n++
		}
	}
	return slots
}

func (x *Index) entries() []entry {
	all := make([]entry, 0, x.base.words.len()+len(x.fresh.words))
	x.base.words.all(func(i int, key []byte) {
		all = append(all, entry{key: string(key), base: i, made: -1})
	})
	x.base.stems.all(func(i int, s []byte) {
		for _, word := range numbers(x.base.stems.value(i), len(all)) {
			all[word].stem = string(s)
		}
	})
	frozen := len(all)
	for s, words := range x.fresh.stems {
		for _, i := range words {
			key := x.fresh.words[i].key
			if at, ok := x.base.words.find(key); ok && at < frozen {
				all[at].made = int(i)
				continue
			}
			all = append(all, entry{key: key, stem: s, base: -1, made: int(i)})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return compareKeys(a.key, b.key) })
	return all
}

// appendMerged appends the postings of a word, renumbered to the new slots.
func (x *Index) appendMerged(b []byte, e entry, slots []uint32) []byte {
	prev := uint32(0)
	for _, l := range x.lists(e.base, e.made) {
		c := l.cursor()
		for c.next() {
			if x.dead[c.slot] {
				continue
			}
			b = c.appendTo(b, slots[c.slot]-prev)
			prev = slots[c.slot]
		}
	}
	return b
}

// lists returns the postings of a word, given its numbers in both parts.
func (x *Index) lists(base, made int) []list {
	var out []list
	if base >= 0 {
		out = append(out, list{x.base.words.value(base), 0, uint32(x.base.docs)})
	}
	if made >= 0 {
		out = append(out, list{x.fresh.words[made].data, uint32(x.base.docs), uint32(len(x.ids))})
	}
	return out
}

// Decode returns the index that b encodes. The index keeps b and reads it in place, so b must not
// change afterwards. Errors wrap [ErrDamaged].
func Decode(b []byte) (*Index, error) {
	blocks, ok := format().Cut(b)
	if !ok {
		return nil, fmt.Errorf("%w: no header", ErrDamaged)
	}
	fields, rest, err := cachefile.Next(blocks)
	if err != nil {
		return nil, fmt.Errorf("%w: wrong checksum", ErrDamaged)
	}
	r := cachefile.NewReader(fields)
	x := New()
	ok = x.readDocs(&r)
	if ok {
		x.base.words, ok = readTable(&r)
	}
	if ok {
		x.base.stems, ok = readTable(&r)
	}
	if !ok || r.Len() > 0 || len(rest) > 0 {
		return nil, fmt.Errorf("%w: sizes do not add up", ErrDamaged)
	}
	return x, nil
}

func (x *Index) readDocs(r *cachefile.Reader[[]byte]) bool {
	n := int(r.Uint32())
	docs := r.Bytes(uint64(n) * docSize)
	if r.Failed() {
		return false
	}
	x.ids = make([]string, n)
	x.lengths = make([]uint32, n)
	x.aliased = make([]uint32, n)
	x.created = make([]int64, n)
	x.dead = make([]bool, n)
	for i := range n {
		d := docs[i*docSize:]
		x.lengths[i] = binary.LittleEndian.Uint32(d)
		x.aliased[i] = binary.LittleEndian.Uint32(d[4:])
		x.created[i] = int64(binary.LittleEndian.Uint64(d[8:]))
		x.ids[i] = string(r.Bytes(uint64(binary.LittleEndian.Uint32(d[16:]))))
	}
	x.base.docs, x.live = n, n
	return !r.Failed()
}
