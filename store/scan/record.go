package scan

import (
	"cmp"

	"ltm/memory"
)

// Record is what a scan keeps of a memory's file: everything but summary and content.
type Record struct {
	*memory.Memory // shared by all snapshots: a caller that changes it copies it
	file           *fileState
}

// File returns the name of the file.
func (r Record) File() string { return r.file.name }

// Stamp returns the stamp of the file.
func (r Record) Stamp() Stamp { return r.file.stamp }

// Stable reports whether the file cannot have changed since without changing its stamp.
func (r Record) Stable() bool { return r.file.stable() }

// SameReading reports whether two records of one [Dir] come from the same read of a file.
// A file that changed in between was read again.
func (r Record) SameReading(o Record) bool {
	return r.file.read == o.file.read && r.file.name == o.file.name && r.file.stamp == o.file.stamp
}

// RefsSum returns the sum of hashes (FNV-1a) of a memory's id with each path that it refers to, 0 if there are none.
func RefsSum(m *memory.Memory) (sum uint64) {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
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
