package eviction_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/eviction"
	"ltm/memory"
)

func TestReduce(t *testing.T) {
	full := memory.Memory{ID: "mem_00000001", Topic: "T", Tags: []string{"a"}, Difficulty: 0.5, CreatedSession: 3,
		Restored: true,
		Summary:  "S one. S two.", Content: "First.\n\nSecond.\n\n- point"}
	want := full
	want.Phase, want.Content = memory.Hint, "First.\n\n- point"
	reduced, err := eviction.Reduce(full, memory.Hint)
	require.NoError(t, err)
	require.Equal(t, want, reduced)

	want.Phase, want.Content = memory.Abstract, ""
	abstract, err := eviction.Reduce(reduced, memory.Abstract)
	require.NoError(t, err)
	require.Equal(t, want, abstract)

	reduced.Summary, want.Summary = "", "First."
	abstract, err = eviction.Reduce(reduced, memory.Abstract)
	require.NoError(t, err)
	require.Equal(t, want, abstract, "an abstract without a summary says nothing")
}

func TestReduceRefusesAnythingButOneStepDown(t *testing.T) {
	all := []memory.Phase{-1, memory.Full, memory.Hint, memory.Abstract, memory.Removed, 4}
	for _, from := range all {
		for _, to := range all {
			if from == memory.Full && to == memory.Hint || from == memory.Hint && to == memory.Abstract {
				continue
			}
			m, err := eviction.Reduce(memory.Memory{ID: "mem_00000001", Phase: from, Content: "x"}, to)
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err), "%s to %s", from, to)
			require.Equal(t, memory.Memory{}, m)
		}
	}
}
