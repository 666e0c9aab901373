package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

func (f *fixture) redo() api.Undone {
	f.t.Helper()
	r, err := f.Redo(f.ctx, "")
	require.NoError(f.t, err)
	return r
}

// TestRedoOfEveryChange gives each file the bytes that it had after the change, and an undo takes it back again.
func TestRedoOfEveryChange(t *testing.T) {
	for name, change := range everyChange() {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool size", "Lead.\n\nIt is 20.", 0.5)
			before := f.file(id)
			change.do(f, id)
			after := f.file(id)
			for range 2 {
				f.undo()
				require.Equal(t, before, f.file(id))
				list, err := f.Undoable(f.ctx)
				require.NoError(t, err)
				require.Len(t, list.Redo, 1)
				require.Equal(t, change.action, list.Redo[0].Action)
				require.Contains(t, f.redo().Message.String(), "did again: "+change.action)
				require.Equal(t, after, f.file(id))
				requireTextKept(t, f, before)
				trusted, err := f.Trusted(f.ctx)
				require.NoError(t, err)
				require.Empty(t, trusted.Foreign)
			}
		})
	}
}

// TestRedoOfSeveralInARow goes forward as far as it was gone back, and no further after a change.
func TestRedoOfSeveralInARow(t *testing.T) {
	f := newEngine(t)
	_, err := f.Redo(f.ctx, "")
	require.Error(t, err, "there is no store")
	id := f.remember("Pool size", "It is 20.", 0.5)
	_, err = f.Redo(f.ctx, "")
	require.Equal(t, memory.KindRedoNone, memory.KindOf(err))
	require.ErrorContains(t, err, "stored")
	states := []string{f.file(id)}
	for _, text := range []string{"It is 30.", "It is 40.", "It is 50."} {
		f.update(id, text)
		states = append(states, f.file(id))
	}
	for i := 2; i >= 0; i-- {
		f.undo()
		require.Equal(t, states[i], f.file(id))
	}
	f.undo()
	require.True(t, f.header(id).IsStub())
	f.redo()
	f.redo()
	require.Equal(t, states[1], f.file(id))
	f.undo()
	require.Equal(t, states[0], f.file(id))
	for _, state := range states[1:] {
		f.redo()
		require.Equal(t, state, f.file(id))
	}
	_, err = f.Redo(f.ctx, "")
	require.Equal(t, memory.KindRedoNone, memory.KindOf(err))
	f.undo()
	other := f.remember("Nginx", "Raise proxy_buffers.", 0.5)
	_, err = f.Redo(f.ctx, "")
	require.ErrorContains(t, err, "there is no undo to redo since the last change: stored "+string(other))
	require.Equal(t, states[2], f.file(id))
	_, err = f.Undo(f.ctx, string(id))
	require.NoError(t, err, "what was done again can be undone again")
	_, err = f.Redo(f.ctx, string(other))
	require.ErrorContains(t, err, "the last undo is not of "+string(other))
	require.Equal(t, states[1], f.file(id))
}

// TestARedoIsRefusedWhenTheFileChangedSince the undo.
func TestARedoIsRefusedWhenTheFileChangedSince(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.update(id, "It is 30.")
	f.undo()
	f.put(id, f.text(id)+"A line of an editor.\n")
	before := f.workTree()
	_, err := f.Redo(f.ctx, "")
	require.Equal(t, memory.KindFileChanged, memory.KindOf(err))
	require.Equal(t, before, f.workTree())
}

// TestRedoOfAnErasure: what was erased comes back by no redo of what was undone before.
func TestRedoOfAnErasure(t *testing.T) {
	f := newEngine(t)
	f.remember("Nginx", "Raise proxy_buffers.", 0.5)
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.update(id, "It is 30.")
	f.undo()
	_, err := f.Erase(f.ctx, string(id))
	require.NoError(t, err)
	_, err = f.Redo(f.ctx, "")
	require.Equal(t, memory.KindRedoNone, memory.KindOf(err))
}

