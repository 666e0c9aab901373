package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestNormalizeLinks(t *testing.T) {
	got, err := memory.NormalizeLinks("mem_00000001", "related",
		[]memory.ID{"0000000A", "mem_0000000b", "mem_0000000a"})
	require.NoError(t, err)
	require.Equal(t, []memory.ID{"mem_0000000a", "mem_0000000b"}, got)
	got, err = memory.NormalizeLinks("mem_00000001", "related", []memory.ID{})
	require.NoError(t, err)
	require.Nil(t, got)

	var many []memory.ID
	for i := range memory.MaxLinks + 1 {
		many = append(many, memory.ID(fmt.Sprintf("mem_%08x", i+2)))
	}
	_, err = memory.NormalizeLinks("mem_00000001", "related", many[1:])
	require.NoError(t, err)
	for want, links := range map[memory.Kind][]memory.ID{
		memory.KindLinkToSelf:   {"00000001"},
		memory.KindIDMalformed:  {"mem_1"},
		memory.KindLinksTooMany: many,
	} {
		_, err := memory.NormalizeLinks("mem_00000001", "related", links)
		require.Equal(t, want, memory.KindOf(err))
	}
}

func TestNormalizeChecksMarks(t *testing.T) {
	sound := memory.Memory{ID: "mem_00000001", Topic: "t", Content: "c"}
	for want, change := range map[memory.Kind]func(*memory.Memory){
		memory.KindAgentMalformed:     func(m *memory.Memory) { m.Agent = "two\nlines" },
		memory.KindCommitMalformed:    func(m *memory.Memory) { m.Commit = "abc" },
		memory.KindOriginMalformed:    func(m *memory.Memory) { m.Origin = &memory.Origin{System: "a"} },
		memory.KindSignatureMalformed: func(m *memory.Memory) { m.Signature = strings.Repeat("x", 5000) },
		memory.KindLinkToSelf:         func(m *memory.Memory) { m.Disputes = []memory.ID{m.ID} },
	} {
		m := sound
		change(&m)
		_, err := memory.Normalize(m)
		require.Equal(t, want, memory.KindOf(err))
	}
	m := sound
	m.Agent, m.Commit, m.OddLinks = " reviewer ", "deadbeef", true
	m, err := memory.Normalize(m)
	require.NoError(t, err)
	require.Equal(t, "reviewer", m.Agent)
	require.False(t, m.OddLinks)
}
