package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/store"
)

const ulid = "01K3Q8ZJ6M4T2V9XWBDN7RHE02"

func TestPacketNames(t *testing.T) {
	sum := store.PacketName(strings.Repeat("é", 64))
	require.Regexp(t, `^\+[0-9a-f]{64}$`, sum)
	for id, want := range map[string]string{
		ulid:                                   ulid,
		strings.ToLower(ulid):                  "01~k3q8zj6m4t2v9xwbdn7rhe02",
		"550e8400-e29b-41d4-a716-446655440000": "550~e8400-e29b-41d4-a716-446655440000",
		"aBaBaBaBaB":                           "~a~B~a~B~a~B~a~B~a~B",
		"../../../x":                           "=2E=2E=2F=2E=2E=2F=2E=2E=2F~x",
		"CON.CON.CON":                          "CON=2ECON=2ECON",
		"          ":                           strings.Repeat("=20", 10),
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00": strings.Repeat("=00", 10),
		"~~~~~~~~~~":            strings.Repeat("=7E", 10),
		"+123456789":            "=2B123456789",
		"日本語日本語日本語日":            store.PacketName("日本語日本語日本語日"),
		strings.Repeat("é", 64): sum,
	} {
		name := store.PacketName(id)
		require.Equal(t, want, name, "%q", id)
		got, known, ok := store.PacketID(name)
		require.True(t, ok, name)
		if known {
			require.Equal(t, id, got)
		} else {
			require.Equal(t, sum, name)
		}
	}
	for _, name := range []string{"", "short", strings.Repeat("A", 65), "01k3q8zj6m4t2v9xwbdn7rhe02", "~0123456789",
		"A~~BCDEFGHIJ", "=2e=2E=2F=2E=2E=2F=2E=2E=2F~x", "ABCDEFGHI=", "ABCDEFGHI=4", "ABCDEFGHI=zz", "=41BCDEFGHIJ",
		"ABCDEFGHIJ.x", "+12", "+" + strings.Repeat("A", 64), "ABCDEFGHIJ~", "=FF=FF=FF=FF=FF=FF=FF=FF=FF=FF", "notes",
		"done", "ABCDEFGHI J"} {
		_, _, ok := store.PacketID(name)
		require.False(t, ok, name)
	}
}

// packets lists the packets of a store.
func packets(t *testing.T, s *store.Store) (list store.PacketFiles) {
	t.Helper()
	require.NoError(t, s.View(func(v *store.View) (err error) {
		list, err = v.Packets()
		return err
	}))
	return list
}

// texts returns a packet and the notes about it.
func packetTexts(t *testing.T, s *store.Store, id string) (data, notes string) {
	t.Helper()
	require.NoError(t, s.View(func(v *store.View) error {
		f := store.PacketFile{Name: store.PacketName(id), ID: id}
		d, err := v.ReadPacket(f)
		require.NoError(t, err)
		n, err := v.ReadPacketNotes(f)
		data, notes = string(d), string(n)
		return err
	}))
	return data, notes
}

func (f *fixture) writePacket(id, data, notes string) {
	f.t.Helper()
	require.NoError(f.t, f.update(func(tx *store.Tx) error {
		tx.Log(memory.Event{Action: memory.ActionWritten, Packet: id, Topic: "goal"})
		return tx.WritePacket(id, []byte(data), []byte(notes))
	}))
}

func TestPackets(t *testing.T) {
	f := newStore(t)
	require.Empty(t, packets(t, f.Store))
	other := "../../etc/" + strings.Repeat("x", 10)
	f.writePacket(ulid, "one", "notes")
	f.writePacket(other, "two", "")
	list := packets(t, f.reopen())
	require.Len(t, list.Files, 2)
	require.Equal(t, []string{other, ulid}, []string{list.Files[0].ID, list.Files[1].ID}, "in descending order")
	require.Equal(t, "one", f.read("packets/"+ulid+".json"))
	require.Equal(t, "notes", f.read("packets/notes/"+ulid+".json"))
	data, notes := packetTexts(t, f.Store, other)
	require.Equal(t, "two", data)
	require.Empty(t, notes)

	err := f.update(func(tx *store.Tx) error { return tx.WritePacket(ulid, []byte("again"), nil) })
	require.Equal(t, memory.KindPacketTaken, memory.KindOf(err))
	require.Equal(t, "one", f.read("packets/"+ulid+".json"))

	found, ok := list.Find(ulid)
	require.True(t, ok)
	require.Equal(t, "packets/"+ulid+".json", found.Path())
	_, ok = list.Find("01K3Q8ZJ6M4T2V9XWBDN7RHE03")
	require.False(t, ok)
	events := readLog(t, f.Store, 1)
	require.Equal(t, other, events[0].Packet)
}

