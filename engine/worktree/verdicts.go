package worktree

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"ltm/internal/fs/cachefile"
	"ltm/memory"
)

// verdict is what was found of a reference, and the stamp that the file had then.
type verdict struct {
	stamp stamp
	state memory.RefState
	to    string
	blob  string // the id of its content, by which it is found if it moves; empty: that of the reference
}

// verdicts has the verdicts of references by their keys.
type verdicts map[uint64]verdict

// keyOf identifies a reference, whichever memory has it.
func keyOf(r memory.Ref) uint64 {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3 // FNV-1a
	h := uint64(offset)
	add := func(s string) {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * prime
		}
		h *= prime
	}
	add(r.Path)
	add(r.Blob)
	if r.Line > 0 || r.Symbol != "" {
		add(strconv.Itoa(r.Line))
		add(strconv.Itoa(r.End))
		add(r.Symbol)
		add(r.Near)
	}
	return h
}

// maxVerdicts bounds how many are kept.
const maxVerdicts = 50_000

func cacheFormat() cachefile.Format { return cachefile.Format{Magic: "ltm-refs", Version: 1} }

// states lists the states in the order of their numbers in the cache.
func states() []memory.RefState {
	return []memory.RefState{memory.RefFresh, memory.RefChanged, memory.RefMoved, memory.RefGone}
}

// encode returns the bytes of a cache.
func (v verdicts) encode() []byte {
	type keyed struct {
		key uint64
		verdict
	}
	all := make([]keyed, 0, len(v))
	for key, one := range v {
		all = append(all, keyed{key, one})
	}
	slices.SortFunc(all, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	all = all[:min(len(all), maxVerdicts)]
	header := cacheFormat().Header()
	b := cachefile.Begin(header)
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, one := range all {
		b = binary.LittleEndian.AppendUint64(b, one.key)
		b = binary.AppendVarint(b, one.stamp.size)
		b = binary.LittleEndian.AppendUint64(b, uint64(one.stamp.modTime))
		b = binary.LittleEndian.AppendUint64(b, uint64(one.stamp.inode))
		b = binary.AppendUvarint(b, uint64(slices.Index(states(), one.state)))
		b = cachefile.AppendString(cachefile.AppendString(b, one.to), one.blob)
	}
	cachefile.End(b, len(header))
	return b
}

// decode reads what encode wrote. Anything else is an empty cache.
func decode(data []byte) verdicts {
	blocks, ok := cacheFormat().Cut(data)
	if !ok {
		return verdicts{}
	}
	fields, _, err := cachefile.Next(blocks)
	if err != nil {
		return verdicts{}
	}
	r := cachefile.NewReader(string(fields))
	n := r.Count(28)
	if n > maxVerdicts {
		return verdicts{}
	}
	out := make(verdicts, n)
	known := states()
	for range n {
		key := r.Uint64()
		one := verdict{stamp: stamp{size: r.Varint(), modTime: int64(r.Uint64()), inode: int64(r.Uint64())}}
		state := r.Uvarint()
		if state >= uint64(len(known)) {
			return verdicts{}
		}
		one.state, one.to, one.blob = known[state], r.Field(), r.Field()
		if one.to != "" && !(memory.Ref{Path: one.to}).IsNormal() || one.blob != "" && !memory.IsBlob(one.blob) {
			return verdicts{}
		}
		out[key] = one
	}
	if !r.Complete() || len(out) != n {
		return verdicts{}
	}
	return out
}
