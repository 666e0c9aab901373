package engine_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// versions returns the archived versions of a memory, the newest first.
func (f *fixture) versions(id memory.ID) []string {
	f.t.Helper()
	var texts []string
	require.NoError(f.t, store.New(f.places, time.Now).View(func(v *store.View) error {
		names, err := v.ArchiveNames(id)
		require.NoError(f.t, err)
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(f.dir, "archives", name))
			require.NoError(f.t, err)
			texts = append(texts, string(data))
		}
		return nil
	}))
	return texts
}

// requireVersions requires that the archived versions of a memory say this, the
// newest first.
func (f *fixture) requireVersions(id memory.ID, contents ...string) {
	f.t.Helper()
	got := []string{}
	for _, text := range f.versions(id) {
		file, err := memfile.Parse([]byte(text))
		require.NoError(f.t, err)
		got = append(got, file.Memory.Content)
	}
	require.Equal(f.t, contents, got)
}

// update gives a memory new content.
func (f *fixture) update(id memory.ID, content string) {
	f.t.Helper()
	_, err := f.Update(f.ctx, string(id), api.Patch{Content: &content})
	require.NoError(f.t, err)
}

// evict takes one memory a phase further.
func (f *fixture) evict() memory.EvictionStep {
	f.t.Helper()
	r, err := f.Evict(f.ctx, api.EvictOptions{})
	require.NoError(f.t, err)
	require.Len(f.t, r.Steps, 1)
	return r.Steps[0]
}

// longText is a text that shrinks when its memory is reduced.
func longText() string {
	return "Lead.\n\n" + strings.TrimSpace(strings.Repeat("A detail that must stay. ", 40))
}

// lowAndPinned is an engine that keeps one memory, with one that fades and one that
// does not.
func lowAndPinned(t *testing.T) (f *fixture, low memory.ID) {
	t.Helper()
	f = newEngine(t)
	f.set("max_memories", "1", settings.Clone)
	low = f.remember("low", longText(), 0.1)
	f.remember("pinned", "text", 0.1, "importance:critical")
	return f, low
}

// TestNoTextIsLostThatWasWrittenOnAReducedMemory has a person write new content on a reduced
// memory.
func TestNoTextIsLostThatWasWrittenOnAReducedMemory(t *testing.T) {
	full := longText()
	begin := func(t *testing.T) (f *fixture, id memory.ID) {
		f, id = lowAndPinned(t)
		f.set("fading", "files", settings.Team)
		f.evict()
		f.requireVersions(id, full)
		return f, id
	}
	t.Run("updated", func(t *testing.T) {
		f, id := begin(t)
		f.update(id, "Lead. One new line.")
		f.requireVersions(id, full)
		f.evict()
		f.requireVersions(id, "Lead. One new line.", full)
		f.evict()
		require.Equal(t, memory.Removed, f.evict().To)
		f.requireVersions(id, "Lead. One new line.", full)
	})
	t.Run("updated after a restore and an eviction", func(t *testing.T) {
		f, id := begin(t)
		_, err := f.Restore(f.ctx, string(id), "")
		require.NoError(t, err)
		f.evict()
		f.update(id, "New.")
		f.evict()
		f.requireVersions(id, "New.", full, full) // the restored one has another header
	})
	t.Run("updated when it was full again", func(t *testing.T) {
		f, id := begin(t)
		_, err := f.Restore(f.ctx, string(id), "")
		require.NoError(t, err)
		f.update(id, "New.")
		f.requireVersions(id, full, full)
	})
	t.Run("edited by hand", func(t *testing.T) {
		f, id := begin(t)
		data, err := os.ReadFile(f.memoryFile(id))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(f.memoryFile(id), append(data, "\nA line by hand.\n"...), 0o644))
		f.evict()
		versions := f.versions(id)
		require.Len(t, versions, 3)
		require.Contains(t, versions[1], "A line by hand.")
		require.Equal(t, versions[2], versions[0], "the full text is the newest again")
	})
	t.Run("forgotten", func(t *testing.T) {
		f, id := begin(t)
		f.update(id, "New.")
		_, err := f.Forget(f.ctx, string(id))
		require.NoError(t, err)
		f.requireVersions(id, "New.", full)
	})
	t.Run("forgotten while it was reduced", func(t *testing.T) {
		f, id := begin(t)
		_, err := f.Forget(f.ctx, string(id))
		require.NoError(t, err)
		f.requireVersions(id, full)
	})
}

const heldMemory = "---\nid: \"mem_1a2b3c4d\"\ntopic: \"Pool size\"\nphase: 0\n---\n\n## Summary\nPools.\n\n## " +
	"Content\nIt is 20.\n"

