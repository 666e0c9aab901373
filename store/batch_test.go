package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// commit makes a batch.
func (f *fixture) commit(fill func(*store.Batch) error) error {
	return f.update(func(tx *store.Tx) error {
		b := tx.NewBatch()
		if err := fill(b); err != nil {
			return err
		}
		return b.Commit(memory.Event{Action: memory.ActionImported, Why: "a test"})
	})
}

func TestABatchWritesAllOfItsFiles(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, f.commit(func(b *store.Batch) error {
		require.NoError(t, b.WriteArchive("mem_00000001", fileOf("mem_00000001", "one")))
		require.NoError(t, b.WriteArchive("mem_00000001", fileOf("mem_00000001", "one")), "it is the newest one")
		require.NoError(t, b.WriteArchive("mem_00000001", fileOf("mem_00000001", "between")))
		require.NoError(t, b.WriteMemory("mem_00000001", fileOf("mem_00000001", "another")))
		require.NoError(t, b.WriteMemory("mem_00000002", fileOf("mem_00000002", "two")))
		require.Equal(t, 4, b.Len())
		b.Approve("mem_00000002", fileOf("mem_00000002", "two"))
		return nil
	}))
	require.Equal(t, map[memory.ID]string{"mem_00000001": "another", "mem_00000002": "two"}, topics(t, f.Store))
	require.NoFileExists(t, f.path("tree/batch.json"))
	require.NoError(t, f.View(func(v *store.View) error {
		names, err := v.ArchiveNames("mem_00000001")
		require.NoError(t, err)
		require.Len(t, names, 2)
		file, err := v.ReadVersion(names[0])
		require.NoError(t, err)
		require.Equal(t, "between", file.Memory.Topic)
		trust, err := v.Trust()
		require.NoError(t, err)
		require.True(t, trust.Holds("mem_00000001", fileOf("mem_00000001", "one")))
		require.False(t, trust.Holds("mem_00000001", fileOf("mem_00000001", "another")), "nobody approved it")
		require.True(t, trust.Holds("mem_00000002", fileOf("mem_00000002", "two")))

		entries, err := v.UndoJournal()
		require.NoError(t, err)
		require.Len(t, entries, 2)
		require.Equal(t, "imported", entries[0].Action)
		require.Equal(t, "a test", entries[0].Why)
		files := entries[0].Files
		require.Len(t, files, 2)
		before, err := v.UndoBytes(files[0].Before)
		require.NoError(t, err)
		require.Equal(t, fileOf("mem_00000001", "one"), before)
		require.Equal(t, "memories/mem_00000002.md", files[1].Path)
		require.Empty(t, files[1].Before)
		return nil
	}))
}

func TestABatchThatCannotBeStagedChangesNothing(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, os.WriteFile(f.path("archives"), nil, 0o644)) // in the place of the directory
	err := f.commit(func(b *store.Batch) error {
		require.NoError(t, b.WriteMemory("mem_00000002", fileOf("mem_00000002", "two")))
		return b.AddArchive("mem_00000003.md", fileOf("mem_00000003", "three"))
	})
	require.Equal(t, memory.CodeStorage, memory.CodeOf(err))
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, f.Store))
	left, err := filepath.Glob(f.path("memories/.*"))
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoFileExists(t, f.path("tree/batch.json"))
}

// TestABatchThatCannotBeListedChangesNothing has no place for the list, when the files are on the disk.
func TestABatchThatCannotBeListedChangesNothing(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, os.RemoveAll(f.places.Tree))
	require.NoError(t, os.WriteFile(f.places.Tree, nil, 0o644))
	err := f.commit(func(b *store.Batch) error {
		return b.WriteMemory("mem_00000002", fileOf("mem_00000002", "two"))
	})
	require.Equal(t, memory.KindDiskFailed, memory.KindOf(err))
	names, err := os.ReadDir(f.path("memories"))
	require.NoError(t, err)
	require.Len(t, names, 1, "the files of the batch are gone")
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, f.Store))
}

// TestABatchOfAModelApprovesNothing is in a person's own store.
func TestABatchOfAModelApprovesNothing(t *testing.T) {
	for _, foreign := range []bool{false, true} {
		f := newStore(t)
		f.put("mem_00000001", "one")
		data := fileOf("mem_00000002", "two")
		require.NoError(t, f.Update(t.Context(), store.UpdateOptions{Wait: patience, Foreign: foreign},
			func(tx *store.Tx) error {
				b := tx.NewBatch()
				require.NoError(t, b.WriteMemory("mem_00000002", data))
				b.Approve("mem_00000002", data)
				return b.Commit(memory.Event{Action: memory.ActionImported})
			}))
		require.NoError(t, f.View(func(v *store.View) error {
			trust, err := v.Trust()
			require.NoError(t, err)
			require.Equal(t, !foreign, trust.Holds("mem_00000002", data))
			return nil
		}))
	}
}

// TestAnInterruptedBatchKeepsNoStub was to put a stub in the place of a file that was edited since.
func TestAnInterruptedBatchKeepsNoStub(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "edited since")
	f.interrupted([3]string{"mem_00000001.md", "imported", "one"})
	stub := memfile.FormatStub(memory.Memory{ID: "mem_00000001", Topic: "one"}, time.Unix(1e9, 0),
		memory.ReasonForgotten)
	f.write("memories/.mem_00000001.md.0123456789ab", string(stub))
	require.Equal(t, map[memory.ID]string{"mem_00000001": "edited since"}, topics(t, f.reopen()))
	require.NoFileExists(t, f.path("memories/.mem_00000001.md.0123456789ab"))
	require.NoFileExists(t, f.path("tree/batch.json"))
	require.NoDirExists(t, f.path("archives"), "a stub has no text that could be lost")
}

