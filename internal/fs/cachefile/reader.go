package cachefile

import (
	"encoding/binary"
	"math"
)

// Reader reads the fields of a block one after another. The fields share memory with the bytes
// that it was given, which must not change. After the first failure every field is zero.
type Reader[T string | []byte] struct {
	rest   T
	failed bool
}

func NewReader[T string | []byte](fields T) Reader[T] { return Reader[T]{rest: fields} }

func (r *Reader[T]) Len() int { return len(r.rest) }

func (r *Reader[T]) Failed() bool { return r.failed }

// Complete reports whether everything was read, and nothing failed.
func (r *Reader[T]) Complete() bool { return !r.failed && len(r.rest) == 0 }

func (r *Reader[T]) fail() { r.failed, r.rest = true, r.rest[:0] }

func (r *Reader[T]) Bytes(n uint64) T {
	if n > uint64(len(r.rest)) {
		r.fail()
		return r.rest
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// Uint32 reads four bytes, little-endian.
func (r *Reader[T]) Uint32() uint32 {
	var n uint32
	b := r.Bytes(4)
	for i := range len(b) {
		n |= uint32(b[i]) << (8 * i)
	}
	return n
}

// Uint64 reads eight bytes, little-endian.
func (r *Reader[T]) Uint64() uint64 {
	var n uint64
	b := r.Bytes(8)
	for i := range len(b) {
		n |= uint64(b[i]) << (8 * i)
	}
	return n
}

// Float64 reads eight bytes, little-endian, as IEEE 754 bits.
func (r *Reader[T]) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// Uvarint reads a number that [binary.AppendUvarint] wrote.
func (r *Reader[T]) Uvarint() uint64 {
	var n uint64
	for i := range min(len(r.rest), binary.MaxVarintLen64) {
		b := r.rest[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

// Varint reads a number that [binary.AppendVarint] wrote.
func (r *Reader[T]) Varint() int64 {
	n := r.Uvarint()
	return int64(n>>1) ^ -int64(n&1)
}

// Count reads the number of items that follow, each of at least size bytes. It fails if they
// cannot fit into the bytes left, so callers may safely allocate that many.
func (r *Reader[T]) Count(size int) int {
	n := r.Uvarint()
	if n > uint64(len(r.rest)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

// Field reads a string that [AppendString] wrote.
func (r *Reader[T]) Field() T { return r.Bytes(r.Uvarint()) }

// Fields reads strings that [AppendStrings] wrote.
func (r *Reader[T]) Fields() []T {
	all := make([]T, r.Count(1))
	for i := range all {
		all[i] = r.Field()
	}
	return all
}
