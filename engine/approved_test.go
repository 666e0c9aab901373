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
	refused := func(approval, why string) {
		t.Helper()
		_, err := f.Unapprove(f.ctx, approval, []string{string(mine)})
		require.Equal(t, memory.KindUndoNone, memory.KindOf(err), why)
	}
	refused("", "nobody has approved it")

	put([]byte(strings.Replace(string(written), "Ten", "Fifty", 1)))
	require.Equal(t, 1, foreign())
	earlier, err := f.Approve(f.ctx, []string{string(mine)})
	require.NoError(t, err)
	put([]byte(strings.Replace(string(written), "Ten", "Sixty", 1)))
	one, err := f.Approve(f.ctx, []string{string(mine), string(other)})
	require.NoError(t, err)
	require.Zero(t, foreign())
	refused(earlier.Approval, "it is not the last")
	_, err = f.Unapprove(f.ctx, one.Approval, []string{string(mine), string(other)})
	require.NoError(t, err)
	require.Equal(t, 1, foreign())
	refused(one.Approval, "once more, the earlier one stays")
	put(written)
	require.Zero(t, foreign())

	again, err := f.Approve(f.ctx, []string{string(mine)})
	require.NoError(t, err)
	refused(earlier.Approval, "a person has confirmed it since")
	_, err = f.Unapprove(f.ctx, again.Approval, []string{string(mine)})
	require.NoError(t, err)
	_, err = f.Unapprove(f.ctx, earlier.Approval, []string{string(mine)})
	require.NoError(t, err)
	refused(earlier.Approval, "nothing is left")

	_, err = newPerson(t).model.Unapprove(f.ctx, "", []string{string(mine)})
	require.Equal(t, memory.KindUserApproval, memory.KindOf(err), "a model takes nothing back either")
}
