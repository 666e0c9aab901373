// Package cachefile is the codec of caches: bytes that one process leaves for the
// next, and that can be missing, damaged, cut off, of another version, or written by
// someone else.
//
// A cache file is a magic string and a version byte, followed by blocks. A block is its length (4
// bytes, little-endian), a CRC-32 that continues that of the block before it, and its fields. So
// a block is valid only after the blocks that its writer had read, and two processes may append
// at the same time.
//
// A [Reader] decodes fields. It never reads or allocates more than the block contains. A checksum does not prove who
// wrote a block, so callers must check the values.
package cachefile

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// ErrDamaged reports a block that is cut off or does not match its checksum.
var ErrDamaged = errors.New("damaged cache")

// Format is a kind of cache file and its version. Other versions are not read.
type Format struct {
	Magic   string
	Version byte
}

// Header returns the bytes that a file begins with.
func (f Format) Header() []byte { return append([]byte(f.Magic), f.Version) }

// Cut returns the blocks of a file, or false if it is of another kind or version.
func (f Format) Cut(data []byte) (blocks []byte, ok bool) {
	n := len(f.Magic)
	if len(data) <= n || string(data[:n]) != f.Magic || data[n] != f.Version {
		return nil, false
	}
	return data[n+1:], true
}

// blockHead is the size of a block's length and checksum.
const blockHead = 4 + 4

// Begin appends the head of a block, to which the caller appends the fields. [End]
// completes it.
func Begin(b []byte) []byte { return append(b, make([]byte, blockHead)...) }

// End completes the block that begins at b[at:] and extends to the end of b. sum is the checksum
// of the block before, or 0. It returns the checksum of this block.
func End(b []byte, at int, sum uint32) uint32 {
	fields := b[at+blockHead:]
	sum = checksum(sum, fields)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(fields)))
	binary.LittleEndian.PutUint32(b[at+4:], sum)
	return sum
}

// Next returns the fields of the first block of data, and the bytes after it. sum is the checksum
// of the block before, or 0; next is that of this block. It fails with [ErrDamaged].
func Next(data []byte, sum uint32) (fields, rest []byte, next uint32, err error) {
	if len(data) < blockHead {
		return nil, nil, 0, ErrDamaged
	}
	length := binary.LittleEndian.Uint32(data)
	next = binary.LittleEndian.Uint32(data[4:])
	data = data[blockHead:]
	if uint64(length) > uint64(len(data)) {
		return nil, nil, 0, ErrDamaged
	}
	fields, rest = data[:length:length], data[length:]
	if checksum(sum, fields) != next {
		return nil, nil, 0, ErrDamaged
	}
	return fields, rest, next, nil
}

// checksum continues a checksum with the fields of a block. The tables of the other polynomial, CRC-32C,
// take a hook's process seven times as long to make as the checksum of 1,000 memories does.
func checksum(sum uint32, fields []byte) uint32 { return crc32.Update(sum, crc32.IEEETable, fields) }

// AppendString appends a string field: its length as a uvarint, and its bytes.
func AppendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// AppendStrings appends the number of strings as a uvarint, and each as [AppendString] does.
func AppendStrings(b []byte, all []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, s := range all {
		b = AppendString(b, s)
	}
	return b
}
