package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// TestNoTextIsLostThatWasWrittenOnAReducedMemory has somebody write new content
// who has seen no more than a reduction.
func TestNoTextIsLostThatWasWrittenOnAReducedMemory(t *testing.T) {
	full := "Lead.\n\n" + strings.Repeat("A detail that must stay. ", 40)
	begin := func(t *testing.T) (f *fixture, id memory.ID, archive func() string, evict func()) {
		f = newEngine(t)
		_, err := f.SetConfig(f.ctx, "max_memories", "1", false)
		require.NoError(t, err)
		id = f.remember("low", full, 0.1)
		_, err = f.Remember(f.ctx, memory.Draft{Topic: "pinned", Content: "text", Tags: []string{"importance:critical"}})
		require.NoError(t, err)
		evict = func() {
			t.Helper()
			r, err := f.Evict(f.ctx, false)
			require.NoError(t, err)
			require.Len(t, r.Steps, 1)
		}
		archive = func() string {
			data, err := os.ReadFile(filepath.Join(f.dir, "archives", id.File()))
			require.NoError(t, err)
			return string(data)
		}
		evict()
		return f, id, archive, evict
	}
	write := func(t *testing.T, f *fixture, id memory.ID, content string) {
		t.Helper()
		_, err := f.Update(f.ctx, string(id), memory.Patch{Content: &content})
		require.NoError(t, err)
	}
	t.Run("updated", func(t *testing.T) {
		f, id, archive, evict := begin(t)
		write(t, f, id, "Lead. One new line.")
		evict()
		require.Contains(t, archive(), "Lead. One new line.\n\n## Before\n\nLead.\n\nA detail that must stay.")
		before := archive()
		evict()
		evict()
		require.NoFileExists(t, filepath.Join(f.dir, "memories", id.File()))
		require.Equal(t, before, archive(), "reductions add nothing")
	})
	t.Run("updated after a restore and an eviction", func(t *testing.T) {
		f, id, archive, evict := begin(t)
		_, err := f.Restore(f.ctx, string(id), "")
		require.NoError(t, err)
		evict()
		write(t, f, id, "New.")
		evict()
		require.Contains(t, archive(), "New.\n\n## Before\n\nLead.\n\nA detail that must stay.")
	})
	t.Run("updated when it was full again", func(t *testing.T) {
		f, id, archive, evict := begin(t)
		_, err := f.Restore(f.ctx, string(id), "")
		require.NoError(t, err)
		write(t, f, id, "New.")
		evict()
		require.NotContains(t, archive(), "detail", "whoever wrote the new text had all of the old one")
	})
	t.Run("mended by hand", func(t *testing.T) {
		f, id, archive, evict := begin(t)
		path := filepath.Join(f.dir, "memories", id.File())
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, append(data, "\nA line by hand.\n"...), 0o644))
		evict()
		require.Contains(t, archive(), "## Written since\n\nLead.\n\nA line by hand.")
		require.Contains(t, archive(), "A detail that must stay.")
	})
	t.Run("too large for one archive", func(t *testing.T) {
		f, id, archive, evict := begin(t)
		write(t, f, id, strings.Repeat("Long line.\n", memory.MaxContentBytes/11))
		evict()
		require.NotContains(t, archive(), "detail")
		aside, err := os.ReadFile(filepath.Join(f.dir, "archives", id.File()+".1"))
		require.NoError(t, err)
		require.Contains(t, string(aside), "A detail that must stay.")
	})
	t.Run("forgotten", func(t *testing.T) {
		f, id, archive, _ := begin(t)
		write(t, f, id, "New.")
		_, err := f.Forget(f.ctx, string(id))
		require.NoError(t, err)
		require.Contains(t, archive(), "New.\n\n## Before\n\nLead.")
	})
}

const heldMemory = "---\nid: \"mem_1a2b3c4d\"\ntopic: \"Pool size\"\nphase: 0\n---\n\n## Summary\nPools.\n\n## Content\nIt is 20.\n"

