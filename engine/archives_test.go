package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// shelved is an engine with a full memory, one that is reduced in its file, and
// one that is only in the archives.
func shelved(t *testing.T) (f *fixture, full, reduced, gone memory.ID) {
	t.Helper()
	f = newEngine(t)
	long := "Kafka rebalances forever.\n\n" +
		strings.Repeat("The cooperative assignor repairs it, as the sticky one did not. ", 4)
	reduced = f.remember("Kafka rebalancing", long, 0.1)
	full = f.remember("Nginx buffers", "Raise proxy_buffers for large cookies.", 0.9)
	gone = f.remember("Squid proxy", "It drops websockets.", 0.5)
	_, err := f.Forget(f.ctx, string(gone))
	require.NoError(t, err)
	f.set("max_memories", "1", settings.Clone)
	f.set("fading", "files", settings.Team)
	report, err := f.Evict(f.ctx, api.EvictOptions{})
	require.NoError(t, err)
	require.Len(t, report.Steps, 1)
	require.Equal(t, reduced, report.Steps[0].ID)
	return f, full, reduced, gone
}

func TestRecallIncludes(t *testing.T) {
	f, full, reduced, gone := shelved(t)
	type hits = map[memory.ID]bool // whether from the archives
	for _, tt := range []struct {
		name, query string
		include     api.Include
		want        hits
		archived    int
		note        string
	}{
		{"active", "nginx kafka squid", "", hits{full: false, reduced: false}, 0, "nothing clear"},
		{"archives", "nginx kafka squid", api.IncludeArchives, hits{reduced: true, gone: true}, 0, "archived_hit"},
		{"each once", "nginx kafka squid", api.IncludeAll, hits{full: false, reduced: false, gone: true}, 0,
			"archived_hit"},
		{"what faded", "cooperative assignor", api.IncludeAll, hits{reduced: true}, 0, "archived_hit"},
		{"what faded, among the active", "cooperative assignor", api.IncludeActive, hits{}, 1,
			"1 memory out of sight or in the archives matches"},
		{"two archives", "cooperative websockets", api.IncludeActive, hits{}, 2,
			"2 memories out of sight or in the archives match"},
		{"nowhere", "zebra", api.IncludeActive, hits{}, 0, ""},
		{"nowhere at all", "zebra", api.IncludeAll, hits{}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := f.Recall(f.ctx, api.Query{Text: tt.query, Include: tt.include})
			require.NoError(t, err)
			got := hits{}
			for i, h := range r.Memories {
				require.NotContains(t, got, h.ID)
				require.NotEmpty(t, h.Summary)
				require.True(t, i == 0 || h.Score <= r.Memories[i-1].Score || !h.Archived, "order")
				got[h.ID] = h.Archived
			}
			require.Equal(t, tt.want, got)
			require.Equal(t, len(tt.want), r.Total)
			require.Equal(t, tt.archived, r.Archived)
			require.Equal(t, tt.note == "", len(r.Note) == 0, r.Note)
			require.Contains(t, spelled(r.Note), tt.note)
		})
	}
	one, err := f.Recall(f.ctx, api.Query{Text: "nginx kafka squid", Include: api.IncludeAll, Limit: 1})
	require.NoError(t, err)
	require.Len(t, one.Memories, 1)
	require.Equal(t, 3, one.Total)
	_, err = f.Recall(f.ctx, api.Query{Text: "x", Include: "old"})
	require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
}

func TestListIncludes(t *testing.T) {
	f, full, reduced, gone := shelved(t)
	const fading = "fading"
	for _, tt := range []struct {
		include api.Include
		want    map[memory.ID]string // its reason, "" for an active one
	}{
		{"", map[memory.ID]string{full: "", reduced: ""}},
		{api.IncludeArchives, map[memory.ID]string{reduced: fading, gone: "forgotten"}},
		{api.IncludeAll, map[memory.ID]string{full: "", reduced: "", gone: "forgotten"}},
	} {
		list, err := f.List(f.ctx, api.ListFilter{Include: tt.include})
		require.NoError(t, err)
		got := map[memory.ID]string{}
		for _, m := range list.Memories {
			got[m.ID] = m.ArchivedReason
			if m.Archived && m.ArchivedReason == "" {
				got[m.ID] = fading
			}
			require.Equal(t, m.Archived, m.ArchivedAt != nil)
			if m.ID == gone && m.Archived {
				require.Equal(t, f.now.Truncate(24*time.Hour), *m.ArchivedAt, "the day of the clock")
			}
		}
		require.Equal(t, tt.want, got, tt.include)
		require.Equal(t, len(tt.want), list.Total)
	}
	_, err := f.List(f.ctx, api.ListFilter{Include: "old"})
	require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
}