func TestMarks(t *testing.T) {
	f := newStore(t)
	f.writePacket(ulid, "one", "notes")
	file := packets(t, f.Store).Files[0]
	require.Zero(t, file.Done)
	first := time.Date(2026, 8, 28, 11, 15, 30, 5, time.FixedZone("", 7200))
	for _, at := range []time.Time{first.Add(time.Hour), first, first} {
		require.NoError(t, f.update(func(tx *store.Tx) error { return tx.MarkPacket(file, at) }))
	}
	require.Equal(t, "", f.read("packets/done/"+ulid+".20260828T091530Z"))
	list := packets(t, f.Store)
	require.Equal(t, time.Date(2026, 8, 28, 9, 15, 30, 0, time.UTC), list.Files[0].Done, "the first counts")
	require.Empty(t, list.Others)
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.UnmarkPacket(file) }))
	require.Zero(t, packets(t, f.Store).Files[0].Done)
	left, err := os.ReadDir(f.path("packets/done"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestErasedPackets(t *testing.T) {
	f := newStore(t)
	f.writePacket(ulid, "one", "notes")
	file := packets(t, f.Store).Files[0]
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.MarkPacket(file, f.now) }))
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.ErasePacket(file) }))
	data, notes := packetTexts(t, f.Store, ulid)
	require.Empty(t, data+notes)
	require.Empty(t, f.read("packets/"+ulid+".json"), "the file stays, so that git does not take it for renamed")
	require.Empty(t, f.read("packets/notes/"+ulid+".json"))

	f.writePacket(ulid, "one", "notes")
	f.KeepNames(func(string) bool { return false })
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.ErasePacket(file) }))
	for _, dir := range []string{"packets", "packets/notes", "packets/done"} {
		left, err := filepath.Glob(filepath.Join(f.path(dir), "*"+ulid+"*"))
		require.NoError(t, err)
		require.Empty(t, left)
	}

	f.writePacket(ulid, "one", "")
	data, notes = packetTexts(t, f.Store, ulid)
	require.Equal(t, "one", data)
	require.Empty(t, notes)
}

// TestTheJournalHasChangesOfPackets, as it has those of memories.
func TestTheJournalHasChangesOfPackets(t *testing.T) {
	f := newStore(t)
	f.writePacket(ulid, "one", "notes")
	file := packets(t, f.Store).Files[0]
	change := func(fn func(tx *store.Tx) error) { require.NoError(t, f.update(fn)) }
	change(func(tx *store.Tx) error { return tx.MarkPacket(file, f.now) })
	change(func(tx *store.Tx) error {
		tx.Log(memory.Event{Action: memory.ActionRemoved, Packet: ulid})
		return tx.ErasePacket(file)
	})
	entries := undoEntries(t, f.Store)
	require.Len(t, entries, 3)
	require.Equal(t, ulid, entries[2].Packet)
	require.Equal(t, memory.ActionWritten, entries[2].Action)
	require.Equal(t, "goal", entries[2].Topic)
	require.Equal(t, memory.ActionRemoved, entries[0].Action)
	require.Len(t, entries[0].Files, 3, "the packet, the notes and the mark")
	require.NoError(t, f.View(func(v *store.View) error {
		for i, c := range entries[0].Files {
			require.True(t, v.IsAfter(c))
			require.False(t, v.IsBefore(c))
			before, err := v.UndoBytes(c.Before)
			require.NoError(t, err)
			require.Equal(t, []string{"one", "notes", ""}[i], string(before))
		}
		return nil
	}))
	f.write("packets/notes/"+ulid+".json", "by hand")
	require.NoError(t, f.View(func(v *store.View) error {
		require.False(t, v.IsAfter(entries[0].Files[1]))
		require.False(t, v.IsBefore(entries[0].Files[1]))
		return nil
	}))
}

// TestMissingDirectoriesOfPacketsAreMade, such as when an undo brings back what was removed, and git has cleaned up.
func TestMissingDirectoriesOfPacketsAreMade(t *testing.T) {
	f := newStore(t)
	f.writePacket(ulid, "one", "notes")
	file := packets(t, f.Store).Files[0]
	for name, write := range map[string]func(tx *store.Tx) error{
		"notes": func(tx *store.Tx) error { return tx.PutPacketFile(file.NotesPath(), []byte("notes")) },
		"done":  func(tx *store.Tx) error { return tx.MarkPacket(file, f.now) },
	} {
		require.NoError(t, os.RemoveAll(f.path("packets")))
		require.NoError(t, f.update(write), name)
		require.DirExists(t, f.path("packets/"+name))
	}
}

// TestTempsOfPackets: the next change of a packet removes what a killed process left.
func TestTempsOfPackets(t *testing.T) {
	f := newStore(t)
	f.writePacket(ulid, "one", "notes")
	file := packets(t, f.Store).Files[0]
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.MarkPacket(file, f.now) }))
	temps := []string{"packets/." + ulid + ".json.0123456789ab", "packets/notes/." + ulid + ".json.0123456789ab",
		"packets/done/." + ulid + ".20260828T091530Z.0123456789ab"}
	kept := []string{"packets/.x.0123456789ab", "packets/.hidden", "packets/notes/.note.swp"}
	for _, name := range append(temps, kept...) {
		f.write(name, "half")
	}
	require.Empty(t, packets(t, f.Store).Others)
	f.writePacket("01K3Q8ZJ6M4T2V9XWBDN7RHE03", "two", "")
	for _, name := range temps {
		require.NoFileExists(t, f.path(name))
	}
	for _, name := range kept {
		require.FileExists(t, f.path(name))
	}
}

