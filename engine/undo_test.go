package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// file returns the bytes of a memory's file.
func (f *fixture) file(id memory.ID) string {
	f.t.Helper()
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(f.t, err)
	return string(data)
}

func (f *fixture) undo() api.Undone {
	f.t.Helper()
	r, err := f.Undo(f.ctx, "")
	require.NoError(f.t, err)
	return r
}

// edit has a person replace a text in a memory's file.
func (f *fixture) edit(id memory.ID, old, text string) {
	f.t.Helper()
	_, before, err := f.File(f.ctx, string(id))
	require.NoError(f.t, err)
	_, err = f.EditFile(f.ctx, id, before, []byte(strings.ReplaceAll(string(before), old, text)))
	require.NoError(f.t, err)
}

// doing is a kind of change of one memory.
type doing struct {
	action string // as the list of changes has it
	do     func(f *fixture, id memory.ID)
}

// everyChange lists the changes of a memory that says "It is 20.", by name.
func everyChange() map[string]doing {
	patch := func(p api.Patch) func(*fixture, memory.ID) {
		return func(f *fixture, id memory.ID) {
			_, err := f.Update(f.ctx, string(id), p)
			require.NoError(f.t, err)
		}
	}
	topic, content, difficulty, tags := "Pool size of the workers", "It is 30.", 0.9, []string{"db"}
	summary := "How many workers."
	return map[string]doing{
		"content":    {memory.ActionUpdated, patch(api.Patch{Content: &content})},
		"topic":      {memory.ActionUpdated, patch(api.Patch{Topic: &topic})},
		"tags":       {memory.ActionUpdated, patch(api.Patch{Tags: &tags})},
		"appended":   {memory.ActionUpdated, patch(api.Patch{Append: &content})},
		"summary":    {memory.ActionUpdated, patch(api.Patch{Summary: &summary})},
		"added tags": {memory.ActionUpdated, patch(api.Patch{AddTags: tags})},
		"importance": {memory.ActionUpdated, patch(api.Patch{Importance: memory.Low})},
		"difficulty": {memory.ActionUpdated, patch(api.Patch{Difficulty: &difficulty})},
		"edited":     {memory.ActionUpdated, func(f *fixture, id memory.ID) { f.edit(id, "is 20", "is 40") }},
		"pinned": {memory.ActionUpdated, func(f *fixture, id memory.ID) {
			_, err := f.Pin(f.ctx, []string{string(id)}, memory.Critical)
			require.NoError(f.t, err)
		}},
		"forgotten": {memory.ActionForgotten, (*fixture).forget},
		"faded": {memory.ActionEvicted, func(f *fixture, id memory.ID) {
			f.fade(id, memory.Abstract)
			_, err := f.WriteFading(f.ctx, api.EvictOptions{})
			require.NoError(f.t, err)
		}},
	}
}

// TestUndoOfEveryChange takes each change back, byte for byte, and keeps the text
// that this replaces.
func TestUndoOfEveryChange(t *testing.T) {
	for name, change := range everyChange() {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool size", "Lead.\n\nIt is 20.", 0.5)
			before := f.file(id)
			change.do(f, id)
			after := f.file(id)
			require.NotEqual(t, before, after)
			list, err := f.Undoable(f.ctx)
			require.NoError(t, err)
			require.Len(t, list.Changes, 2)
			require.Equal(t, change.action, list.Changes[0].Action)
			require.Equal(t, id, list.Changes[0].ID)
			require.Equal(t, f.now, list.Changes[0].Time)

			receipt := f.undo()
			require.Equal(t, id, receipt.ID)
			require.Contains(t, receipt.Message.String(), "took back: "+change.action)
			require.Equal(t, before, f.file(id))
			require.Equal(t, memory.Full, f.phase(id))
			requireTextKept(t, f, after)
			list, err = f.Undoable(f.ctx)
			require.NoError(t, err)
			require.Len(t, list.Changes, 1, "what was taken back, and taking it back, are done with")
			trusted, err := f.Trusted(f.ctx)
			require.NoError(t, err)
			require.Empty(t, trusted.Foreign)
			check, err := f.Check(f.ctx)
			require.NoError(t, err)
			require.True(t, check.OK, check.Summary)
		})
	}
}

