package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestWasApproved(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "Fifty.", 0.1)
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	was, err := f.WasApproved(f.ctx, string(id), data)
	require.NoError(t, err)
	require.True(t, was)
	was, err = f.WasApproved(f.ctx, string(id), append(data, "More.\n"...))
	require.NoError(t, err)
	require.False(t, was)
	_, err = f.WasApproved(f.ctx, "../x", data)
	require.Error(t, err)
}

// TestAnApprovalIsTakenBack and what was written here before it still counts.
func TestAnApprovalIsTakenBack(t *testing.T) {
	f := newEngine(t)
	mine, other := f.remember("Pool", "Ten connections.", 0.5), f.remember("Queue", "Two workers.", 0.5)
	written, err := os.ReadFile(f.memoryFile(mine))
	require.NoError(t, err)
	put := func(data []byte) { require.NoError(t, os.WriteFile(f.memoryFile(mine), data, 0o644)) }
	foreign := func() int {
		r, err := f.Trusted(f.ctx)
		require.NoError(t, err)
		return len(r.Foreign)
	}
	_, err = f.Unapprove(f.ctx, []string{string(mine)})
	require.Equal(t, memory.KindUndoNone, memory.KindOf(err), "nobody has approved it")

	put([]byte(strings.Replace(string(written), "Ten", "Fifty", 1)))
	require.Equal(t, 1, foreign())
	_, err = f.Approve(f.ctx, []string{string(mine), string(other)})
	require.NoError(t, err)
	require.Zero(t, foreign())
	_, err = f.Unapprove(f.ctx, []string{string(mine), string(other)})
	require.NoError(t, err)
	require.Equal(t, 1, foreign())
	put(written)
	require.Zero(t, foreign())
	_, err = f.Unapprove(f.ctx, []string{string(mine)})
	require.Equal(t, memory.KindUndoNone, memory.KindOf(err))

	_, err = newPerson(t).model.Unapprove(f.ctx, []string{string(mine)})
	require.Equal(t, memory.KindUserApproval, memory.KindOf(err), "a model takes nothing back either")
}
