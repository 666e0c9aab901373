package engine_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// workTree returns the content of every file of the store, without the clone's own files.
func (f *fixture) workTree() map[string]string {
	f.t.Helper()
	found := map[string]string{}
	require.NoError(f.t, filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == store.LocalFolder {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.dir, path)
		require.NoError(f.t, err)
		data, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(data)
		return err
	}))
	return found
}

// stats returns the clone's stats of its memories.
func (f *fixture) stats() store.Stats {
	f.t.Helper()
	var stats store.Stats
	require.NoError(f.t, store.New(f.places, time.Now).View(func(v *store.View) (err error) {
		stats, err = v.Stats()
		return err
	}))
	return stats
}

// fade sets the phase of a memory in the view of the clone.
func (f *fixture) fade(id memory.ID, to memory.Phase) {
	f.t.Helper()
	stats := f.stats()
	st := stats[id]
	st.Phase = to
	stats[id] = st
	data, err := json.Marshal(map[string]any{"version": 1, "memories": stats})
	require.NoError(f.t, err)
	require.NoError(f.t, os.WriteFile(f.own("stats.json"), data, 0o644))
}

// phase returns the phase in which a listing shows a memory, or [memory.Removed] if it does not
// show it.
func (f *fixture) phase(id memory.ID) memory.Phase {
	f.t.Helper()
	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(f.t, err)
	for _, m := range list.Memories {
		if m.ID == id {
			return m.Phase
		}
	}
	return memory.Removed
}

