package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/api"
	"ltm/memory"
)

func TestASelectionIsTakenBackByOneUndo(t *testing.T) {
	f := newEngine(t)
	a, b := f.remember("First", "One.", 0.1), f.remember("Second", "Two.", 0.1)
	_, err := f.Retag(api.WithOneUndo(f.ctx), []string{string(a), string(b)}, []string{"harbor"}, nil)
	require.NoError(t, err)
	_, err = f.Undo(f.ctx, "")
	require.NoError(t, err)
	tags, err := f.Tags(f.ctx)
	require.NoError(t, err)
	for _, tag := range tags {
		require.NotEqual(t, "harbor", tag.Tag)
	}
	_, err = f.ForgetAll(api.WithOneUndo(f.ctx), []string{string(a), string(b)})
	require.NoError(t, err)
	_, err = f.Undo(f.ctx, "")
	require.NoError(t, err)
	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	require.Equal(t, 2, list.Total)
}

// TestUndoNumberTakesBackThatChangeAlone, though others were made since: to the same memory, they are in its way.
func TestUndoNumberTakesBackThatChangeAlone(t *testing.T) {
	f := newEngine(t)
	a := f.remember("First", "One.", 0.1)
	list, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	first := list.Changes[0].Number
	f.remember("Second", "Two.", 0.1)
	_, err = f.Retag(f.ctx, []string{string(a)}, []string{"harbor"}, nil)
	require.NoError(t, err)
	_, err = f.UndoNumber(f.ctx, first)
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err), "it has another tag since")
	_, err = f.UndoNumber(f.ctx, first+2)
	require.NoError(t, err)
	_, err = f.UndoNumber(f.ctx, first)
	require.NoError(t, err)
	for _, number := range []int{first, first + 2, first + 9} {
		_, err = f.UndoNumber(f.ctx, number)
		require.Equal(t, memory.CodeConflict, memory.CodeOf(err), "it was taken back, or never was")
	}
	all, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	require.Len(t, all.Memories, 1)
	require.Equal(t, "Second", all.Memories[0].Topic)
}