// interrupted leaves what a process leaves that is killed after a batch was listed. Each file is
// given by its name and its topic, and by the topic that it had when it was staged.
func (f *fixture) interrupted(files ...[3]string) {
	f.t.Helper()
	var list []map[string]string
	require.NoError(f.t, os.MkdirAll(f.path("memories"), 0o755))
	for _, file := range files {
		id, _ := memory.IDFromFile(file[0])
		temp := "." + file[0] + ".0123456789ab"
		placed := map[string]string{"folder": "memories", "temp": temp, "name": file[0],
			"after": sum(fileOf(id, file[1]))}
		if file[2] != "" {
			placed["before"] = sum(fileOf(id, file[2]))
		}
		list = append(list, placed)
		f.write("memories/"+temp, string(fileOf(id, file[1])))
	}
	data, err := json.Marshal(map[string]any{"version": 1, "files": list})
	require.NoError(f.t, err)
	require.NoError(f.t, os.MkdirAll(f.path("tree/"), 0o755))
	f.write("tree/batch.json", string(data))
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

func TestAnInterruptedBatchGoesOn(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	f.put("mem_00000003", "three")
	f.put("mem_00000004", "edited since")
	f.interrupted([3]string{"mem_00000001.md", "another", "one"}, [3]string{"mem_00000002.md", "two", ""},
		[3]string{"mem_00000003.md", "three", "old"}, [3]string{"mem_00000004.md", "imported", "four"})
	require.NoError(t, os.Remove(f.path("memories/.mem_00000003.md.0123456789ab"))) // it had its name already

	require.Equal(t, map[memory.ID]string{"mem_00000001": "another", "mem_00000002": "two", "mem_00000003": "three",
		"mem_00000004": "edited since"}, topics(t, f.reopen()), "a reader goes on with it")
	require.NoFileExists(t, f.path("tree/batch.json"))
	require.NoError(t, f.View(func(v *store.View) error {
		archived, err := v.ReadArchive("mem_00000004")
		require.NoError(t, err)
		require.Equal(t, "imported", archived.Memory.Topic, "neither text is lost")
		return nil
	}))
	left, err := filepath.Glob(f.path("memories/.*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAnInterruptedBatchThatCannotBeRead(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "cut off": `{"version": 1, "files": [{"fol`,
		"elsewhere": `{"version":1,"files":[{"folder":"..","temp":".mem_00000001.md.0123456789ab","name":"mem_00000001.md"}]}`,
		"no memory": `{"version":1,"files":[{"folder":"memories","temp":".notes.0123456789ab","name":"notes"}]}`,
		"other": `{"version":1,"files":[{"folder":"memories","temp":".mem_00000002.md.0123456789ab",` +
			`"name":"mem_00000001.md"}]}`} {
		t.Run(name, func(t *testing.T) {
			f := newStore(t)
			f.put("mem_00000001", "one")
			require.NoError(t, os.MkdirAll(f.path("tree/"), 0o755))
			f.write("tree/batch.json", text)
			f.put("mem_00000001", "two")
			require.Equal(t, map[memory.ID]string{"mem_00000001": "two"}, topics(t, f.Store))
			require.Equal(t, text, f.read("tree/batch.json.damaged"))
		})
	}
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, os.MkdirAll(f.path("tree/"), 0o755))
	f.write("tree/batch.json", `{"version": 2}`)
	err := f.update(func(tx *store.Tx) error { return tx.WriteMemory("mem_00000001", fileOf("mem_00000001", "two")) })
	require.Equal(t, memory.KindVersionNewer, memory.KindOf(err))
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, f.Store), "reading goes on")
}

// TestAReaderDoesNotWaitForABatch looks while another process makes one.
func TestAReaderDoesNotWaitForABatch(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	f.interrupted([3]string{"mem_00000001.md", "another", "one"})
	other := f.reopen()
	require.NoError(t, f.update(func(*store.Tx) error {
		start := time.Now()
		require.Equal(t, "one", topics(t, other)["mem_00000001"])
		require.Less(t, time.Since(start), patience)
		return nil
	}))
	require.Equal(t, "another", topics(t, other)["mem_00000001"])
}

func TestErasingTakesAMemoryOutOfABatch(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, f.commit(func(b *store.Batch) error {
		require.NoError(t, b.WriteMemory("mem_00000001", fileOf("mem_00000001", "two")))
		return b.WriteMemory("mem_00000002", fileOf("mem_00000002", "two"))
	}))
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.EraseTraces("mem_00000001") }))
	require.NoError(t, f.View(func(v *store.View) error {
		entries, err := v.UndoJournal()
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.Len(t, entries[0].Files, 1)
		require.Equal(t, "memories/mem_00000002.md", entries[0].Files[0].Path)
		return nil
	}))
	kept, err := os.ReadDir(f.path("tree/undo"))
	require.NoError(t, err)
	require.Empty(t, kept, "the bytes of the memory are gone")
}