// requireTextKept requires that what a file said is in the store, in a memory or in
// a version of its archive.
func requireTextKept(t *testing.T, f *fixture, text string) {
	t.Helper()
	file, err := memfile.Parse([]byte(text))
	require.NoError(t, err)
	if file.Memory.Phase != memory.Full {
		return
	}
	for _, now := range f.workTree() {
		other, err := memfile.Parse([]byte(now))
		if err == nil && other.Memory.Content == file.Memory.Content && (other.Memory.Topic == file.Memory.Topic) {
			return
		}
	}
	require.Fail(t, "a text is lost", text)
}

func TestUndoOfAStore(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	before := f.file(id)
	require.Contains(t, f.undo().Message.String(), "took back: stored")
	require.True(t, f.header(id).IsStub())
	require.Equal(t, []string{before}, f.versions(id))
	_, err := f.Undo(f.ctx, "")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
	f.restore(id)
	require.Equal(t, "It is 20.", f.content(id))
}

func TestUndoOfARestore(t *testing.T) {
	t.Run("of a forgotten memory", func(t *testing.T) {
		f := newEngine(t)
		id := f.remember("Pool size", "It is 20.", 0.5)
		f.forget(id)
		stub := f.file(id)
		f.restore(id)
		require.Contains(t, f.undo().Message.String(), "took back: restored")
		require.Equal(t, stub, f.file(id))
		require.Equal(t, memory.Removed, f.phase(id))
	})
	t.Run("of a reduced memory", func(t *testing.T) {
		f, id := lowAndPinned(t)
		f.set("fading", "files", settings.Team)
		f.evict()
		reduced := f.file(id)
		f.restore(id)
		f.undo()
		require.Equal(t, reduced, f.file(id))
		require.Equal(t, memory.Hint, f.phase(id))
		check, err := f.Check(f.ctx)
		require.NoError(t, err)
		require.True(t, check.OK, check.Summary)
	})
}

// TestUndoOfARepair resolves a merge of two stubs, and takes it back.
func TestUndoOfARepair(t *testing.T) {
	b := newBroken(t, "unresolved")
	before := b.files()["memories/mem_00000004.md"]
	_, err := b.fix(api.FixOptions{})
	require.NoError(t, err)
	require.NotEqual(t, before, b.files()["memories/mem_00000004.md"])
	require.Contains(t, b.files()["memories/mem_00000004.md"], "2026-02-20", "the later of the two")
	list, err := b.engine().Undoable(t.Context())
	require.NoError(t, err)
	require.Len(t, list.Changes, 1)
	require.Equal(t, memory.ActionRepaired, list.Changes[0].Action)
	_, err = b.engine().Undo(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, before, b.files()["memories/mem_00000004.md"])
}

// TestUndoOfSeveralInARow goes back to the beginning, one change at a time.
func TestUndoOfSeveralInARow(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	states := []string{f.file(id)}
	for _, do := range []func(){
		func() { f.update(id, "It is 30.") },
		func() { f.edit(id, "is 30", "is 40") },
		func() { f.forget(id) },
		func() { f.restore(id) },
		func() { f.update(id, "It is 20.") },
	} {
		do()
		states = append(states, f.file(id))
	}
	list, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	require.Len(t, list.Changes, len(states))
	for i, c := range list.Changes {
		require.Equal(t, len(states)-i, c.Number, "the newest first")
	}
	for i := len(states) - 2; i >= 0; i-- {
		f.undo()
		require.Equal(t, states[i], f.file(id))
	}
	f.undo()
	require.True(t, f.header(id).IsStub())
	for _, state := range states {
		requireTextKept(t, f, state)
	}
	_, err = f.Undo(f.ctx, "")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
	f.restore(id)
	f.update(id, "It is 50.")
	f.undo()
	require.NotEqual(t, "It is 50.", f.content(id), "a new change can be taken back again")
}

