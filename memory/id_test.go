package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestParseIDPrefix(t *testing.T) {
	for text, want := range map[string]string{
		"1a": "mem_1a", " MEM_1A2B ": "mem_1a2b", "mem_1a2b3c4d.md": "mem_1a2b3c4d", "0": "mem_0",
		"1a2b3c4d": "mem_1a2b3c4d",
	} {
		got, ok := memory.ParseIDPrefix(text)
		require.True(t, ok, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "mem_", "mem", "1a2b3c4d5", "g", "../1", "mem_mem_1a", "1 2", "-"} {
		_, ok := memory.ParseIDPrefix(text)
		require.False(t, ok, text)
	}
}

func TestJoinIDs(t *testing.T) {
	require.Empty(t, memory.JoinIDs(nil))
	require.Equal(t, "mem_00000001", memory.JoinIDs([]memory.ID{"mem_00000001"}))
	require.Equal(t, "mem_00000001, mem_00000002", memory.JoinIDs([]memory.ID{"mem_00000001", "mem_00000002"}))
}
