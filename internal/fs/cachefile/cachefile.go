// Package cachefile is the codec of caches: bytes that one process leaves for the next, and that can be missing,
// damaged, cut off, of another version, or written by someone else.
//
// A cache file is a magic string and a version byte, followed by blocks. A block is its length (4
// bytes, little-endian), the CRC-32 of its fields, and its fields.
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

// Begin appends the head of a block, to which the caller appends the fields. [End] completes it.
func Begin(b []byte) []byte { return append(b, make([]byte, blockHead)...) }

// End completes the block that begins at b[at:] and extends to the end of b.
func End(b []byte, at int) {
	fields := b[at+blockHead:]
	binary.LittleEndian.PutUint32(b[at:], uint32(len(fields)))
	binary.LittleEndian.PutUint32(b[at+4:], checksum(fields))
}

// Next returns the fields of the first block of data, and the bytes after it. It fails with [ErrDamaged].
func Next(data []byte) (fields, rest []byte, err error) {
	if len(data) < blockHead {
		return nil, nil, ErrDamaged
	}
	length, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	data = data[blockHead:]
	if uint64(length) > uint64(len(data)) || checksum(data[:length]) != sum {
		return nil, nil, ErrDamaged
	}
	return data[:length:length], data[length:], nil
}

// checksum returns the checksum of a block's fields. The tables of the other polynomial, CRC-32C,
// take a hook's process seven times as long to make as the checksum of 1,000 memories does.
func checksum(fields []byte) uint32 { return crc32.ChecksumIEEE(fields) }

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
