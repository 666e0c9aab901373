// Package gitindex reads git's index: which files a work tree tracks, and what they were when git last looked at them.
// It starts no process, so that hooks can afford it, and keeps only the entries that its caller asks for.
//
// go-git's decoder is not used: its hash is fixed at build time, so it cannot read SHA-256 repositories, and it
// allocates an object for every entry, of which there can be hundreds of thousands.
//
// The package is pure: it takes the bytes of the index, and never reads or allocates more than that.
package gitindex

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// ErrUnknown reports that the bytes are not an index, are damaged, or have a form that this package does
// not read: an index that is split into two files.
var ErrUnknown = errors.New("not an index of git that can be read")

// Entry is a file in the index. It is valid until the function that got it returns.
type Entry struct {
	Path  []byte // relative to the top, with slashes
	Size  uint32 // of the file, modulo 2^32; 0: git must look at its content
	Sec   uint32 // of its last change, as is Nano
	Nano  uint32
	Inode uint32

	// Absent: the file is not checked out (skip-worktree). In a sparse index, a path with a slash at its end is that of
	// a directory without any.
	Absent bool

	Link    bool // a symbolic link, whose target is its content
	Assumed bool // git was told to take it for unchanged
	Unread  bool // git knows its path alone (intent-to-add)

	id   []byte
	mode uint32
}

// ID returns git's id of the content, in hex.
func (e *Entry) ID() string { return hex.EncodeToString(e.id) }

// Digits returns the number of digits of ids in this index.
func (e *Entry) Digits() int { return 2 * len(e.id) }

func (e *Entry) Is(id string) bool {
	var raw [32]byte
	n, err := hex.Decode(raw[:], []byte(id[:min(len(id), 2*len(raw))]))
	return err == nil && bytes.Equal(raw[:n], e.id)
}

// The sizes of ids, in bytes, and the parts of an entry that have a fixed one.
const (
	headBytes = 12
	statBytes = 40
	flagBytes = 2

	regularMode = 0o100000
	sparseMode  = 0o040000
	linkMode    = 0o120000
	typeMask    = 0o170000

	flagAssumed  = 0x8000
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagName     = 0x0fff

	flagIntentToAdd  = 0x2000 // of the second flags
	flagSkipWorktree = 0x4000

	maxPath = 16 << 10 // longer ones are no system's
)

// Each calls fn with every regular file in an index that has no unresolved merge, in the order of their paths, and with
// the directories of a sparse index. Submodules and symbolic links are left out. It stops if fn returns false.
func Each(data []byte, fn func(Entry) bool) error {
	return All(data, func(e Entry) bool { return e.Link || e.Unread || fn(e) })
}

// All is [Each] with symbolic links, and files of which git knows the path alone.
func All(data []byte, fn func(Entry) bool) error {
	// The index does not say which hash its ids are made with. Only one fits.
	for _, size := range []int{20, 32} {
		if walk(data, size, func(Entry) bool { return true }) == nil {
			return walk(data, size, fn)
		}
	}
	return ErrUnknown
}

func walk(data []byte, idBytes int, fn func(Entry) bool) error {
	if len(data) < headBytes+idBytes || string(data[:4]) != "DIRC" {
		return ErrUnknown
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return ErrUnknown
	}
	rest := data[headBytes : len(data)-idBytes]
	var path []byte // of version 4, in one buffer: an entry of 64 bytes can have a path of maxPath
	for range count {
		var e Entry
		var wanted bool
		var err error
		if e, rest, wanted, err = next(rest, path, version, idBytes); err != nil {
			return err
		}
		path = e.Path
		if wanted && !fn(e) {
			return nil
		}
	}
	return extensions(rest)
}

// next reads the first entry. before is the path of the one before it, which in version 4 is overwritten.
func next(data, before []byte, version uint32, idBytes int) (e Entry, rest []byte, wanted bool, err error) {
	fixed := statBytes + idBytes + flagBytes
	if len(data) < fixed {
		return e, nil, false, ErrUnknown
	}
	field := func(i int) uint32 { return binary.BigEndian.Uint32(data[4*i:]) }
	e = Entry{Sec: field(2), Nano: field(3), Inode: field(5), mode: field(6), Size: field(9),
		id: data[statBytes : statBytes+idBytes]}
	flags, more := binary.BigEndian.Uint16(data[fixed-flagBytes:]), uint16(0)
	if flags&flagExtended != 0 {
		if version < 3 || len(data) < fixed+flagBytes {
			return e, nil, false, ErrUnknown
		}
		more = binary.BigEndian.Uint16(data[fixed:])
		fixed += flagBytes
	}
	name := data[fixed:]
	kept := 0
	if version == 4 {
		cut, n := prefix(name)
		if n == 0 || cut > len(before) {
			return e, nil, false, ErrUnknown
		}
		kept, name, fixed = len(before)-cut, name[n:], fixed+n
	}
	end := bytes.IndexByte(name, 0)
	if end < 0 || kept+end == 0 || kept+end > maxPath {
		return e, nil, false, ErrUnknown
	}
	e.Path = name[:end]
	if version == 4 {
		e.Path = append(before[:kept], name[:end]...)
	}
	if n := int(flags & flagName); n < flagName && n != len(e.Path) {
		return e, nil, false, ErrUnknown
	}
	size := fixed + end + 1
	if version < 4 {
		size = (fixed + end + 8) &^ 7
	}
	if size > len(data) {
		return e, nil, false, ErrUnknown
	}
	kind := e.mode & typeMask
	e.Absent, e.Unread = more&flagSkipWorktree != 0, more&flagIntentToAdd != 0
	e.Link, e.Assumed = kind == linkMode, flags&flagAssumed != 0
	wanted = flags&flagStage == 0 && (kind == regularMode || e.Link || kind == sparseMode && e.Absent)
	return e, data[size:], wanted, nil
}

// prefix reads how many bytes of the path before are cut off, and returns how many bytes say so, or 0.
func prefix(data []byte) (cut, n int) {
	for n < len(data) && n < 4 {
		c := data[n]
		if n > 0 {
			cut++
		}
		cut = cut<<7 | int(c&0x7f)
		n++
		if c&0x80 == 0 {
			return cut, n
		}
	}
	return 0, 0
}

// extensions checks what follows the entries. An extension whose name begins with a small letter changes
// what they mean; of these, only that of directories which are not checked out does not matter here.
func extensions(data []byte) error {
	for len(data) > 0 {
		if len(data) < 8 {
			return ErrUnknown
		}
		name, size := string(data[:4]), binary.BigEndian.Uint32(data[4:])
		if name[0] >= 'a' && name[0] <= 'z' && name != "sdir" || uint64(size) > uint64(len(data)-8) {
			return ErrUnknown
		}
		for _, c := range data[:4] {
			if c < ' ' || c > '~' {
				return ErrUnknown
			}
		}
		data = data[8+size:]
	}
	return nil
}