// TestEarlierVersionsAreNotFound updates a memory. Its earlier text is in the archives, but is
// not found as another memory.
func TestEarlierVersionsAreNotFound(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "The zebra pool is 20.", 0.5)
	f.update(id, "It is 30.")
	for _, phase := range []memory.Phase{memory.Full, memory.Hint, memory.Removed} {
		f.fade(id, phase)
		for _, include := range []api.Include{api.IncludeActive, api.IncludeArchives, api.IncludeAll} {
			r, err := f.Recall(f.ctx, api.Query{Text: "zebra", Include: include})
			require.NoError(t, err)
			require.Empty(t, r.Memories, include)
			require.Zero(t, r.Archived, include)
			list, err := f.List(f.ctx, api.ListFilter{Include: include})
			require.NoError(t, err)
			require.LessOrEqual(t, list.Total, 1, include)
		}
	}
	f.forget(id)
	r, err := f.Recall(f.ctx, api.Query{Text: "zebra", Include: api.IncludeArchives})
	require.NoError(t, err)
	require.Empty(t, r.Memories, "of a memory that was archived the newest version counts")
}

// TestMissKeepsTheArchiveIndex checks that a miss leaves the index of the archives in the cache,
// and that a new process finds what changed since.
func TestMissKeepsTheArchiveIndex(t *testing.T) {
	f := newEngine(t)
	f.remember("Active", "Nothing of interest.", 0.5)
	dir := filepath.Join(f.dir, "archives")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	past := f.now.Add(-24 * time.Hour)
	write := func(n int, text string) {
		m := memory.Memory{ID: memory.NewID([4]byte{0xa, 0, 0, byte(n)}), Topic: "Old", Summary: text, Difficulty: 0.5}
		name := filepath.Join(dir, m.ID.File())
		require.NoError(t, os.WriteFile(name, memfile.Format(m), 0o644))
		require.NoError(t, os.Chtimes(name, past, past))
	}
	for n := range 40 { // more than a new process may read that the cache lacks
		write(n, "A gadget.")
	}
	matches := func() int {
		r, err := f.reopen(new(counter)).Recall(f.ctx, api.Query{Text: "gadget"})
		require.NoError(t, err)
		return r.Archived
	}
	require.Equal(t, 40, matches())
	require.FileExists(t, f.own("cache/search-archives.bin"))
	require.Equal(t, 40, matches())
	write(40, "Another gadget.")
	require.NoError(t, os.Remove(filepath.Join(dir, "mem_0a000000.md")))
	require.NoError(t, os.Remove(filepath.Join(dir, "mem_0a000001.md")))
	require.Equal(t, 39, matches())
}

// TestPruningGoesByTheHour has an archive of this morning, whose stub has only the
// day, and prunes what is older than some hours.
func TestPruningGoesByTheHour(t *testing.T) {
	f := newEngine(t)
	morning := f.now.Truncate(24 * time.Hour).Add(5 * time.Hour)
	f.now = morning
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.forget(id)
	require.NoError(t, os.Chtimes(f.memoryFile(id), morning, morning))
	for _, tt := range []struct {
		name    string
		at      time.Time // of the stub's file
		now     time.Time
		removed int
	}{
		{"an hour later", morning, morning.Add(time.Hour), 0},
		{"three hours later", morning, morning.Add(3 * time.Hour), 1},
		{"checked out later that day", morning.Add(2 * time.Hour), morning.Add(3 * time.Hour), 0},
		{"checked out next month: its day is over", morning.AddDate(0, 1, 0), morning.AddDate(0, 1, 0), 1},
		{"checked out the next day", morning.AddDate(0, 0, 1), morning.Add(20 * time.Hour), 0},
		{"with the time of an older file", morning.AddDate(0, 0, -9), morning, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.NoError(t, os.Chtimes(f.memoryFile(id), tt.at, tt.at))
			f.now = tt.now
			report, err := f.reopen(new(counter)).PruneArchives(f.ctx,
				api.PruneOptions{OlderThan: 2 * time.Hour, DryRun: true})
			require.NoError(t, err)
			require.Equal(t, tt.removed, report.Removed)
		})
	}
}

func TestPruneArchives(t *testing.T) {
	f, _, reduced, gone := shelved(t)
	_, err := f.PruneArchives(f.ctx, api.PruneOptions{})
	require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))

	f.now = f.now.Add(10 * 24 * time.Hour)
	young, err := f.PruneArchives(f.ctx, api.PruneOptions{OlderThan: 11 * 24 * time.Hour})
	require.NoError(t, err)
	require.Empty(t, young.Steps)

	planned, err := f.PruneArchives(f.ctx, api.PruneOptions{OlderThan: 10 * 24 * time.Hour, DryRun: true})
	require.NoError(t, err)
	require.FileExists(t, f.archiveFile(gone))
	done, err := f.PruneArchives(f.ctx, api.PruneOptions{OlderThan: 10 * 24 * time.Hour})
	require.NoError(t, err)
	require.Equal(t, planned.Steps, done.Steps)
	require.Equal(t, 1, done.Removed)
	require.NoFileExists(t, f.archiveFile(gone))
	require.FileExists(t, f.archiveFile(reduced))
	require.NoFileExists(t, f.memoryFile(gone), "its stub")
	h, err := f.History(f.ctx, "", 1)
	require.NoError(t, err)
	require.Equal(t, memory.ActionPruned, h.Events[0].Action)
	report, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, report.OK, report.Summary)

	r, err := f.Recall(f.ctx, api.Query{Text: "websockets"})
	require.NoError(t, err)
	require.Zero(t, r.Archived, "the index knows that it went")
}
