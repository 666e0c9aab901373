package scan

import (
	"slices"

	"ltm/memory"
)

// traits is what is known of a memory without decoding its header.
type traits struct {
	difficulty float64
	sec        int64 // of its creation, since 1970
	nsec       uint32
	phase      memory.Phase
	rank       uint8 // the place of its category in [memory.Categories]
	level      uint8 // the place of its importance in levels
	has        uint8 // bits
	refsSum    uint64
}

// The bits of [traits].
const (
	hasProblem = 1 << iota // it is not a memory
	hasRefs
	hasNames // of other memories: it supersedes, disputes or relates to them
	hasAgent
	hasConflict
	hasSignature
	hasText // a stub keeps one
)

// levels returns the levels of importance in the order of their numbers in the cache.
func levels() [4]memory.Importance {
	return [...]memory.Importance{memory.Normal, memory.Critical, memory.Important, memory.Low}
}

func traitsOf(m *memory.Memory) traits {
	all := levels()
	t := traits{difficulty: m.Difficulty, sec: m.CreatedAt.Unix(), nsec: uint32(m.CreatedAt.Nanosecond()),
		phase: m.Phase, rank: uint8(m.Category.Rank()), level: uint8(slices.Index(all[:], m.Importance()))}
	for _, bit := range []struct {
		bit uint8
		is  bool
	}{{hasRefs, len(m.Refs) > 0}, {hasNames, len(m.Supersedes)+len(m.Disputes)+len(m.Related) > 0},
		{hasAgent, m.Agent != ""}, {hasConflict, m.Conflicted}, {hasSignature, m.Signature != ""},
		{hasText, m.KeepsText}} {
		if bit.is {
			t.has |= bit.bit
		}
	}
	return t
}

// refsSum returns the sum of hashes (FNV-1a) of a memory's id with each path that it refers to.
func refsSum(m *memory.Memory) (sum uint64) {
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
