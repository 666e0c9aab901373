package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// TestAnOlderLayoutIsTakenOverOnce begins with counters and settings in the work
// tree, as the predecessor keeps them.
func TestAnOlderLayoutIsTakenOverOnce(t *testing.T) {
	b := newBroken(t, "predecessor")
	var told []string
	begin := func() *engine.Engine {
		o := b.options()
		o.Notice = func(n memory.Note) { told = append(told, spelled(n)) }
		return engine.New(o)
	}
	counted := func() {
		t.Helper()
		status, err := begin().Status(t.Context())
		require.NoError(t, err)
		require.Equal(t, 7, status.SessionCount)
		require.Equal(t, 9, status.Config["max_memories"])
		detail, err := begin().Peek(t.Context(), "mem_00000001")
		require.NoError(t, err)
		require.Equal(t, 4, detail.AccessCount)
	}
	before := b.files()
	counted()
	require.Equal(t, before, b.files(), "reading takes nothing over")
	require.Empty(t, told)

	for range 3 {
		_, err := begin().Pin(t.Context(), []string{"mem_00000001"}, memory.Normal)
		require.NoError(t, err)
	}
	require.Len(t, told, 1)
	require.Contains(t, told[0], b.places.Clone)
	require.Contains(t, told[0], "[taken_over")
	history, err := begin().History(t.Context(), "", 10)
	require.NoError(t, err)
	require.Len(t, history.Events, 1)
	require.Equal(t, memory.ActionTakenOver, history.Events[0].Action)
	for name, text := range before {
		require.Equal(t, text, b.files()[name], "the predecessor may still be in use")
	}
	counted()

	b.write("state.json", []byte(`{"version": 1, "session_count": 99}`))
	b.write("stats.json", []byte(`{"version": 1, "memories": {"mem_00000001": {"access_count": 99}}}`))
	counted()
	trusted, err := begin().Trusted(t.Context())
	require.NoError(t, err)
	require.Len(t, trusted.Foreign, 2, "a trust record of the work tree counts for nothing")
}

// TestWhatWasWrittenHereStaysOwn takes a memory through its life, and back.
func TestWhatWasWrittenHereStaysOwn(t *testing.T) {
	life := func(f *fixture, id memory.ID, after func(step string)) {
		f.set("fading", "files", settings.Team)
		f.evict()
		after("evicted")
		f.update(id, "Lead. One new line.")
		after("updated")
		f.evict()
		after("evicted again")
		f.forget(id)
		after("forgotten")
		f.restore(id)
		after("restored")
		_, err := f.Pin(f.ctx, []string{string(id)}, memory.Low)
		require.NoError(f.t, err)
		after("pinned")
		f.undo()
		after("taken back")
		f.fade(id, memory.Removed)
		_, err = f.WriteFading(f.ctx, api.EvictOptions{})
		require.NoError(f.t, err)
		after("faded")
		f.restore(id)
		after("restored again")
	}
	foreign := func(f *fixture) (ids []memory.ID) {
		trusted, err := f.Trusted(f.ctx)
		require.NoError(f.t, err)
		for _, m := range trusted.Foreign {
			ids = append(ids, m.ID)
		}
		return ids
	}
	t.Run("own", func(t *testing.T) {
		f, id := lowAndPinned(t)
		life(f, id, func(step string) {
			require.Empty(t, foreign(f), step)
			require.NotContains(t, f.start(step), "from elsewhere", step)
		})
	})
	t.Run("from elsewhere", func(t *testing.T) {
		f := newEngine(t)
		f.set("max_memories", "1", settings.Clone)
		f.remember("pinned", "text", 0.1, "importance:critical")
		m := memory.Memory{ID: "mem_0000beef", Topic: "low", Summary: "Lead.", Content: longText(), CreatedAt: f.now}
		require.NoError(t, os.WriteFile(f.memoryFile(m.ID), memfile.Format(m), 0o644))
		life(f, m.ID, func(step string) { require.Equal(t, []memory.ID{m.ID}, foreign(f), step) })
		_, err := f.Approve(f.ctx, []string{string(m.ID)})
		require.NoError(t, err)
		f.forget(m.ID)
		f.restore(m.ID)
		require.Empty(t, foreign(f))
	})
}

// index returns index.json, or nil if the file does not exist.
func (f *fixture) index() map[memory.ID]store.IndexEntry {
	f.t.Helper()
	data, err := os.ReadFile(filepath.Join(f.dir, "index.json"))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(f.t, err)
	var index struct {
		Memories map[memory.ID]store.IndexEntry `json:"memories"`
	}
	require.NoError(f.t, json.Unmarshal(data, &index))
	return index.Memories
}

// TestATrackedIndexFollowsTheMemories turns track_index on and off.
func TestATrackedIndexFollowsTheMemories(t *testing.T) {
	f, low := lowAndPinned(t)
	require.Nil(t, f.index(), "there is none by default")
	f.set("track_index", "on", settings.Team)
	require.Len(t, f.index(), 2, "it is written at once")
	more := f.remember("More", "Text.", 0.9, "importance:critical")
	require.Equal(t, "More", f.index()[more].Topic)
	f.edit(more, "More", "Most")
	require.Equal(t, "Most", f.index()[more].Topic)

	before := f.workTree()
	f.evict()
	require.Equal(t, before, f.workTree(), "fading is a clone's own")
	f.set("fading", "files", settings.Team)
	f.evict()
	require.Equal(t, memory.Abstract, f.index()[low].Phase)
	f.forget(more)
	require.NotContains(t, f.index(), more)
	f.undo()
	require.Contains(t, f.index(), more)

	f.set("track_index", "off", settings.Team)
	f.forget(more)
	require.Contains(t, f.index(), more, "it is left as it is")
	check, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, check.OK, check.Summary)
}

// TestReceiptSaysNothingThatItCannotKnow resolves a merge in a store of which a newer version has the settings.
func TestReceiptSaysNothingThatItCannotKnow(t *testing.T) {
	p := newPerson(t)
	r, err := p.mine.Remember(t.Context(), api.Draft{Topic: "Tabs", Content: "Tabs everywhere."})
	require.NoError(t, err)
	file := filepath.Join(p.dir, "memories", r.ID.File())
	ours, err := os.ReadFile(file)
	require.NoError(t, err)
	merged := strings.Replace(string(ours), "Tabs everywhere.",
		"<<<<<<< ours\nTabs everywhere.\n=======\nTabs in Go.\n>>>>>>> theirs", 1)
	require.NoError(t, os.WriteFile(file, []byte(merged), 0o600))
	state := filepath.Join(p.dir, ".local", "state.json")
	require.NoError(t, os.WriteFile(state, []byte(`{"version": 99}`), 0o600))

	r, err = p.mine.Resolve(t.Context(), string(r.ID), api.KeepOurs)
	require.NoError(t, err)
	require.Equal(t, api.ScopeUser, r.Scope)
	require.NotContains(t, spelled(r.Message), "from elsewhere")
}