// TestUndoOfOneOfTwo takes back the last change of the memory that was named.
func TestUndoOfOneOfTwo(t *testing.T) {
	f := newEngine(t)
	one, two := f.remember("Pool size", "It is 20.", 0.5), f.remember("Nginx", "Raise proxy_buffers.", 0.5)
	f.update(one, "It is 30.")
	f.update(two, "Raise it twice.")
	_, err := f.Undo(f.ctx, string(one))
	require.NoError(t, err)
	require.Equal(t, "It is 20.", f.content(one))
	require.Equal(t, "Raise it twice.", f.content(two))
	for _, id := range []string{"mem_0000beef", "not an id"} {
		_, err = f.Undo(f.ctx, id)
		require.Error(t, err)
	}
	require.Equal(t, "Raise it twice.", f.content(two))
}

// TestUndoIsRefusedWhenTheFileChangedSince has an editor, another program, or a
// checkout between a change and its undo.
func TestUndoIsRefusedWhenTheFileChangedSince(t *testing.T) {
	for name, change := range map[string]func(text string) []byte{
		"edited":     func(text string) []byte { return []byte(text + "More.\n") },
		"no memory":  func(string) []byte { return []byte("x") },
		"taken away": func(string) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool size", "It is 20.", 0.5)
			f.update(id, "It is 30.")
			data := change(f.file(id))
			if data == nil {
				require.NoError(t, os.Remove(f.memoryFile(id)))
			} else {
				require.NoError(t, os.WriteFile(f.memoryFile(id), data, 0o644))
			}
			before := f.workTree()
			_, err := f.Undo(f.ctx, "")
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
			require.True(t, memory.Refused(err))
			require.Equal(t, before, f.workTree())
		})
	}
	t.Run("but not if it is as it was before, as after an undo that was killed", func(t *testing.T) {
		f := newEngine(t)
		id := f.remember("Pool size", "It is 20.", 0.5)
		before := f.file(id)
		f.update(id, "It is 30.")
		require.NoError(t, os.WriteFile(f.memoryFile(id), []byte(before), 0o644))
		require.Contains(t, f.undo().Message.String(), "its files were so already")
		require.Equal(t, before, f.file(id))
		require.Contains(t, f.undo().Message.String(), "took back: stored")
	})
	t.Run("but not for its line ends", func(t *testing.T) {
		f := newEngine(t)
		id := f.remember("Pool size", "It is 20.", 0.5)
		before := f.file(id)
		f.update(id, "It is 30.")
		require.NoError(t, os.WriteFile(f.memoryFile(id), []byte(strings.ReplaceAll(f.file(id), "\n", "\r\n")), 0o644))
		f.undo()
		require.Equal(t, before, f.file(id))
	})
}

// TestUndoBringsBackIntoSight takes back the change of a memory that faded since.
func TestUndoBringsBackIntoSight(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.update(id, "It is 30.")
	f.fade(id, memory.Removed)
	f.undo()
	require.Equal(t, memory.Full, f.phase(id))
}

// TestUndoOfWhatCameFromElsewhere leaves it from elsewhere.
func TestUndoOfWhatCameFromElsewhere(t *testing.T) {
	f := newEngine(t)
	f.remember("A memory", "It makes the store.", 0.5)
	require.NoError(t, os.WriteFile(f.memoryFile("mem_1a2b3c4d"), []byte(heldMemory), 0o644))
	for _, change := range everyChange() {
		change.do(f, "mem_1a2b3c4d")
		f.undo()
		require.Equal(t, heldMemory, f.file("mem_1a2b3c4d"))
		trusted, err := f.Trusted(f.ctx)
		require.NoError(t, err)
		require.Len(t, trusted.Foreign, 1)
	}
}

// TestUndoWithoutItsBytes has lost what the journal kept.
func TestUndoWithoutItsBytes(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.update(id, "It is 30.")
	require.NoError(t, os.RemoveAll(f.own("undo")))
	before := f.workTree()
	_, err := f.Undo(f.ctx, "")
	require.Equal(t, memory.KindUndoGone, memory.KindOf(err))
	require.Equal(t, before, f.workTree())
}