// TestHostilePackets has what a repository can bring in the place of packets.
func TestHostilePackets(t *testing.T) {
	f := newStore(t)
	f.writePacket(ulid, "one", "notes")
	const linked, folder, huge = "01K3Q8ZJ6M4T2V9XWBDN7RHE03", "01K3Q8ZJ6M4T2V9XWBDN7RHE04",
		"01K3Q8ZJ6M4T2V9XWBDN7RHE05"
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	emulated.Symlink(t, outside, f.path("packets/"+linked+".json"))
	emulated.Symlink(t, f.path("packets/"+ulid+".json"), f.path("packets/notes/"+linked+".json"))
	require.NoError(t, os.Mkdir(f.path("packets/"+folder+".json"), 0o755))
	require.NoError(t, os.WriteFile(f.path("packets/"+huge+".json"), make([]byte, 2<<20), 0o644))
	f.write("packets/README", "x")
	f.write("packets/01k3q8zj6m4t2v9xwbdn7rhe02x.json", "another case")
	require.NoError(t, os.Mkdir(f.path("packets/done"), 0o755))
	f.write("packets/done/x", "")

	list := packets(t, f.Store)
	require.Len(t, list.Files, 4)
	require.Equal(t, []string{"packets/01k3q8zj6m4t2v9xwbdn7rhe02x.json", "packets/README", "packets/done/x"},
		list.Others)
	require.NoError(t, f.View(func(v *store.View) error {
		for _, id := range []string{linked, folder, huge} {
			file, ok := list.Find(id)
			require.True(t, ok)
			_, err := v.ReadPacket(file)
			require.Equal(t, memory.CodeStorage, memory.CodeOf(err), id)
		}
		file, _ := list.Find(linked)
		_, err := v.ReadPacketNotes(file)
		require.Equal(t, memory.KindDiskNotRegular, memory.KindOf(err))
		return nil
	}))
	for _, id := range []string{linked, folder} {
		err := f.update(func(tx *store.Tx) error { return tx.WritePacket(id, []byte("x"), nil) })
		require.Equal(t, memory.KindPacketTaken, memory.KindOf(err))
	}
	require.Equal(t, "secret", string(must(os.ReadFile(outside))))
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// TestPacketsBehindALink: the directory itself is no link, wherever that leads.
func TestPacketsBehindALink(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	emulated.Symlink(t, t.TempDir(), f.path("packets"))
	require.Equal(t, store.PacketFiles{Others: []string{"packets"}}, packets(t, f.Store))
	err := f.update(func(tx *store.Tx) error { return tx.WritePacket(ulid, []byte("x"), nil) })
	require.Equal(t, memory.KindDiskNotRegular, memory.KindOf(err))
}

// TestPacketsWithoutDirectories: what is in the place of a directory beside the packets hides none.
func TestPacketsWithoutDirectories(t *testing.T) {
	f := newStore(t)
	f.writePacket(ulid, "one", "")
	f.write("packets/notes", "x")
	emulated.Symlink(t, t.TempDir(), f.path("packets/done"))
	list := packets(t, f.Store)
	require.Len(t, list.Files, 1)
	require.Equal(t, []string{"packets/done", "packets/notes"}, list.Others)
	data, notes := packetTexts(t, f.Store, ulid)
	require.Equal(t, "one/", data+"/"+notes)
	file := list.Files[0]
	for _, change := range []func(*store.Tx) error{
		func(tx *store.Tx) error { return tx.MarkPacket(file, f.now) },
		func(tx *store.Tx) error { return tx.WritePacket("01K3Q8ZJ6M4T2V9XWBDN7RHE03", nil, []byte("x")) },
	} {
		require.Equal(t, memory.KindDiskNotRegular, memory.KindOf(f.update(change)))
	}
	f.put("mem_00000001", "memories can be stored")
}

// FuzzPacketName: every id has one name, which is safe on every system, and no name is that of two.
func FuzzPacketName(f *testing.F) {
	f.Fuzz(func(t *testing.T, id, other string) {
		name := store.PacketName(id)
		require.LessOrEqual(t, len(name), 200)
		require.Regexp(t, `^[-0-9A-Za-z_~=+]*$`, name)
		if id != other && len(name) > 0 {
			require.NotEqual(t, strings.ToLower(name), strings.ToLower(store.PacketName(other)))
		}
		if got, known, ok := store.PacketID(name); ok && known {
			require.Equal(t, id, got)
		} else if count := utf8.RuneCountInString(id); utf8.ValidString(id) && 10 <= count && count <= 64 {
			require.True(t, ok, "a legal id has a legal name")
			require.Len(t, name, 65)
		}
		if got, known, ok := store.PacketID(other); ok && known {
			require.Equal(t, other, store.PacketName(got), "one name for each id")
		}
	})
}
