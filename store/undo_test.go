package store_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

func undoEntries(t *testing.T, s *store.Store) (entries memory.UndoJournal) {
	t.Helper()
	require.NoError(t, s.View(func(v *store.View) (err error) {
		entries, err = v.UndoJournal()
		return err
	}))
	return entries
}

func TestTheJournalKeepsTheBytesBefore(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	change := func(topic string, event memory.Event) {
		require.NoError(t, f.update(func(tx *store.Tx) error {
			event.ID = id
			tx.Log(event)
			return tx.WriteMemory(id, fileOf(id, topic))
		}))
	}
	change("one", memory.Event{Action: memory.ActionStored, Topic: "one"})
	change("two", memory.Event{Action: memory.ActionUpdated, Topic: "two", Why: "topic"})
	entries := undoEntries(t, f.reopen())
	require.Len(t, entries, 2)
	require.Equal(t, 2, entries[0].Number)
	require.Equal(t, memory.ActionUpdated, entries[0].Action)
	require.Equal(t, "topic", entries[0].Why)
	require.Empty(t, entries[1].Files[0].Before, "there was no file")
	require.NoError(t, f.View(func(v *store.View) error {
		before, err := v.UndoBytes(entries[0].Files[0].Before)
		require.NoError(t, err)
		require.Equal(t, string(fileOf(id, "one")), string(before))
		require.True(t, v.IsAfter(entries[0].Files[0]))
		require.False(t, v.IsAfter(entries[1].Files[0]))
		for _, bad := range []string{"", "../state.json", entries[0].Files[0].After} {
			_, err = v.UndoBytes(bad)
			require.Equal(t, memory.CodeNotFound, memory.CodeOf(err), bad)
		}
		return nil
	}))
	f.write("tree/undo/"+entries[0].Files[0].Before, "other bytes")
	require.NoError(t, f.View(func(v *store.View) error {
		_, err := v.UndoBytes(entries[0].Files[0].Before)
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
		return nil
	}))
}

func TestTheJournalIsBounded(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	for i := range 300 {
		f.put(id, fmt.Sprint(i))
	}
	entries := undoEntries(t, f.Store)
	require.GreaterOrEqual(t, len(entries), 100)
	require.LessOrEqual(t, len(entries), 125)
	require.Equal(t, 300, entries[0].Number)
	kept, err := os.ReadDir(f.path("tree/undo"))
	require.NoError(t, err)
	require.LessOrEqual(t, len(kept), 126)
	require.NoError(t, f.View(func(v *store.View) error {
		for _, e := range entries {
			_, err := v.UndoBytes(e.Files[0].Before)
			require.NoError(t, err)
		}
		return nil
	}))
}

// TestAChangeWhoseBytesCannotBeKeptIsNotUndone, and not skipped either.
func TestAChangeWhoseBytesCannotBeKeptIsNotUndone(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	f.put("mem_00000002", "other")
	require.NoError(t, os.RemoveAll(f.path("tree/undo")))
	f.write("tree/undo", "no directory")
	f.put("mem_00000002", "two")
	entries := undoEntries(t, f.Store)
	require.Len(t, entries, 3)
	require.Empty(t, entries[0].Files)
	_, free := memory.UndoList{Changes: entries.Open()}.Free(3)
	require.False(t, free)
	_, free = memory.UndoList{Changes: entries.Open()}.Free(2)
	require.True(t, free, "its file was changed since, which a look at it tells")
}

func TestAForgottenJournalHasNoBytes(t *testing.T) {
	f := newStore(t)
	for _, id := range []memory.ID{"mem_00000001", "mem_00000002"} {
		f.put(id, "one")
		f.put(id, "two")
	}
	require.NoError(t, f.update(func(tx *store.Tx) error {
		if err := tx.WriteMemory("mem_00000001", fileOf("mem_00000001", "gone")); err != nil {
			return err
		}
		return tx.EraseTraces("mem_00000001")
	}))
	for _, e := range undoEntries(t, f.Store) {
		require.Equal(t, memory.ID("mem_00000002"), e.ID)
	}
	kept, err := os.ReadDir(f.path("tree/undo"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
}

// FuzzUndo lets the journal hold anything: what is read is whole, and the next
// change is noted after it.
func FuzzUndo(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		fx := newStore(t)
		fx.put("mem_00000001", "one")
		fx.write("tree/undo.jsonl", string(data))
		for _, e := range undoEntries(t, fx.Store) {
			require.NotEmpty(t, e.Action)
		}
		fx.put("mem_00000001", "two")
		entries := undoEntries(t, fx.reopen())
		require.NotEmpty(t, entries)
		require.Equal(t, memory.ID("mem_00000001"), entries[0].ID)
		require.NoError(t, fx.View(func(v *store.View) error {
			require.True(t, v.IsAfter(entries[0].Files[0]))
			return nil
		}))
	})
}

// TestAChangeIsToldOfWithoutItsJournal: it was made, though nothing takes it back.
func TestAChangeIsToldOfWithoutItsJournal(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	f.put(id, "one")
	told := func(fn func(*store.Tx) error) (calls []*memory.UndoEntry) {
		t.Helper()
		o := store.UpdateOptions{Made: func(undo *memory.UndoEntry) { calls = append(calls, undo) }}
		require.NoError(t, f.Update(t.Context(), o, fn))
		return calls
	}
	write := func(text string) func(*store.Tx) error {
		return func(tx *store.Tx) error { return tx.WriteMemory(id, fileOf(id, text)) }
	}
	require.Empty(t, told(func(*store.Tx) error { return nil }))
	calls := told(write("two"))
	require.Equal(t, []*memory.UndoEntry{&undoEntries(t, f.Store)[0]}, calls)
	require.NoError(t, os.RemoveAll(f.path("tree/undo")))
	f.write("tree/undo", "no directory")
	require.NoError(t, os.Remove(f.path("tree/undo.jsonl")))
	require.NoError(t, os.MkdirAll(f.path("tree/undo.jsonl/x"), 0o700))
	require.Equal(t, []*memory.UndoEntry{nil}, told(write("three")))
}

// TestAJournalThatCannotBeRead has a journal that is too long: it is kept under another name, and a new one begins.
func TestAJournalThatCannotBeRead(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	long := strings.Repeat("\n", 16<<20+1)
	f.write("tree/undo.jsonl", long)
	f.put("mem_00000002", "two")
	require.Len(t, undoEntries(t, f.reopen()), 1)
	require.Equal(t, len(long), len(f.read("tree/undo.jsonl.damaged")))
}