func TestEvictionChangesTheViewAlone(t *testing.T) {
	f, low := lowAndPinned(t)
	before := f.workTree()
	for _, to := range []memory.Phase{memory.Hint, memory.Abstract, memory.Removed} {
		step := f.evict()
		require.Equal(t, low, step.ID)
		require.Equal(t, to-1, step.From)
		require.Equal(t, to, step.To)
		require.Equal(t, to, f.stats()[low].Phase)
		require.Equal(t, to, f.phase(low))
		require.Equal(t, before, f.workTree())
	}
	report, err := f.Evict(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	require.Empty(t, report.Steps)
	require.Equal(t, 1, report.Active)
	history, err := f.History(f.ctx, "", 1)
	require.NoError(t, err)
	require.Equal(t, memory.ActionEvicted, history.Events[0].Action)
	require.Equal(t, memory.Removed, *history.Events[0].To)
	undoable, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	for _, c := range undoable.Changes {
		require.Equal(t, memory.ActionStored, c.Action, "there is no change of a file to take back")
	}
}

// TestASessionThatOnlyFadesLeavesNoChange checks that git reports no change after a session's end.
func TestASessionThatOnlyFadesLeavesNoChange(t *testing.T) {
	c := newClone(t)
	f := newEngine(t)
	f.dir, f.places = c.places.Store, c.places
	f.Engine = f.reopen(new(counter))
	low := f.remember("low", longText(), 0.1)
	f.remember("pinned", "text", 0.1, "importance:critical")
	f.set("max_memories", "1", settings.Clone)
	c.commit("two memories")
	for _, want := range []memory.Phase{memory.Hint, memory.Abstract, memory.Removed} {
		f.start("s")
		require.NoError(t, f.EndSession(f.ctx, "s"))
		require.Equal(t, want, f.phase(low))
		require.Empty(t, c.git("status", "--porcelain"))
	}
}

// fadingText has a summary, a key point, and a detail that goes first.
const fadingText = "Lead.\n\n- Raise max_conns in db.go.\n\nThe zebra detail is long. It goes on about db.go " +
	"without an end."

func TestEveryPhaseAsASessionSeesIt(t *testing.T) {
	for phase, want := range []struct {
		mark         string // of the block's heading
		point, whole bool   // in the block
		counts       api.PhaseCounts
	}{
		memory.Full:     {"", true, true, api.PhaseCounts{Full: 1}},
		memory.Hint:     {"hint of a longer memory", true, false, api.PhaseCounts{Hint: 1}},
		memory.Abstract: {"abstract of a longer memory", false, false, api.PhaseCounts{Abstract: 1}},
	} {
		phase := memory.Phase(phase)
		t.Run(phase.String(), func(t *testing.T) {
			f := newEngine(t)
			id := f.remember("Pool", fadingText, 0.5)
			f.fade(id, phase)
			block := f.start("s")
			require.Contains(t, block, "Lead.")
			require.Contains(t, block, want.mark)
			require.Equal(t, want.point, strings.Contains(block, "Raise max_conns"))
			require.Equal(t, want.whole, strings.Contains(block, "zebra detail"))
			require.Equal(t, phase, f.phase(id))
			answer, err := f.Recall(f.ctx, api.Query{Text: "zebra"})
			require.NoError(t, err)
			require.Len(t, answer.Memories, 1)
			require.Equal(t, phase, answer.Memories[0].Phase)
			require.Contains(t, answer.Memories[0].Summary, "The zebra detail is long.", "recall quotes the full text")
			require.False(t, answer.Memories[0].Archived)
			status, err := f.Status(f.ctx)
			require.NoError(t, err)
			require.Equal(t, want.counts, status.ByPhase)
			require.Zero(t, status.TotalArchived)
		})
	}
}

// TestAMemoryOutOfSight checks that sessions and plain recall do not show a memory that has faded
// completely, and that recall counts it as a match.
func TestAMemoryOutOfSight(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", fadingText, 0.5)
	gone := f.remember("Squid", "The zebra proxy drops websockets.", 0.5)
	other := f.remember("Nginx", "Raise proxy_buffers.", 0.5)
	_, err := f.Forget(f.ctx, string(gone))
	require.NoError(t, err)
	f.fade(id, memory.Removed)
	block := f.start("s")
	require.Contains(t, block, "Nginx")
	require.NotContains(t, block, "Pool")
	require.NotContains(t, block, "more memory", "it is not one that found no room")
	prompt, err := f.PromptContext(f.ctx, "s", "how long is the zebra detail about db.go and max_conns?")
	require.NoError(t, err)
	require.NotContains(t, prompt, string(id))

	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	require.Len(t, list.Memories, 1)
	require.Equal(t, other, list.Memories[0].ID)
	list, err = f.List(f.ctx, api.ListFilter{Include: api.IncludeArchives})
	require.NoError(t, err)
	reasons := map[memory.ID]string{}
	for _, m := range list.Memories {
		require.True(t, m.Archived)
		reasons[m.ID] = m.ArchivedReason
	}
	require.Equal(t, map[memory.ID]string{id: memory.ReasonFaded, gone: memory.ReasonForgotten}, reasons)

	plain, err := f.Recall(f.ctx, api.Query{Text: "zebra"})
	require.NoError(t, err)
	require.Empty(t, plain.Memories)
	require.Equal(t, 2, plain.Archived)
	require.Contains(t, plain.Note.String(), "2 memories out of sight or in the archives match")
	for _, include := range []api.Include{api.IncludeArchives, api.IncludeAll} {
		found, err := f.Recall(f.ctx, api.Query{Text: "zebra detail", Include: include})
		require.NoError(t, err)
		require.Len(t, found.Memories, 2)
		require.Equal(t, id, found.Memories[0].ID)
		require.True(t, found.Memories[0].Archived)
		require.Contains(t, found.Memories[0].Summary, "The zebra detail is long.")
	}
	archives, err := f.SearchArchives(f.ctx, "zebra detail", 0)
	require.NoError(t, err)
	require.Equal(t, memory.ReasonFaded, archives.Archives[0].ArchivedReason)
	require.False(t, archives.Archives[0].Active)
	status, err := f.Status(f.ctx)
	require.NoError(t, err)
	require.Equal(t, 1, status.TotalMemories)
	require.Equal(t, 1, status.ByPhase.OutOfSight)
	require.Equal(t, 1, status.TotalArchived)
	check, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, check.OK, check.Summary)
}

