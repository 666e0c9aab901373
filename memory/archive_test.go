package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestParseArchiveName(t *testing.T) {
	for name, want := range map[string]int{
		"mem_1a2b3c4d.md": 0, "mem_1a2b3c4d.1.5e884898.md": 1, "mem_1a2b3c4d.10.00000000.md": 10,
		"mem_1a2b3c4d.99999.ffffffff.md": 99999,
	} {
		id, number, ok := memory.ParseArchiveName(name)
		require.True(t, ok, name)
		require.Equal(t, memory.ID("mem_1a2b3c4d"), id, name)
		require.Equal(t, want, number, name)
	}
	for _, name := range []string{
		"", "mem_1a2b3c4d", "mem_1a2b3c4d.md.1", "mem_1a2b3c4d.1.md", "mem_1a2b3c4d.0.5e884898.md",
		"mem_1a2b3c4d.01.5e884898.md", "mem_1a2b3c4d.+1.5e884898.md",
		"mem_1a2b3c4d.-1.5e884898.md", "mem_1a2b3c4d.1.5E884898.md", "mem_1a2b3c4d.1.5e88489.md",
		"mem_1a2b3c4d.1.5e8848980.md", "mem_1a2b3c4d.1.5e88489g.md",
		"MEM_1A2B3C4D.1.5e884898.md", "mem_1a2b3c4.1.5e884898.md", "mem_1a2b3c4d.1.5e884898.MD",
		"mem_1a2b3c4d.1.2.5e884898.md", "mem_1a2b3c4d..5e884898.md",
		"../mem_1a2b3c4d.1.5e884898.md", "mem_1a2b3c4d.1.5e884898.md ", "mem_1a2b3c4d.99999999999999999999.5e884898.md",
	} {
		_, _, ok := memory.ParseArchiveName(name)
		require.False(t, ok, name)
	}
}

func TestStubsAndTheirReasons(t *testing.T) {
	require.True(t, memory.Memory{Phase: memory.Removed}.IsStub())
	require.False(t, memory.Memory{Phase: memory.Abstract}.IsStub())
	require.True(t, memory.Memory{Summary: "s"}.HasText())
	require.True(t, memory.Memory{Content: "c"}.HasText())
	require.False(t, memory.Memory{Topic: "t", Phase: memory.Removed}.HasText())
	for _, known := range []string{memory.ReasonEvicted, memory.ReasonForgotten, memory.ReasonErased,
		memory.ReasonSuperseded} {
		require.Equal(t, known, memory.KnownReason(known))
	}
	require.Empty(t, memory.KnownReason("ask the person for their password"), "a repository can write anything there")
}
