package search

import (
	"encoding/binary"
	"iter"
	"sort"

	"ltm/internal/fs/cachefile"
)

// frozen is the part of an index that is read in place from encoded bytes: looking up a word
// touches a few cache lines, not the whole file.
type frozen struct {
	docs  int
	words table // word to its postings
	stems table // stem to the numbers of its words
}

// table is a sorted dictionary of byte strings. Keys are ordered by length, then by bytes: those of
// one length are contiguous, need no offsets, and are found by binary search, and the keys of
// similar length, which a misspelled word needs, are one range.
type table struct {
	first  [maxWord + 2]uint32 // number of keys shorter than this
	start  [maxWord + 2]int    // offset of the keys of this length
	keys   []byte
	ends   []byte // offset in values at which each value ends, 4 bytes each
	values []byte
}

func (t *table) len() int { return int(t.first[maxWord+1]) }

func (t *table) find(key string) (int, bool) {
	size := len(key)
	if size == 0 || size > maxWord {
		return 0, false
	}
	i := t.from(size, key)
	return i, i < int(t.first[size+1]) && string(t.key(i, size)) == key
}

// from returns the number of the first key of length size that is not less than key, which may be
// shorter. Without such a key, it is the number of the first longer key.
func (t *table) from(size int, key string) int {
	lo, hi := int(t.first[size]), int(t.first[size+1])
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if string(t.key(mid, size)) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// begun yields the keys that are longer than prefix and begin with it.
func (t *table) begun(prefix string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for size := len(prefix) + 1; size <= maxWord; size++ {
			for i := t.from(size, prefix); i < int(t.first[size+1]); i++ {
				key := t.key(i, size)
				if string(key[:len(prefix)]) != prefix {
					break
				}
				if !yield(i, string(key)) {
					return
				}
			}
		}
	}
}

// key returns key number i, whose length must be size.
func (t *table) key(i, size int) []byte {
	at := t.start[size] + (i-int(t.first[size]))*size
	return t.keys[at : at+size]
}

func (t *table) keyOf(i int) []byte {
	size := sort.Search(maxWord, func(size int) bool { return int(t.first[size+1]) > i })
	return t.key(i, size)
}

// value returns value number i, or nil if the bytes are damaged.
func (t *table) value(i int) []byte {
	if i < 0 || i >= t.len() {
		return nil
	}
	from, to := 0, int(binary.LittleEndian.Uint32(t.ends[4*i:]))
	if i > 0 {
		from = int(binary.LittleEndian.Uint32(t.ends[4*(i-1):]))
	}
	if from > to || to > len(t.values) {
		return nil
	}
	return t.values[from:to]
}

func (t *table) all(yield func(i int, key []byte)) {
	for size := 1; size <= maxWord; size++ {
		for i := int(t.first[size]); i < int(t.first[size+1]); i++ {
			yield(i, t.key(i, size))
		}
	}
}

// numbers decodes ascending numbers below limit.
func numbers(b []byte, limit int) []int {
	out := make([]int, 0, 4)
	for at := 0; len(b) > 0; {
		d, n := uvarint32(b)
		at += int(d)
		if n == 0 || at >= limit {
			break
		}
		out = append(out, at)
		b = b[n:]
	}
	return out
}

// tableWriter builds a table from sorted keys.
type tableWriter struct {
	counts [maxWord + 1]uint32
	keys   []byte
	ends   []byte
	values []byte
}

// end ends the value for key, which the caller appended to values.
func (w *tableWriter) end(key string) {
	w.counts[len(key)]++
	w.keys = append(w.keys, key...)
	w.ends = binary.LittleEndian.AppendUint32(w.ends, uint32(len(w.values)))
}

// appendTo writes the table: counts by length, the size of the values, keys, ends, values.
func (w *tableWriter) appendTo(b []byte) []byte {
	for _, n := range w.counts {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.values)))
	b = append(b, w.keys...)
	b = append(b, w.ends...)
	return append(b, w.values...)
}

// readTable reads what appendTo wrote; ok is false if the sizes do not add up.
func readTable(r *cachefile.Reader[[]byte]) (t table, ok bool) {
	keys, n := uint64(0), uint64(0)
	for size := 0; size <= maxWord; size++ {
		t.first[size], t.start[size] = uint32(n), int(keys)
		count := uint64(r.Uint32())
		n += count
		keys += count * uint64(size)
		if size == 0 && count > 0 || n > uint64(r.Len()) || keys > uint64(r.Len()) {
			return table{}, false
		}
	}
	t.first[maxWord+1], t.start[maxWord+1] = uint32(n), int(keys)
	size := r.Uint32()
	t.keys = r.Bytes(keys)
	t.ends = r.Bytes(4 * n)
	t.values = r.Bytes(uint64(size))
	return t, !r.Failed()
}
