package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

const packetID = "01K3Q8ZJ6M4T2V9XWBDN7RHE02"

// writePacket writes a packet with a goal, as engine/handoff does.
func (f *fixture) writePacket(id, goal string) {
	f.t.Helper()
	p := packet.Packet{Version: packet.Version01, ID: id, CreatedAt: packet.FormatTime(f.now), Goal: goal,
		NextStep: "n"}
	data, err := p.Canonical()
	require.NoError(f.t, err)
	f.changePackets(func(tx *store.Tx) error {
		tx.Log(memory.Event{Time: f.now, Action: memory.ActionWritten, Packet: id, Topic: goal})
		return tx.WritePacket(id, append(data, '\n'), []byte(`{"version":1}`))
	})
}

func (f *fixture) changePackets(fn func(*store.Tx) error) {
	f.t.Helper()
	s := store.New(f.places, func() time.Time { return f.now })
	require.NoError(f.t, s.Update(context.Background(), store.UpdateOptions{Wait: patience, Create: true}, fn))
}

func (f *fixture) status() api.Status {
	f.t.Helper()
	s, err := f.Status(f.ctx)
	require.NoError(f.t, err)
	return s
}

func TestPacketsInTheStatus(t *testing.T) {
	f := newEngine(t)
	require.Zero(t, f.status().TotalPackets)
	f.writePacket(packetID, "one")
	f.writePacket("01K3Q8ZJ6M4T2V9XWBDN7RHE03", "two")
	file := store.PacketFile{Name: packetID, ID: packetID}
	f.changePackets(func(tx *store.Tx) error { return tx.MarkPacket(file, f.now) })
	require.Equal(t, [2]int{2, 1}, [2]int{f.status().TotalPackets, f.status().DonePackets})
	f.changePackets(func(tx *store.Tx) error { return tx.ErasePacket(file) })
	require.Equal(t, [2]int{1, 0}, [2]int{f.status().TotalPackets, f.status().DonePackets})
	require.Equal(t, "in order: 0 memories", f.status().Health.String())
}

// TestUndoOfPackets: the last change is undone, whether it is that of a memory or of a packet.
func TestUndoOfPackets(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "It is 20.", 0.5)
	f.writePacket(packetID, "one")
	file := store.PacketFile{Name: packetID, ID: packetID}
	f.changePackets(func(tx *store.Tx) error {
		tx.Log(memory.Event{Time: f.now, Action: memory.ActionRemoved, Packet: packetID, Topic: "one"})
		return tx.ErasePacket(file)
	})
	open, err := f.Undoable(f.ctx)
	require.NoError(t, err)
	require.Equal(t, packetID, open.Changes[0].Packet)

	require.Equal(t, `took back: packet removed "`+packetID+`": one`, f.undo().Message.String())
	require.Equal(t, 1, f.status().TotalPackets)
	require.Equal(t, `took back: packet written "`+packetID+`": one`, f.undo().Message.String())
	require.Zero(t, f.status().TotalPackets)
	require.Contains(t, f.undo().Message.String(), "took back: stored "+string(id))
	_, err = f.Undo(f.ctx, "")
	require.Equal(t, memory.KindUndoNone, memory.KindOf(err))
	history, err := f.History(f.ctx, "", 2)
	require.NoError(t, err)
	require.Equal(t, memory.ActionUndone, history.Events[1].Action)
	require.Equal(t, packetID, history.Events[1].Packet)
}

func TestCheckNamesFaultyPackets(t *testing.T) {
	f := newEngine(t)
	f.writePacket(packetID, "one")
	at := filepath.Join(f.dir, "packets")
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o644))
	}
	good, err := os.ReadFile(filepath.Join(at, packetID+".json"))
	require.NoError(t, err)
	write("01K3Q8ZJ6M4T2V9XWBDN7RHE03.json", string(good))
	write("01K3Q8ZJ6M4T2V9XWBDN7RHE04.json", `{"ltm_version":"0.2"}`)
	write("01K3Q8ZJ6M4T2V9XWBDN7RHE05.json", "<<<<<<< HEAD\n")
	write("note.txt", "x")
	write("notes/"+packetID+".json", "x")
	write("."+packetID+".json.0123456789ab", "half")
	r, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.False(t, r.OK)
	require.Contains(t, r.Summary.String(), "3 unreadable packets")
	found := map[string]string{}
	for _, p := range append(r.Problems, r.Remarks...) {
		found[p.Where] = p.Kind + ": " + p.Reason.String()
	}
	require.Contains(t, found["packets/01K3Q8ZJ6M4T2V9XWBDN7RHE03.json"], "/id: is not that of the file's name")
	require.Contains(t, found["packets/01K3Q8ZJ6M4T2V9XWBDN7RHE04.json"], `"id" is missing, and 3 other faults`)
	require.Contains(t, found["packets/01K3Q8ZJ6M4T2V9XWBDN7RHE05.json"], "unreadable packet: ")
	require.Contains(t, found["packets/note.txt"], "unknown file: ")
	require.Contains(t, found["packets/notes/"+packetID+".json"], "unreadable notes: ")
	require.Contains(t, found["packets/."+packetID+".json.0123456789ab"], "left over: ")
	require.Len(t, found, 6)

	fixed, err := f.Fix(f.ctx, api.FixOptions{})
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(at, "."+packetID+".json.0123456789ab"))
	require.Len(t, fixed.Left, 3)
	require.FileExists(t, filepath.Join(at, "01K3Q8ZJ6M4T2V9XWBDN7RHE04.json"))
}

func TestCheckFindsCredentialsInPackets(t *testing.T) {
	f := newEngine(t)
	f.writePacket(packetID, "the login is password="+strings.Repeat("hunter2", 2))
	r, err := f.CheckSecrets(f.ctx)
	require.NoError(t, err)
	require.Equal(t, []api.SecretFound{{File: "packets/" + packetID + ".json", Line: 1, Kind: "password"}}, r.Secrets)
}
