package store_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

func (f *fixture) archive(id memory.ID, data []byte) {
	f.t.Helper()
	require.NoError(f.t, f.update(func(tx *store.Tx) error { return tx.WriteArchive(id, data) }))
}

func (f *fixture) versions(id memory.ID) (names []string) {
	f.t.Helper()
	require.NoError(f.t, f.View(func(v *store.View) (err error) {
		names, err = v.ArchiveNames(id)
		return err
	}))
	return names
}

func TestArchivesAreWriteOnce(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	one, two := fileOf(id, "one"), fileOf(id, "two")
	f.archive(id, one)
	f.archive(id, one)
	require.Equal(t, []string{"mem_00000001.md"}, f.versions(id), "the newest is not added again")
	f.archive(id, two)
	f.archive(id, one)
	names := f.versions(id)
	require.Len(t, names, 3)
	require.Regexp(t, `^mem_00000001\.2\.[0-9a-f]{8}\.md$`, names[0])
	require.Regexp(t, `^mem_00000001\.1\.[0-9a-f]{8}\.md$`, names[1])
	require.Equal(t, "mem_00000001.md", names[2])
	for i, want := range [][]byte{one, two, one} {
		require.Equal(t, string(want), f.read("archives/"+names[i]))
	}
	require.NoError(t, f.View(func(v *store.View) error {
		file, err := v.ReadArchive(id)
		require.NoError(t, err)
		require.Equal(t, "one", file.Memory.Topic)
		archives, err := v.Archives()
		require.Len(t, archives.Records, 1)
		require.Equal(t, names[0], archives.Records[0].File())
		require.Empty(t, archives.Problems)
		return err
	}))
}

// A checkout with other line ends is not another version.
func TestLineEndsMakeNoVersion(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	f.archive(id, []byte("---\r\ntopic: a\r\n---\r\n\r\ntext\r\n"))
	f.archive(id, []byte("---\ntopic: a\n---\n\ntext\n"))
	require.Len(t, f.versions(id), 1)
}

// What two branches archived is all there, and its order is the same for everyone.
func TestVersionsOfTwoBranches(t *testing.T) {
	f, g := newStore(t), newStore(t)
	const id = memory.ID("mem_00000001")
	for i, fx := range []*fixture{f, g} {
		fx.archive(id, fileOf(id, "base"))
		fx.archive(id, fileOf(id, []string{"ours", "theirs"}[i]))
	}
	theirs := g.versions(id)[0]
	f.write("archives/"+theirs, g.read("archives/"+theirs))
	ours := f.versions(id)
	require.Len(t, ours, 3)
	name := f.versions(id)[0]
	if name == theirs {
		name = ours[1]
	}
	g.write("archives/"+name, f.read("archives/"+name))
	require.Equal(t, ours, g.versions(id))
}

func TestAnUnreadableArchiveIsNotReplaced(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	require.NoError(t, os.MkdirAll(f.path("archives"), 0o755))
	f.write("archives/mem_00000001.md", "---\nnot a memory")
	f.archive(id, fileOf(id, "one"))
	require.Equal(t, "---\nnot a memory", f.read("archives/mem_00000001.md"))
	require.Len(t, f.versions(id), 1)
}

func TestWhenAndWhyIsInTheStub(t *testing.T) {
	f := newStore(t)
	const id = memory.ID("mem_00000001")
	f.put(id, "one")
	f.archive(id, fileOf(id, "one"))
	require.NoError(t, f.update(func(tx *store.Tx) error {
		return tx.WriteMemory(id, memfile.FormatStub(memory.Memory{ID: id, Topic: "one", Tags: []string{"a"}},
			time.Date(2026, 1, 15, 23, 0, 0, 0, time.UTC), memory.ReasonForgotten))
	}))
	require.Empty(t, topics(t, f.Store))
	require.NoError(t, f.View(func(v *store.View) error {
		a, ok := v.Archival(id)
		require.True(t, ok)
		require.Equal(t, store.Archival{At: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC),
			Until: time.Date(2026, 1, 16, 0, 0, 0, 0, time.UTC), Reason: memory.ReasonForgotten}, a)
		_, err := v.Read(id)
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
		stub, err := v.ReadStub(id)
		require.NoError(t, err)
		require.Equal(t, []string{"a"}, stub.Memory.Tags)
		require.True(t, v.Taken(id))
		return nil
	}))
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.RemoveArchives([]memory.ID{id}) }))
	require.NoFileExists(t, f.path("memories/mem_00000001.md"))
	require.NoFileExists(t, f.path("archives/mem_00000001.md"))
}

// TestAnUnreadableArchiveIsNotMissing has one that a repair moved there.
func TestAnUnreadableArchiveIsNotMissing(t *testing.T) {
	f := newStore(t)
	f.archive("mem_00000001", fileOf("mem_00000001", "one"))
	f.write("archives/mem_00000002.md", "---\ntopic: a\ntopic: b\n---\nx\n")
	require.NoError(t, f.View(func(v *store.View) error {
		_, err := v.ReadArchive("mem_00000002")
		require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err))
		_, err = v.ReadArchive("mem_00000003")
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
		return nil
	}))
}
