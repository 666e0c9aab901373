package memfile

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

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
	case keyKind:
		return m.Category != ""
	case keyConfidence:
		return m.Confidence != nil
	}
	return true
}

func sameConfidence(a, b *float64) bool {
	return a == b || a != nil && b != nil && *a == *b
}
