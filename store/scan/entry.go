package scan

import (
	"cmp"

	"ltm/memory"
)

// Entry is a memory of a snapshot.
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
func (e Entry) Topic() string { return e.file.head.Topic }

// Memory returns the memory's header, which all snapshots share: a caller that changes
// it copies it.
func (e Entry) Memory() *memory.Memory { return e.file.head }

// Record returns all that the scan keeps of the file.
func (e Entry) Record() Record {
	f := e.file
	return Record{f.head, f.stamp, f.stable(), f.name, f.read}
}

// Phase returns the phase in the memory's file.
func (e Entry) Phase() memory.Phase { return e.file.head.Phase }

// Difficulty returns the memory's difficulty.
func (e Entry) Difficulty() float64 { return e.file.head.Difficulty }

// Importance returns the level that the memory's tags carry.
func (e Entry) Importance() memory.Importance { return e.file.head.Importance() }

// HasRefs reports whether the memory refers to files.
func (e Entry) HasRefs() bool { return len(e.file.head.Refs) > 0 }

// HasAgent reports whether the memory is for one agent alone.
func (e Entry) HasAgent() bool { return e.file.head.Agent != "" }

// IsSigned reports whether the memory has a signature.
func (e Entry) IsSigned() bool { return e.file.head.Signature != "" }

// RefsSum returns the sum of hashes (FNV-1a) of the memory's id with each path that it refers to, 0 if there are none.
func (e Entry) RefsSum() (sum uint64) {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	m := e.file.head
	for _, r := range m.Refs {
		h := uint64(offset)
		for _, s := range [2]string{string(m.ID), r.Path} {
			for i := range len(s) {
				h = (h ^ uint64(s[i])) * prime
			}
			h *= prime
		}
		sum += h
	}
	return sum
}

// Standing is what memories of the same priority are ordered by.
type Standing struct {
	created int64 // seconds since 1970
	nsec    uint32
	rank    uint8 // of the category
}

// Standing returns the memory's standing.
func (e Entry) Standing() Standing { return StandingOf(e.file.head) }

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