// TestUndoStopsAtWhatItCannotUndo, names what is before it, and takes that back by its id.
func TestUndoStopsAtWhatItCannotUndo(t *testing.T) {
	for name, final := range map[string]func(f *fixture, id string) error{
		"erased": func(f *fixture, id string) error {
			_, err := f.Erase(f.ctx, id)
			return err
		},
		"approval revoked": func(f *fixture, id string) error {
			_, err := f.Revoke(f.ctx, []string{id})
			return err
		},
		"approved": func(f *fixture, id string) error {
			_, err := f.Approve(f.ctx, []string{id})
			return err
		},
		"pruned": func(f *fixture, id string) error {
			f.forget(memory.ID(id))
			_, err := f.PruneArchives(f.ctx, api.PruneOptions{IDs: []string{id}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			other, id := f.remember("Nginx", "Raise it.", 0.5), f.remember("Pool size", "It is 20.", 0.5)
			f.update(other, "Raise it twice.")
			require.NoError(t, final(f, string(id)))
			before := f.workTree()
			_, err := f.Undo(f.ctx, "")
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
			require.Equal(t, memory.KindUndoFinal, memory.KindOf(err))
			require.ErrorContains(t, err, "the last change cannot be undone: "+name+" "+string(id))
			require.Equal(t, before, f.workTree())
			var told *memory.Error
			require.ErrorAs(t, err, &told)
			_, err = f.Undo(f.ctx, told.Subject)
			require.NoError(t, err, "it is the next one")
			_, err = f.Undo(f.ctx, "")
			require.Equal(t, memory.KindUndoFinal, memory.KindOf(err), "it stops there again")
			f.update(other, "Raise it thrice.")
			f.undo()
		})
	}
	t.Run("nothing before it", func(t *testing.T) {
		f := newEngine(t)
		_, err := f.Erase(f.ctx, string(f.remember("Pool size", "It is 20.", 0.5)))
		require.NoError(t, err)
		_, err = f.Undo(f.ctx, "")
		require.Equal(t, memory.KindUndoNone, memory.KindOf(err))
		require.ErrorContains(t, err, "erased")
	})
}

// TestUndoSaysWhatCameBack, field by field.
func TestUndoSaysWhatCameBack(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "Lead.\n\nIt is 20.\nOne.\nTwo.", 0.5, "net", "db")
	topic, content := "Pool size of the workers", "Lead.\n\nIt is 30.\nOne."
	_, err := f.Update(f.ctx, string(id), api.Patch{Topic: &topic, Content: &content, AddTags: []string{"http"},
		RemoveTags: []string{"net"}, Importance: memory.Critical})
	require.NoError(t, err)
	r := f.undo()
	require.Equal(t, []api.BroughtBack{{ID: id, Topic: "Pool size", Fields: []api.FieldChange{
		{Field: "topic", Before: topic, After: "Pool size"},
		{Field: "tags", Before: "db, http", After: "net, db"},
		{Field: "importance", Before: "critical", After: "normal"},
		{Field: "text", Lines: 2},
	}}}, r.BroughtBack)
	f.forget(id)
	require.Equal(t, []api.FieldChange{{Field: "state", Before: "forgotten", After: "whole"}},
		f.undo().BroughtBack[0].Fields)
	require.Equal(t, []api.FieldChange{{Field: "state", Before: "whole", After: "forgotten"}},
		f.redo().BroughtBack[0].Fields)
	f.undo()

	f.writePacket(packetID, "one")
	f.changePackets(func(tx *store.Tx) error {
		tx.Log(memory.Event{Time: f.now, Action: memory.ActionDone, Packet: packetID})
		return tx.MarkPacket(store.PacketFile{Name: packetID, ID: packetID}, f.now)
	})
	r, err = f.Undo(f.ctx, packetID)
	require.NoError(t, err)
	require.Equal(t, []api.FieldChange{{Field: "state", Before: "done", After: "open"}}, r.BroughtBack[0].Fields)
	require.Equal(t, []api.FieldChange{{Field: "state", Before: "kept", After: "removed"}},
		f.undo().BroughtBack[0].Fields)
	require.Equal(t, 0, f.status().TotalPackets)
	f.redo()
	require.Equal(t, [2]int{1, 0}, [2]int{f.status().TotalPackets, f.status().DonePackets})
	f.redo()
	require.Equal(t, [2]int{1, 1}, [2]int{f.status().TotalPackets, f.status().DonePackets})
}

// TestOneCommandIsOneUndo, whatever the command changes.
func TestOneCommandIsOneUndo(t *testing.T) {
	f := newEngine(t)
	var ids []string
	for _, topic := range []string{"One", "Two", "Three", "Four"} {
		ids = append(ids, string(f.remember(topic, "It is "+topic+".", 0.5, "net")))
	}
	before := f.workTree()
	for name, do := range map[string]func() error{
		"rename": func() error { _, err := f.RenameTag(f.ctx, "net", "http", nil); return err },
		"forget": func() error { _, err := f.ForgetAll(f.ctx, ids); return err },
		"pin":    func() error { _, err := f.Pin(f.ctx, ids, memory.Critical); return err },
	} {
		require.NoError(t, do(), name)
		after := f.workTree()
		require.Len(t, f.undo().BroughtBack, 4, name)
		for path, text := range before {
			require.Equal(t, text, f.workTree()[path], name)
		}
		f.redo()
		for path, text := range after {
			require.Equal(t, text, f.workTree()[path], name)
		}
		f.undo()
	}
}