func TestForgettingKeepsBothSidesOfAnArchivesMerge(t *testing.T) {
	b := broken{t, t.TempDir()}
	merged := strings.Replace(heldMemory, "It is 20.\n", "<<<<<<< HEAD\nIt is 30.\n=======\nIt is 40.\n>>>>>>> other\n", 1)
	b.write("memories/mem_1a2b3c4d.md", []byte(heldMemory))
	b.write("archives/mem_1a2b3c4d.md", []byte(merged))
	_, err := b.engine().Forget(t.Context(), "mem_1a2b3c4d")
	require.NoError(t, err)
	files := b.files()
	require.Equal(t, heldMemory, files["archives/mem_1a2b3c4d.md"])
	require.Equal(t, merged, files["archives/mem_1a2b3c4d.md.1"])

	done, err := b.fix(memory.FixOptions{RemoveUnreadable: true, CleanOrphanedArchives: true})
	require.NoError(t, err)
	require.Equal(t, merged, b.files()["archives/mem_1a2b3c4d.md.1"], done.Summary)
}

func TestAReadableMemoryWithANumberIsNotRemoved(t *testing.T) {
	b := broken{t, t.TempDir()}
	b.write("memories/mem_1a2b3c4d.md", []byte(heldMemory))
	b.write("memories/mem_1a2b3c4d.md.1", []byte(heldMemory+"More.\n"))
	done, err := b.fix(memory.FixOptions{RemoveUnreadable: true})
	require.NoError(t, err)
	require.Equal(t, heldMemory+"More.\n", b.files()["memories/mem_1a2b3c4d.md.1"])
	require.Len(t, done.Left, 1)
	require.Equal(t, "misnamed", done.Left[0].Kind)
}

func TestPruningKeepsAnArchiveOfAnUnsettledMerge(t *testing.T) {
	merged := strings.Replace(heldMemory, "It is 20.\n", "<<<<<<< HEAD\nIt is 30.\n=======\nIt is 40.\n>>>>>>> other\n", 1)
	for name, texts := range map[string][2]string{
		"in the archive":           {"", merged},
		"in the active memory":     {merged, heldMemory},
		"neither, so that it goes": {strings.Replace(heldMemory, "phase: 0\n", "phase: 0\nrestored_from_archive: true\n", 1), heldMemory},
	} {
		t.Run(name, func(t *testing.T) {
			b := broken{t, t.TempDir()}
			if texts[0] != "" {
				b.write("memories/mem_1a2b3c4d.md", []byte(texts[0]))
			}
			b.write("archives/mem_1a2b3c4d.md", []byte(texts[1]))
			b.write("archive_log/mem_1a2b3c4d.20200115T103000Z.evicted", nil)
			report, err := b.engine().PruneArchives(t.Context(), memory.PruneOptions{OlderThan: time.Hour})
			require.NoError(t, err)
			require.Len(t, report.Steps, 1)
			_, kept := b.files()["archives/mem_1a2b3c4d.md"]
			require.Equal(t, strings.HasPrefix(name, "in "), kept, report.Steps[0].Reason)
		})
	}
}

// TestASummaryFollowsItsContent changes contents whose summary was taken from
// them, and one that somebody gave.
func TestASummaryFollowsItsContent(t *testing.T) {
	f := newEngine(t)
	update := func(id memory.ID, content string) memory.Detail {
		t.Helper()
		_, err := f.Update(f.ctx, string(id), memory.Patch{Content: &content})
		require.NoError(t, err)
		d, err := f.Peek(f.ctx, string(id))
		require.NoError(t, err)
		return d
	}
	id := f.remember("taken", "Old lead.\n\nMore.", 0)
	require.Equal(t, "New lead.", update(id, "New lead.\n\nMore.").Summary)
	r, err := f.Remember(f.ctx, memory.Draft{Topic: "given", Content: "Old text.", Summary: "What it comes to."})
	require.NoError(t, err)
	require.Equal(t, "What it comes to.", update(r.ID, "New text.").Summary)
}