// TestWhatBringsAFadedMemoryBack opens, restores and updates a memory in every phase.
func TestWhatBringsAFadedMemoryBack(t *testing.T) {
	topic := "Another topic"
	for name, c := range map[string]struct {
		do      func(f *fixture, id string) error
		back    bool
		changes bool // the work tree
	}{
		"get": {func(f *fixture, id string) error { _, err := f.Get(f.ctx, id); return err }, true, false},
		"restore": {func(f *fixture, id string) error { _, err := f.Restore(f.ctx, id, ""); return err }, true,
			false},
		"restore, pinned": {func(f *fixture, id string) error {
			_, err := f.Restore(f.ctx, id, "critical")
			return err
		}, true, true},
		"update": {func(f *fixture, id string) error {
			_, err := f.Update(f.ctx, id, api.Patch{Topic: &topic})
			return err
		}, true, true},
		"a look": {func(f *fixture, id string) error { _, err := f.Peek(f.ctx, id); return err }, false, false},
		"recall": {func(f *fixture, _ string) error { _, err := f.Recall(f.ctx, api.Query{Text: "zebra"}); return err },
			false, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, phase := range []memory.Phase{memory.Hint, memory.Abstract, memory.Removed} {
				f := newEngine(t)
				id := f.remember("Pool", fadingText, 0.5)
				f.fade(id, phase)
				before := f.workTree()
				require.NoError(t, c.do(f, string(id)))
				require.Equal(t, c.changes, f.workTree()["memories/"+id.File()] != before["memories/"+id.File()])
				want := phase
				if c.back {
					want = memory.Full
				}
				require.Equal(t, want, f.phase(id))
				require.Equal(t, c.back, strings.Contains(f.start("s"), "zebra detail"))
				detail, err := f.Peek(f.ctx, string(id))
				require.NoError(t, err)
				require.Equal(t, fadingText, detail.Content, "one that is opened is always whole")
				require.Equal(t, want, detail.Phase)
			}
		})
	}
	t.Run("one in full is not restored", func(t *testing.T) {
		f := newEngine(t)
		_, err := f.Restore(f.ctx, string(f.remember("Pool", fadingText, 0.5)), "")
		require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
	})
}

// TestTheLaterPhaseOfFileAndViewCounts has phases in both.
func TestTheLaterPhaseOfFileAndViewCounts(t *testing.T) {
	for file := memory.Full; file <= memory.Abstract; file++ {
		for view := memory.Full; view <= memory.Removed; view++ {
			t.Run("file "+file.String()+", view "+view.String(), func(t *testing.T) {
				f, id := lowAndPinned(t)
				f.set("fading", "files", settings.Team)
				for range file {
					f.evict()
				}
				f.fade(id, view)
				require.Equal(t, max(file, view), f.phase(id))
				block := f.start("s")
				for phase, mark := range map[memory.Phase]string{memory.Hint: "hint of a longer",
					memory.Abstract: "abstract of a longer"} {
					require.Equal(t, max(file, view) == phase, strings.Contains(block, mark), mark)
				}
				require.Equal(t, view < memory.Removed, strings.Contains(block, "Lead."))
				_, err := f.Get(f.ctx, string(id))
				require.NoError(t, err)
				require.Equal(t, file, f.phase(id), "opening it changes the view, not the file")
				if max(file, view) == memory.Full {
					return
				}
				f.fade(id, view)
				_, err = f.Restore(f.ctx, string(id), "")
				require.NoError(t, err)
				require.Equal(t, memory.Full, f.phase(id))
				detail, err := f.Peek(f.ctx, string(id))
				require.NoError(t, err)
				require.Equal(t, longText(), detail.Content)
			})
		}
	}
}
