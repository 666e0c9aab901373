package memfile

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// optionalKeys lists the keys that only some memories have, in the order in which they are written.
// None of their values can keep a memory from being served.
func optionalKeys() []string {
	return []string{keyAliases, keyKind, keyConfidence, keySupersedes, keyDisputes, keyRelated, keyAgent, keyCommit,
		keyOrigin, keyRefs, keySignature}
}

// readKind reads the kind of a memory. An unknown kind counts as none: it must not keep
// the memory from being served.
func readKind(m *memory.Memory, n *yaml.Node) {
	value, ok := scalar(n)
	if !ok {
		m.OddCategory = true
		return
	}
	category, err := memory.ParseCategory(value)
	m.Category, m.OddCategory = category, err != nil
}

// readConfidence reads the confidence in a memory. One that cannot be read counts as
// absent.
func readConfidence(m *memory.Memory, n *yaml.Node) {
	value, ok := scalar(n)
	if ok && value == "" {
		return
	}
	v, err := strconv.ParseFloat(value, 64)
	if ok && err == nil {
		m.Confidence, err = memory.Sureness(v)
	}
	m.OddConfidence = !ok || err != nil
}

// scalar returns a single value, "" for null. ok is false if n is something else.
func scalar(n *yaml.Node) (value string, ok bool) {
	if n.Kind != yaml.ScalarNode {
		return "", false
	}
	if n.Tag == "!!null" {
		return "", true
	}
	return strings.TrimSpace(n.Value), true
}

// isWritten reports whether a header with m's values has a key. A key that is not optional
// always has a line.
func isWritten(m memory.Memory, key string) bool {
	switch key {
	case keyAliases:
		return len(m.Aliases) > 0
	case keyKind:
		return m.Category != ""
	case keyConfidence:
		return m.Confidence != nil
	case keySupersedes, keyDisputes, keyRelated:
		return len(*linksOf(&m, key)) > 0
	case keyAgent, keyCommit, keySignature:
		return *markOf(&m, key) != ""
	case keyOrigin:
		return m.Origin != nil
	case keyRefs:
		return len(m.Refs) > 0
	case keyArchived:
		return !m.ArchivedAt.IsZero()
	case keyReason:
		return m.ArchivedReason != ""
	}
	return true
}

func sameConfidence(a, b *float64) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// isTolerated reports whether a key may be in a header twice, as a merge of two branches can leave
// it: it must not keep the memory from being served.
func isTolerated(key string) bool { return slices.Contains(optionalKeys(), key) }

// dropTwice makes a value that the header has twice count as absent. Links, references and aliases are
// both read: a merge of two branches leaves those of each.
func (f *File) dropTwice() {
	if f.header.isTwice(keyAliases) {
		f.Memory.OddAliases = true
	}
	if f.header.isTwice(keyKind) {
		f.Memory.Category, f.Memory.OddCategory = "", true
	}
	if f.header.isTwice(keyConfidence) {
		f.Memory.Confidence, f.Memory.OddConfidence = nil, true
	}
	if f.header.isTwice(keyRefs) {
		f.Memory.OddRefs = true
	}
	for _, key := range []string{keySupersedes, keyDisputes, keyRelated, keyAgent, keyCommit, keyOrigin, keySignature} {
		if !f.header.isTwice(key) {
			continue
		}
		f.Memory.OddLinks = true
		switch key {
		case keyAgent, keyCommit, keySignature:
			*markOf(&f.Memory, key) = ""
		case keyOrigin:
			f.Memory.Origin = nil
		}
	}
}

// isTwice reports whether a header has a key more than once.
func (h *header) isTwice(name string) bool {
	count := 0
	for _, k := range h.keys {
		if k.name == name {
			count++
		}
	}
	return count > 1
}
