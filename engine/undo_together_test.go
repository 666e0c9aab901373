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

func TestUndoNumberTakesBackTheNewestChangeAlone(t *testing.T) {
	f := newEngine(t)
	f.remember("First", "One.", 0.1)
	list, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	first := list.Changes[0].Number
	f.remember("Second", "Two.", 0.1)
	_, err = f.UndoNumber(f.ctx, first)
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err), "another change is newer")
	_, err = f.UndoNumber(f.ctx, first+1)
	require.NoError(t, err)
	_, err = f.UndoNumber(f.ctx, first+1)
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
	all, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	require.Equal(t, 1, all.Total)
}
