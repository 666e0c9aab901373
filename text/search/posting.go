package search

import (
	"encoding/binary"
	"math/bits"
)

// The postings of a word have an entry for each document that contains it, in ascending order:
//
//	uvarint  distance to the previous document's slot, times 2, plus 1 if the
//	         word occurs once in tags or content (the common case)
//	uvarint  its weighted count, see half, times 2, plus 1 if it is in an alias
//	                                              (absent in the common case)
//	uvarint  its weighted count in aliases        (absent if it is in none)
//	uvarint  number of bytes of positions         (absent in the common case)
//	uvarint… positions, each as the distance to the previous one
//
// Readers trust nothing: damaged bytes end a list early.

// half is the weight of a word in tags or content; topicHalves is that of a word in the topic.
// Counting in halves keeps weights integers.
const (
	half        = 2
	topicHalves = 3
)

// maxPositions is the limit for each word and document. Positions serve phrases and proximity, and
// a huge document must not dominate the index.
const maxPositions = 64

// appendPosting appends one document's entry. gap is the distance from the previous document's slot.
func appendPosting(b []byte, gap, count, alias uint32, positions []uint32) []byte {
	if count == half && alias == 0 && len(positions) == 1 {
		b = binary.AppendUvarint(b, uint64(gap)<<1|1)
		return binary.AppendUvarint(b, uint64(positions[0]))
	}
	b = binary.AppendUvarint(b, uint64(gap)<<1)
	b = appendCounts(b, count, alias)
	size, prev := 0, uint32(0)
	for _, p := range positions[:min(len(positions), maxPositions)] {
		size += max(1, (bits.Len32(p-prev)+6)/7) // as a uvarint
		prev = p
	}
	b = binary.AppendUvarint(b, uint64(size))
	prev = 0
	for _, p := range positions[:min(len(positions), maxPositions)] {
		b = binary.AppendUvarint(b, uint64(p-prev))
		prev = p
	}
	return b
}

func appendCounts(b []byte, count, alias uint32) []byte {
	if alias == 0 {
		return binary.AppendUvarint(b, uint64(count)<<1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(count)<<1|1), uint64(alias))
}

// cursor reads a list of postings. The zero cursor is at the end of an empty list. It holds offsets instead of slices
// of the data: writing a pointer for each document costs a write barrier during garbage collection. Declare it before a
// "for" statement, which would otherwise copy it for each document.
type cursor struct {
	data     []byte
	at       int    // of the next document
	slot     uint32 // of the current document
	count    uint32 // its weighted count
	alias    uint32 // and that in its aliases
	from, to int    // its positions
	limit    uint32 // the first slot beyond the list's
	begun    bool
	plain    bool // the common case
}

// list is the postings of one word in one part of the index: slots are relative to base and below limit.
type list struct {
	data        []byte
	base, limit uint32
}

func (l list) cursor() cursor {
	return cursor{data: l.data, slot: l.base, limit: l.limit}
}

// next moves to the next document and reports whether there is one.
func (c *cursor) next() bool {
	head, n := uvarint32(c.data[c.at:])
	if n == 0 {
		return false
	}
	at := c.at + n
	gap := head >> 1
	slot := c.slot + gap
	if slot < c.slot || slot >= c.limit || gap == 0 && c.begun {
		return c.end()
	}
	c.slot, c.begun, c.plain = slot, true, head&1 == 1
	if c.plain {
		to := at
		for to < len(c.data) && c.data[to] >= 0x80 {
			to++
		}
		to = min(to+1, len(c.data))
		c.count, c.alias, c.from, c.to, c.at = half, 0, at, to, to
		return true
	}
	count, n := uvarint32(c.data[at:])
	at += n
	c.alias = 0
	if count&1 == 1 {
		alias, n := uvarint32(c.data[at:])
		if n == 0 {
			return c.end()
		}
		c.alias = alias
		at += n
	}
	size, m := uvarint32(c.data[at:])
	from := at + m
	if n == 0 || m == 0 || uint64(size) > uint64(len(c.data)-from) {
		return c.end()
	}
	c.count, c.from, c.to = count>>1, from, from+int(size)
	c.at = c.to
	return true
}

func (c *cursor) end() bool {
	c.at = len(c.data)
	return false
}

// positions appends the positions of the current document to dst.
func (c *cursor) positions(dst []uint32) []uint32 {
	prev := uint32(0)
	for rest := c.data[c.from:c.to]; len(rest) > 0; {
		d, n := uvarint32(rest)
		if n == 0 {
			break
		}
		prev += d
		dst = append(dst, prev)
		rest = rest[n:]
	}
	return dst
}

// appendTo appends the current document's entry to b with a different gap.
func (c *cursor) appendTo(b []byte, gap uint32) []byte {
	if c.plain {
		b = binary.AppendUvarint(b, uint64(gap)<<1|1)
		return append(b, c.data[c.from:c.to]...)
	}
	b = binary.AppendUvarint(b, uint64(gap)<<1)
	b = appendCounts(b, c.count, c.alias)
	b = binary.AppendUvarint(b, uint64(c.to-c.from))
	return append(b, c.data[c.from:c.to]...)
}

// uvarint32 decodes a number of up to 32 bits; n is 0 if the bytes hold none.
func uvarint32(b []byte) (v uint32, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint32(b[0]), 1
	}
	for n < len(b) && n < 5 {
		c := b[n]
		v |= uint32(c&0x7F) << (7 * n)
		n++
		if c < 0x80 {
			return v, n
		}
	}
	return 0, 0
}