func TestForgettingKeepsBothSidesOfAnArchivesMerge(t *testing.T) {
	b := emptyBroken(t)
	merged := strings.Replace(heldMemory, "It is 20.\n", "<<<<<<< HEAD\nIt is 30.\n=======\nIt is 40.\n>>>>>>> other\n",
		1)
	b.write("memories/mem_1a2b3c4d.md", []byte(heldMemory))
	b.write("archives/mem_1a2b3c4d.md", []byte(merged))
	_, err := b.engine().Forget(t.Context(), "mem_1a2b3c4d")
	require.NoError(t, err)
	files := b.files()
	require.Equal(t, merged, files["archives/mem_1a2b3c4d.md"])
	require.Contains(t, slices.Collect(maps.Values(files)), heldMemory)

	done, err := b.fix(api.FixOptions{RemoveUnreadable: true, CleanOrphanedArchives: true})
	require.NoError(t, err)
	require.Len(t, done.Actions, 1)
	kept := slices.Collect(maps.Values(b.files()))
	require.Contains(t, kept, strings.Replace(heldMemory, "20", "30", 1))
	require.Contains(t, kept, strings.Replace(heldMemory, "20", "40", 1))
	_, err = b.engine().Restore(t.Context(), "mem_1a2b3c4d", "")
	require.NoError(t, err)
	require.Contains(t, b.files()["memories/mem_1a2b3c4d.md"], "It is 20.",
		"what was forgotten, and not what was merged")
}

func TestAReadableMemoryWithANumberIsNotRemoved(t *testing.T) {
	b := emptyBroken(t)
	b.write("memories/mem_1a2b3c4d.md", []byte(heldMemory))
	b.write("memories/mem_1a2b3c4d.md.1", []byte(heldMemory+"More.\n"))
	done, err := b.fix(api.FixOptions{RemoveUnreadable: true})
	require.NoError(t, err)
	require.Equal(t, heldMemory+"More.\n", b.files()["memories/mem_1a2b3c4d.md.1"])
	require.Len(t, done.Left, 1)
	require.Equal(t, "misnamed", done.Left[0].Kind)
}

func TestPruningKeepsAnArchiveOfAnUnresolvedMerge(t *testing.T) {
	merged := strings.Replace(heldMemory, "It is 20.\n", "<<<<<<< HEAD\nIt is 30.\n=======\nIt is 40.\n>>>>>>> other\n",
		1)
	for name, texts := range map[string][2]string{
		"in the archive":       {"", merged},
		"in the active memory": {merged, heldMemory},
		"neither, so that it goes": {strings.Replace(heldMemory, "phase: 0\n",
			"phase: 0\nrestored_from_archive: true\n", 1), heldMemory},
	} {
		t.Run(name, func(t *testing.T) {
			b := emptyBroken(t)
			if texts[0] != "" {
				b.write("memories/mem_1a2b3c4d.md", []byte(texts[0]))
			}
			b.write("archives/mem_1a2b3c4d.md", []byte(texts[1]))
			longAgo := time.Now().Add(-2 * time.Hour)
			require.NoError(t, os.Chtimes(b.path("archives/mem_1a2b3c4d.md"), longAgo, longAgo))
			report, err := b.engine().PruneArchives(t.Context(), api.PruneOptions{OlderThan: time.Hour})
			require.NoError(t, err)
			require.Len(t, report.Steps, 1)
			_, kept := b.files()["archives/mem_1a2b3c4d.md"]
			require.Equal(t, strings.HasPrefix(name, "in "), kept, report.Steps[0].Reason)
		})
	}
}

// TestASummaryFollowsItsContent changes contents whose summary was taken from
// them, and one that a person gave.
func TestASummaryFollowsItsContent(t *testing.T) {
	f := newEngine(t)
	update := func(id memory.ID, content string) api.Detail {
		t.Helper()
		_, err := f.Update(f.ctx, string(id), api.Patch{Content: &content})
		require.NoError(t, err)
		d, err := f.Peek(f.ctx, string(id))
		require.NoError(t, err)
		return d
	}
	id := f.remember("taken", "Old lead.\n\nMore.", 0)
	require.Equal(t, "New lead.", update(id, "New lead.\n\nMore.").Summary)
	r, err := f.Remember(f.ctx, api.Draft{Topic: "given", Content: "Old text.", Summary: "What it comes to."})
	require.NoError(t, err)
	require.Equal(t, "What it comes to.", update(r.ID, "New text.").Summary)
}
