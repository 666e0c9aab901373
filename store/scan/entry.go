package scan

import (
	"cmp"
	"math"

	"ltm/memory"
)

// Entry is a memory of a snapshot, of which only what is asked for is decoded. A hook
// asks little of most memories, and touching new memory is what takes it longest.
type Entry struct{ file *fileState }

// ID returns the memory's id.
func (e Entry) ID() memory.ID { return e.file.id() }

// File returns the name of the file.
func (e Entry) File() string { return e.file.name }

// Stamp returns the stamp of the file, and whether the file cannot have changed since
// without changing it.
func (e Entry) Stamp() (s Stamp, stable bool) { return e.file.stamp, e.file.stable() }

// SameReading reports whether two entries come from the same read of a file.
// A file that changed in between was read again.
func (e Entry) SameReading(o Entry) bool {
	return e.file.read == o.file.read && e.file.name == o.file.name && e.file.stamp == o.file.stamp
}

// Topic returns the memory's topic.
func (e Entry) Topic() string {
	f := e.file
	if m := f.head.Load(); m != nil || f.from == nil {
		return f.memory().Topic
	}
	d := decoder{block: f.from}
	d.begin(f.row)
	return d.Field()
}

// Memory returns the memory's header, which all snapshots share: a caller that changes
// it copies it.
func (e Entry) Memory() *memory.Memory { return e.file.memory() }

// Record returns all that the scan keeps of the file.
func (e Entry) Record() Record {
	f := e.file
	return Record{f.memory(), f.stamp, f.stable(), f.name, f.read}
}

// Phase returns the phase in the memory's file.
func (e Entry) Phase() memory.Phase {
	if b := e.file.from; b != nil {
		return memory.Phase(b.u8(e.file.row, atPhase))
	}
	return e.file.memory().Phase
}

// Difficulty returns the memory's difficulty.
func (e Entry) Difficulty() float64 {
	if b := e.file.from; b != nil {
		return math.Float64frombits(b.u64(e.file.row, atDifficulty))
	}
	return e.file.memory().Difficulty
}

// Importance returns the level that the memory's tags carry.
func (e Entry) Importance() memory.Importance {
	if b := e.file.from; b != nil {
		return levels()[b.u8(e.file.row, atLevel)]
	}
	return e.file.memory().Importance()
}

// HasRefs reports whether the memory refers to files.
func (e Entry) HasRefs() bool { return e.file.has()&hasRefs != 0 }

// HasAgent reports whether the memory is for one agent alone.
func (e Entry) HasAgent() bool { return e.file.has()&hasAgent != 0 }

// IsSigned reports whether the memory has a signature.
func (e Entry) IsSigned() bool { return e.file.has()&hasSignature != 0 }

// RefsSum returns a hash of the memory's id and the paths of its references, 0 if it has none.
func (e Entry) RefsSum() uint64 {
	if b := e.file.from; b != nil {
		return b.u64(e.file.row, atRefsSum)
	}
	return refsSum(e.file.memory())
}

// Standing is what memories of the same priority are ordered by.
type Standing struct {
	created int64 // seconds since 1970
	nsec    uint32
	rank    uint8 // of the category
}

// Standing returns the memory's standing.
func (e Entry) Standing() Standing {
	if b := e.file.from; b != nil {
		return Standing{int64(b.u64(e.file.row, atSec)), b.u32(e.file.row, atNsec), b.u8(e.file.row, atRank)}
	}
	return StandingOf(e.file.memory())
}

// StandingOf returns the standing of a memory.
func StandingOf(m *memory.Memory) Standing {
	return Standing{m.CreatedAt.Unix(), uint32(m.CreatedAt.Nanosecond()), uint8(m.Category.Rank())}
}

// Compare orders by kind, and then the newer first.
func (s Standing) Compare(o Standing) int {
	switch {
	case s.rank != o.rank:
		return cmp.Compare(s.rank, o.rank)
	case s.created != o.created:
		return cmp.Compare(o.created, s.created)
	}
	return cmp.Compare(o.nsec, s.nsec)
}
