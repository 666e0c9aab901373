package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/memory"
	"ltm/memory/api"
)

func TestASelectionIsTakenBackByOneUndo(t *testing.T) {
	f := newEngine(t)
	a, b := f.remember("First", "One.", 0.1), f.remember("Second", "Two.", 0.1)
	_, err := f.Retag(f.ctx, []string{string(a), string(b)}, []string{"harbor"}, nil)
	require.NoError(t, err)
	_, err = f.Undo(f.ctx, "")
	require.NoError(t, err)
	tags, err := f.Tags(f.ctx)
	require.NoError(t, err)
	for _, tag := range tags {
		require.NotEqual(t, "harbor", tag.Tag)
	}
	_, err = f.ForgetAll(f.ctx, []string{string(a), string(b)})
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

// TestANewerChangeIsInTheWayOfAnUndo also if the file has the same bytes as after the older one: the newer one would be
// taken back, and nothing could be any more.
func TestANewerChangeIsInTheWayOfAnUndo(t *testing.T) {
	f := newEngine(t)
	a := []string{string(f.remember("First", "One.", 0.1))}
	var pinned []int
	for _, level := range []memory.Importance{memory.Critical, memory.Normal, memory.Critical} {
		_, err := f.Pin(f.ctx, a, level)
		require.NoError(t, err)
		list, err := f.Undoable(f.ctx)
		require.NoError(t, err)
		pinned = append(pinned, list.Changes[0].Number)
	}
	for _, number := range pinned[:2] {
		_, err := f.UndoNumber(f.ctx, number)
		require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
	}
	list, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	require.Len(t, list.Changes, 4)
	for range list.Changes {
		_, err = f.Undo(f.ctx, "")
		require.NoError(t, err)
	}
}

// TestANewerChangeOfOneOfASelectionIsInTheWay, whichever of its memories is named.
func TestANewerChangeOfOneOfASelectionIsInTheWay(t *testing.T) {
	f := newEngine(t)
	a, b := string(f.remember("First", "One.", 0.1)), string(f.remember("Second", "Two.", 0.1))
	_, err := f.Pin(f.ctx, []string{a, b}, memory.Critical)
	require.NoError(t, err)
	for _, level := range []memory.Importance{memory.Normal, memory.Critical} {
		_, err = f.Pin(f.ctx, []string{b}, level)
		require.NoError(t, err)
	}
	_, err = f.Undo(f.ctx, a)
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
	for range 2 {
		_, err = f.Undo(f.ctx, b)
		require.NoError(t, err)
	}
	_, err = f.Undo(f.ctx, a)
	require.NoError(t, err)
}

// TestAnImportSinceIsInTheWayOfAnUndo of what it changed, and of nothing else.
func TestAnImportSinceIsInTheWayOfAnUndo(t *testing.T) {
	f := newEngine(t)
	_, err := f.Import(f.ctx, reading(note("a", "The first text."), note("b", "The second text.")))
	require.NoError(t, err)
	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	changed, other := string(list.Memories[0].ID), f.remember("Other", "One.", 0.1)
	_, err = f.Pin(f.ctx, []string{changed}, memory.Critical)
	require.NoError(t, err)
	_, err = f.ForgetAll(f.ctx, []string{string(other)})
	require.NoError(t, err)
	open, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	for _, text := range []string{"Another text.", "The first text."} { // so that the file has the bytes again
		again := reading(note("a", text), note("b", text))
		again.Options.Known = transfer.KnownUpdate
		_, err = f.Import(f.ctx, again)
		require.NoError(t, err)
	}
	for i, want := range []bool{true, false} { // what is offered is what is not refused
		_, offered, err := f.UndoOf(f.ctx, open.Changes[i].Number)
		require.NoError(t, err)
		require.Equal(t, want, offered)
	}
	_, err = f.UndoNumber(f.ctx, open.Changes[0].Number)
	require.NoError(t, err, "the import knows nothing of it")
	_, err = f.UndoNumber(f.ctx, open.Changes[1].Number)
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
	require.Equal(t, memory.KindUndoNone, memory.KindOf(err), "refused before the file is looked at")
}

// TestALargeSelectionIsTakenBackWhole after so many other changes that the journal has to forget some.
func TestALargeSelectionIsTakenBackWhole(t *testing.T) {
	f := newEngine(t)
	var ids []string
	for i := range 60 {
		ids = append(ids, string(f.remember(fmt.Sprint("Topic ", i), fmt.Sprint("Text ", i), 0.1)))
	}
	other := []string{string(f.remember("Other", "One.", 0.1))}
	_, err := f.Retag(f.ctx, ids, []string{"harbor"}, nil)
	require.NoError(t, err)
	list, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	for i := range 58 {
		_, err = f.Pin(f.ctx, other, []memory.Importance{memory.Critical, memory.Normal}[i%2])
		require.NoError(t, err)
	}
	_, err = f.UndoNumber(f.ctx, list.Changes[0].Number)
	require.NoError(t, err)
	tags, err := f.Tags(f.ctx)
	require.NoError(t, err)
	for _, tag := range tags {
		require.NotEqual(t, "harbor", tag.Tag)
	}
}

// TestAChangeTellsWhatTakesItBack as the list of changes has it, whoever else makes changes.
func TestAChangeTellsWhatTakesItBack(t *testing.T) {
	f := newEngine(t)
	a, b := string(f.remember("First", "One.", 0.1)), string(f.remember("Second", "Two.", 0.1))
	ctx, made := api.WithMade(f.ctx)
	_, err := f.Pin(ctx, []string{a, b}, memory.Critical)
	require.NoError(t, err)
	_, err = f.ForgetAll(f.ctx, []string{b}) // by someone else
	require.NoError(t, err)
	list, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	require.True(t, made.Changed)
	require.Equal(t, []memory.UndoEntry{list.Changes[1]}, made.Undo)

	ctx, made = api.WithMade(f.ctx)
	_, err = f.Pin(ctx, []string{a}, memory.Critical)
	require.NoError(t, err)
	require.Equal(t, api.Made{}, *made, "it was pinned")
}

// TestAnEditSinceIsInTheWayOfAnUndo of the memory that has another text, and nothing is offered that is refused.
func TestAnEditSinceIsInTheWayOfAnUndo(t *testing.T) {
	f := newEngine(t)
	a, b := f.remember("First", "One.", 0.1), f.remember("Second", "Two.", 0.1)
	_, err := f.Pin(f.ctx, []string{string(a), string(b)}, memory.Critical)
	require.NoError(t, err)
	list, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	number, text := list.Changes[0].Number, f.text(b)
	for _, edited := range []bool{false, true, false} {
		f.put(b, text)
		if edited {
			f.put(b, text+"A line of an editor.\n")
		}
		_, offered, err := f.UndoOf(f.ctx, number)
		require.NoError(t, err)
		require.Equal(t, !edited, offered)
		if !edited {
			continue
		}
		_, err = f.UndoNumber(f.ctx, number)
		require.Equal(t, memory.KindFileChanged, memory.KindOf(err))
	}
	_, err = f.UndoNumber(f.ctx, number)
	require.NoError(t, err)
	_, offered, err := f.UndoOf(f.ctx, number)
	require.NoError(t, err)
	require.False(t, offered, "it was taken back")
}
