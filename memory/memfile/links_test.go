package memfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

func TestLinksAreReadLiberally(t *testing.T) {
	ids := func(ids ...memory.ID) []memory.ID { return ids }
	long := strings.Repeat("x", 5000)
	for lines, want := range map[string]memory.Memory{
		"supersedes: [mem_0000000a, MEM_0000000B.md]": {Supersedes: ids("mem_0000000a", "mem_0000000b")},
		"supersedes:\n  - 0000000a\n  - mem_0000000a": {Supersedes: ids("mem_0000000a")},
		"related: mem_0000000a, mem_0000000b":         {Related: ids("mem_0000000a", "mem_0000000b")},
		"disputes: []":                                {},
		"disputes:":                                   {},
		"disputes: ~":                                 {},
		"disputes: [mem_0000000a, nonsense, 7, []]":   {Disputes: ids("mem_0000000a"), OddLinks: true},
		"disputes: {mem_0000000a: mem_0000000b}":      {OddLinks: true},
		"related: [mem_0000000a]\nrelated: [mem_0000000b]": {
			Related: ids("mem_0000000a", "mem_0000000b"), OddLinks: true},
		"agent: reviewer":                    {Agent: "reviewer"},
		"agent: 7":                           {Agent: "7"},
		"agent: [reviewer]":                  {OddLinks: true},
		`agent: "a\x07b"`:                    {OddLinks: true},
		"agent: a\nagent: b":                 {OddLinks: true},
		"commit: DEADBEEF":                   {Commit: "deadbeef"},
		"commit: 1234567":                    {Commit: "1234567"},
		"commit: HEAD":                       {OddLinks: true},
		"commit: abc":                        {OddLinks: true},
		"origin: {system: a, id: 7}":         {Origin: &memory.Origin{System: "a", ID: "7"}},
		"origin: {system: a, id: b, new: c}": {Origin: &memory.Origin{System: "a", ID: "b"}},
		"origin:\n  system: a\n  id: b":      {Origin: &memory.Origin{System: "a", ID: "b"}},
		"origin: {system: a}":                {OddLinks: true},
		"origin: elsewhere":                  {OddLinks: true},
		"origin:":                            {},
		"signature: v1:a:b":                  {Signature: "v1:a:b"},
		"signature: [v1]":                    {OddLinks: true},
		"signature: two words":               {OddLinks: true},
		"signature: " + long:                 {OddLinks: true},
		"signature: a\nsignature: b":         {OddLinks: true},
	} {
		text := "---\ntopic: t\n" + lines + "\nowner: me\n---\nText.\n"
		f, err := memfile.Parse([]byte(text))
		require.NoError(t, err, lines)
		got := f.Memory
		require.Equal(t, want, memory.Memory{Supersedes: got.Supersedes, Disputes: got.Disputes, Related: got.Related,
			Agent: got.Agent, Commit: got.Commit, Origin: got.Origin, Signature: got.Signature, OddLinks: got.OddLinks},
			lines)
		got.Tags = []string{"new"}
		out, err := f.With(got)
		require.NoError(t, err, lines)
		require.Equal(t, strings.Replace(text, "\n---\nText", "\ntags:\n  - new\n---\nText", 1), string(out),
			"the bytes of the other keys stay")
	}
}

// TestManyLinksAreBounded has a file from elsewhere that links to thousands of memories.
func TestManyLinksAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "  - mem_%08x\n", i)
	}
	f, err := memfile.Parse([]byte("---\ntopic: t\nsupersedes:\n" + b.String() + "---\nText.\n"))
	require.NoError(t, err)
	require.Len(t, f.Memory.Supersedes, memory.MaxLinks)
	require.True(t, f.Memory.OddLinks)
}

// TestLinksOfBothSidesBecomeOneList has a header as a merge of two branches can leave it.
func TestLinksOfBothSidesBecomeOneList(t *testing.T) {
	f, err := memfile.Parse([]byte(
		"---\nrelated: [mem_0000000a]\ntopic: t\nrelated: [mem_0000000b] # theirs\n---\nText.\n"))
	require.NoError(t, err)
	m := f.Memory
	m.Related = append(m.Related, "mem_0000000c")
	out, err := f.With(m)
	require.NoError(t, err)
	require.Equal(t, "---\nrelated: [mem_0000000a, mem_0000000b, mem_0000000c]\ntopic: t\n---\nText.\n", string(out))
}
