package scan

import (
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"

	"ltm/internal/fs/cachefile"
	"ltm/memory"
)

// block is what one block of the cache has of files: a row of fixed size for each, which
// ranking and counting need, the references that memories have, each once, and the texts.
// Everything is checked when the block is read; headers are decoded when they are asked
// for, because most of them never are.
type block struct {
	rows, texts, refs string
	refAt             []uint32 // where the references are in refs
}

// Where the values of a row are. They are little-endian.
const (
	atSize       = 0
	atModTime    = 8
	atSeen       = 16
	atDifficulty = 24
	atSec        = 32
	atNsec       = 40
	atText       = 44 // the place of the file's texts
	atPhase      = 48
	atRank       = 49
	atLevel      = 50
	atHas        = 51
	atRefsSum    = 52
	atLong       = 60
	rowSize      = 64
)

func (b *block) u64(row, at int) uint64 {
	s := b.rows[row*rowSize+at:][:8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func (b *block) u32(row, at int) uint32 {
	s := b.rows[row*rowSize+at:][:4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func (b *block) u8(row, at int) uint8 { return b.rows[row*rowSize+at] }

func (b *block) stamp(row int) Stamp {
	return Stamp{int64(b.u64(row, atSize)), int64(b.u64(row, atModTime))}
}

func (b *block) traits(row int) traits {
	return traits{difficulty: math.Float64frombits(b.u64(row, atDifficulty)), sec: int64(b.u64(row, atSec)),
		nsec: b.u32(row, atNsec), phase: memory.Phase(b.u8(row, atPhase)), rank: b.u8(row, atRank),
		level: b.u8(row, atLevel), has: b.u8(row, atHas), refsSum: b.u64(row, atRefsSum)}
}

// appendState appends how a state differs from the one before.
func appendState(b []byte, s, before *folderState) []byte {
	changed, gone := s.since(before)
	e := encoder{rows: make([]byte, 0, len(changed)*rowSize), texts: make([]byte, 0, len(changed)*64)}
	for _, f := range changed {
		e.file(f)
	}
	b = slices.Grow(b, 64+len(e.rows)+len(e.refs)+len(e.texts))
	b = appendStamp(b, s.stamp)
	b = binary.AppendVarint(b, s.seen)
	b = binary.AppendUvarint(b, uint64(len(changed)))
	b = append(b, e.rows...)
	b = binary.AppendUvarint(b, uint64(len(e.known)))
	b = cachefile.AppendString(b, string(e.refs))
	b = cachefile.AppendString(b, string(e.texts))
	if len(gone)+len(s.temps) > 0 {
		b = cachefile.AppendStrings(cachefile.AppendStrings(b, gone), s.temps)
	}
	return b
}

// encoder makes the parts of a block.
type encoder struct {
	rows, texts, refs []byte
	known             map[memory.Ref]int // their numbers
}

func (e *encoder) file(f *fileState) {
	row := make([]byte, rowSize)
	put := binary.LittleEndian
	put.PutUint64(row[atSize:], uint64(f.stamp.Size))
	put.PutUint64(row[atModTime:], uint64(f.stamp.ModTime))
	put.PutUint64(row[atSeen:], uint64(f.seen))
	put.PutUint32(row[atText:], uint32(len(e.texts)))
	put.PutUint32(row[atLong:], uint32(f.long))
	e.texts = cachefile.AppendString(e.texts, f.name)
	if f.problem != "" {
		row[atHas] = hasProblem
		e.texts = cachefile.AppendString(e.texts, f.problem)
		e.rows = append(e.rows, row...)
		return
	}
	t := f.traits()
	put.PutUint64(row[atDifficulty:], math.Float64bits(t.difficulty))
	put.PutUint64(row[atSec:], uint64(t.sec))
	put.PutUint32(row[atNsec:], t.nsec)
	put.PutUint64(row[atRefsSum:], t.refsSum)
	row[atPhase], row[atRank], row[atLevel], row[atHas] = uint8(t.phase), t.rank, t.level, t.has
	e.rows = append(e.rows, row...)
	e.head(f.memory())
}

// number returns the number of a reference, which it appends to the others if it is new.
func (e *encoder) number(r memory.Ref) uint64 {
	n, known := e.known[r]
	if !known {
		if e.known == nil {
			e.known = map[memory.Ref]int{}
		}
		n = len(e.known)
		e.known[r] = n
		e.refs = appendRef(e.refs, r)
	}
	return uint64(n)
}

// decodeState reads the fields of a block: the files that it has, and those that are
// gone. The state shares memory with the fields.
func decodeState(fields string) (*folderState, error) {
	r := cachefile.NewReader(fields)
	s := &folderState{stamp: Stamp{r.Varint(), r.Varint()}, seen: r.Varint()}
	n := r.Count(rowSize)
	if n > MaxFiles {
		return nil, cachefile.ErrDamaged
	}
	b := &block{rows: r.Bytes(uint64(n) * rowSize)}
	refs := r.Uvarint()
	b.refs, b.texts = r.Field(), r.Field()
	var gone []string
	if r.Len() > 0 {
		gone, s.temps = r.Fields(), r.Fields()
	}
	if !r.Complete() || !slices.IsSorted(s.temps) || !b.readRefs(refs) || !b.readFiles(s, n) {
		return nil, cachefile.ErrDamaged
	}
	for _, name := range gone {
		s.files = append(s.files, &fileState{name: name})
	}
	return s, nil
}

// readRefs checks the references and notes where they are.
func (b *block) readRefs(n uint64) bool {
	if n > uint64(len(b.refs)) {
		return false
	}
	b.refAt = make([]uint32, n)
	r := cachefile.NewReader(b.refs)
	for i := range b.refAt {
		b.refAt[i] = uint32(len(b.refs) - r.Len())
		if !readRef(&r).IsNormal() {
			return false
		}
	}
	return r.Complete()
}

// readFiles makes the states of the files, without their headers. It reports whether a
// scan can have found all of that: a cache can come with a download, and a checksum does
// not prove who wrote it.
func (b *block) readFiles(s *folderState, n int) bool {
	files := make([]fileState, n)
	s.files = make([]*fileState, n)
	d := decoder{block: b, reuse: true, some: make([]memory.Ref, memory.MaxRefs+1)}
	var m memory.Memory
	// the end of the texts that were read: if those of files overlapped, they could take far longer to read than they
	// are long
	end := 0
	for i := range files {
		if int64(b.u32(i, atText)) != int64(end) {
			return false
		}
		f := &files[i]
		f.stamp, f.seen, f.from, f.row = b.stamp(i), int64(b.u64(i, atSeen)), b, i
		f.name, f.long = d.begin(i), int64(b.u32(i, atLong))
		if i > 0 && files[i-1].name >= f.name {
			return false
		}
		if b.u8(i, atHas)&hasProblem != 0 {
			f.problem, f.from = d.Field(), nil
			if d.Failed() || f.problem == "" || !utf8.ValidString(f.problem) {
				return false
			}
		} else {
			m = memory.Memory{}
			d.body(i, f.name, &m)
			t := b.traits(i)
			t.refsSum = 0 // by which nothing but a list of files is compared
			if d.Failed() || d.bad || !plausible(f.name, &m) || t != traitsOf(&m) {
				return false
			}
			f.links = linksOf(&m)
		}
		s.files[i] = f
		end = len(b.texts) - d.Len()
	}
	return end == len(b.texts)
}
