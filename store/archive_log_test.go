package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// archive writes an archive, and a note for each of the archivals.
func (f *fixture) archive(id memory.ID, notes ...store.Archival) {
	f.t.Helper()
	require.NoError(f.t, f.update(func(tx *store.Tx) error {
		for _, a := range notes {
			tx.NoteArchived(id, a)
		}
		return tx.WriteArchive(id, fileOf(id, "t"))
	}))
}

// archival is what a new process knows of an archive, asked in both ways.
func (f *fixture) archival(id memory.ID) (got store.Archival, known bool) {
	f.t.Helper()
	require.NoError(f.t, f.reopen().View(func(v *store.View) error {
		got, known = v.Archival(id)
		archives, err := v.Archives()
		all, listed := v.Archivals(archives)[id]
		require.Equal(f.t, known, listed)
		require.Equal(f.t, got, all)
		return err
	}))
	return got, known
}

func TestArchivals(t *testing.T) {
	at := time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC)
	later := at.Add(time.Second)
	unknown := store.Archival{At: at.AddDate(-1, 0, 0)} // the time of the file
	for _, tt := range []struct {
		name  string
		notes []store.Archival
		want  store.Archival
	}{
		{"none", nil, unknown},
		{"one", []store.Archival{{at, "evicted"}}, store.Archival{At: at, Reason: "evicted"}},
		{"another zone", []store.Archival{{at.In(time.FixedZone("", 3600)), "evicted"}}, store.Archival{At: at, Reason: "evicted"}},
		{"the newest", []store.Archival{{later, "evicted"}, {at, "forgotten"}}, store.Archival{At: later, Reason: "evicted"}},
		{"at the same time", []store.Archival{{at, "forgotten"}, {at, "evicted"}}, store.Archival{At: at, Reason: "forgotten"}},
		{"twice the same", []store.Archival{{at, "evicted"}, {at, "evicted"}}, store.Archival{At: at, Reason: "evicted"}},
		{"no word", []store.Archival{{at, "two words"}, {at, ""}, {at, "../x"}, {at, "Evicted"}}, unknown},
		{"a long word", []store.Archival{{at, "abcdefghijklmnopqrstu"}}, unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newStore(t)
			f.archive("mem_00000001", tt.notes...)
			require.NoError(t, os.Chtimes(f.path("archives/mem_00000001.md"), unknown.At, unknown.At))
			got, known := f.archival("mem_00000001")
			require.True(t, known)
			require.Equal(t, tt.want, got)
			_, known = f.archival("mem_00000002")
			require.False(t, known)
		})
	}
}

// TestArchivalsWithoutAFolder archives also where notes cannot be made, and
// follows no link out of the store.
func TestArchivalsWithoutAFolder(t *testing.T) {
	outside := t.TempDir()
	for name, block := range map[string]func(path string) error{
		"a file": func(path string) error { return os.WriteFile(path, nil, 0o644) },
		"a link": func(path string) error { return os.Symlink(outside, path) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newStore(t)
			f.put("mem_00000002", "makes the folder")
			require.NoError(t, block(f.path("archive_log")))
			f.archive("mem_00000001", store.Archival{At: f.now, Reason: "evicted"})
			got, known := f.archival("mem_00000001")
			require.True(t, known)
			require.Empty(t, got.Reason)
			require.NoError(t, f.update(func(tx *store.Tx) error { return tx.RemoveArchives([]memory.ID{"mem_00000001"}) }))
		})
	}
	left, err := filepath.Glob(filepath.Join(outside, "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestRemoveArchives(t *testing.T) {
	f := newStore(t)
	for _, id := range []memory.ID{"mem_00000001", "mem_00000002"} {
		f.archive(id, store.Archival{At: f.now, Reason: "evicted"}, store.Archival{At: f.now.Add(time.Hour), Reason: "forgotten"})
	}
	f.write("archive_log/README.md", "Of a person.")
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.RemoveArchives([]memory.ID{"mem_00000001", "mem_00000003"}) }))
	require.NoFileExists(t, f.path("archives/mem_00000001.md"))
	notes, err := filepath.Glob(f.path("archive_log/*"))
	require.NoError(t, err)
	require.Len(t, notes, 3, "two of the other memory, and the person's file")
	require.NotContains(t, f.read("archive_index.json"), "mem_00000001")
	require.Contains(t, f.read("archive_index.json"), "mem_00000002")
}
