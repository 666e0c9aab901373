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

// TestAnAdoptedIDBeginsAsTheOddOne has ids of other lengths, and other memories with the ids that they would get.
func TestAnAdoptedIDBeginsAsTheOddOne(t *testing.T) {
	free := func(memory.ID) bool { return false }
	for odd, want := range map[string]memory.ID{"mem_abc123": "mem_abc12300", "mem_0123456789ab": "mem_01234567",
		"mem_7": "mem_70000000"} {
		require.True(t, memory.IsOddID(odd))
		require.Equal(t, want, memory.AdoptedID(odd, free))
		taken := func(id memory.ID) bool { return id == want }
		other := memory.AdoptedID(odd, taken)
		require.NotEqual(t, want, other)
		require.Equal(t, other, memory.AdoptedID(odd, taken), "in every clone")
		_, err := memory.ParseID(string(other))
		require.NoError(t, err)
	}
	for _, s := range []string{"mem_0123abcd", "mem_", "mem_xyz", "abc123", "MEM_abc123", "mem_abc 123", "mem_../x"} {
		require.False(t, memory.IsOddID(s), s)
	}
}
