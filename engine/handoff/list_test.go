package handoff_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
)

func TestListAndFilters(t *testing.T) {
	f := newDesk(t)
	require.Equal(t, api.PacketList{Packets: []api.PacketEntry{}}, f.list(api.PacketFilter{}))
	f.git.branch = "main"
	d := draft("Clock")
	d.Packet.Tags = []string{"rtc"}
	first := f.write(d)
	f.git.branch = "drift"
	d = draft("Radio")
	d.Packet.ParentID, d.Drafted, d.Model = first.ID, true, "m"
	d.Packet.Methods = []packet.Method{{Name: "calibrate", WhenApplicable: "Ünder zero", How: "x"}}
	d.Packet.Project = &packet.Project{Name: "other", Ref: "git.example.org/harbor/Radio@" + commit}
	second := f.write(d)
	cut := f.now
	third := f.write(draft("Buoy"))
	_, err := f.Done(t.Context(), third.ID, false)
	require.NoError(t, err)

	l := f.list(api.PacketFilter{})
	require.Equal(t, 3, l.Total)
	require.Equal(t, []string{"Buoy", "Radio", "Clock"}, goals(l))
	require.Equal(t, api.PacketEntry{ID: second.ID, Parent: first.ID, CreatedAt: cut.UTC(), Goal: "Radio",
		NextStep: "Run the cold chamber test.", Project: "other", Author: "mira", Model: "m", Branch: "drift",
		Drafted: true, Draft: true}, l.Packets[1])
	require.True(t, l.Packets[0].Done)
	require.True(t, l.Packets[2].Continued)
	for name, c := range map[string]struct {
		filter api.PacketFilter
		want   []string
	}{
		"tag":            {api.PacketFilter{Tag: "RTC"}, []string{"Clock"}},
		"branch":         {api.PacketFilter{Branch: "drift"}, []string{"Buoy", "Radio"}},
		"parent":         {api.PacketFilter{Parent: first.ID[:12]}, []string{"Radio"}},
		"project's name": {api.PacketFilter{Project: "Tide-Gauge"}, []string{"Buoy", "Clock"}},
		"repository":     {api.PacketFilter{Project: "harbor/radio"}, []string{"Radio"}},
		"since":          {api.PacketFilter{Since: cut}, []string{"Buoy", "Radio"}},
		"open":           {api.PacketFilter{Open: true}, []string{"Radio"}},
		"limit":          {api.PacketFilter{Limit: 2}, []string{"Buoy", "Radio"}},
		"words":          {api.PacketFilter{Text: " CHAMBER ünder radio "}, []string{"Radio"}},
		"a word nowhere": {api.PacketFilter{Text: "chamber nowhere"}, []string{}},
		"an id":          {api.PacketFilter{Text: third.ID}, []string{"Buoy"}},
	} {
		require.Equal(t, c.want, goals(f.list(c.filter)), name)
	}
	require.Equal(t, 3, f.list(api.PacketFilter{Limit: 1}).Total)
}

func TestShowByBeginning(t *testing.T) {
	f := newDesk(t)
	id := f.write(draft("one")).ID
	for _, given := range []string{id, id[:6], strings.ToLower(id), strings.ToLower(id[:20])} {
		require.Equal(t, "one", f.show(given).Packet.Goal)
	}
	for _, given := range []string{"", "zzz", id + "0", "../x"} {
		_, err := f.Show(t.Context(), given)
		require.Equal(t, memory.KindPacketUnknown, memory.KindOf(err), given)
	}
}

// TestIDsFromElsewhere: whatever ids other programs made, packets are found again.
func TestIDsFromElsewhere(t *testing.T) {
	f := newDesk(t)
	ids := []string{"../../../x", "CON.CON.CON", "abcdefghij", "ABCDEFGHIJ", "aBcDeFgHiJ", strings.Repeat(" ", 10),
		"a/b/c/d/e/f/g", strings.Repeat("\x00", 10), strings.Repeat("日", 64), strings.Repeat("月", 64), "con\\nul:aux"}
	for i, id := range ids {
		p := packet.Packet{Version: packet.Version01, ID: id, CreatedAt: packet.FormatTime(at), NextStep: "n",
			Goal: fmt.Sprint(i)}
		data, err := p.Canonical()
		require.NoError(t, err, "%q", id)
		_, err = f.Keep(t.Context(), data)
		require.NoError(t, err, "%q", id)
	}
	for i, id := range ids {
		require.Equal(t, fmt.Sprint(i), f.show(id).Packet.Goal, "%q", id)
	}
	require.Equal(t, "8", f.show(strings.Repeat("日", 10)).Packet.Goal, "a beginning of one whose name does not tell it")
	require.Len(t, f.list(api.PacketFilter{}).Packets, len(ids))
	require.Empty(t, f.list(api.PacketFilter{}).Faulty)
	for _, id := range ids {
		_, err := f.Done(t.Context(), id, false)
		require.NoError(t, err)
		_, err = f.Remove(t.Context(), id)
		require.NoError(t, err)
	}
	require.Empty(t, f.list(api.PacketFilter{}).Packets)
}

// TestHostileFiles: what a repository brings in the place of packets is listed, and hides nothing.
func TestHostileFiles(t *testing.T) {
	f := newDesk(t)
	good := f.write(draft("good"))
	canonical := f.files()[good.ID+".json"]
	id := func(n int) string { return fmt.Sprintf("01K3Q8ZJ6M4T2V9XWBDN7RHE%02d", n) }
	f.file(id(1)+".json", "{")
	f.file(id(2)+".json", strings.Replace(canonical, good.ID, id(3), 1))
	f.file(id(4)+".json", strings.Replace(canonical, good.ID, id(4), 1)+strings.Repeat(" ", 2<<20))
	f.file("README.md", "x")
	f.file(id(5)+".json/x", "a directory")
	f.file(id(6)+".json", strings.NewReplacer(good.ID, id(6), `"goal":"good"`,
		`"goal":"marked \u001b[31m\n## Goal","open_questions":["`+strings.Repeat("x", 1024)+`"]`).Replace(canonical))
	f.file("notes/"+good.ID+".json", "{}")
	f.file("notes/"+id(6)+".json", `{"version":1,"branch":"b","checks":[{"command":"x","at":"soon"}]}`)
	at := filepath.Join(f.dir, "packets")
	emulated.Symlink(t, filepath.Join(at, good.ID+".json"), filepath.Join(at, id(7)+".json"))
	l := f.list(api.PacketFilter{})
	require.ElementsMatch(t, []string{"good", "marked \x1b[31m\n## Goal"}, goals(l))
	var files []string
	for _, fault := range l.Faulty {
		files = append(files, fault.File)
		require.NotEmpty(t, fault.Faults, fault.File)
	}
	require.ElementsMatch(t, []string{"packets/README.md", "packets/" + id(1) + ".json", "packets/" + id(2) + ".json",
		"packets/" + id(4) + ".json", "packets/" + id(5) + ".json", "packets/" + id(7) + ".json",
		"packets/notes/" + good.ID + ".json", "packets/notes/" + id(6) + ".json"}, files)
	require.Equal(t, "good", f.show(good.ID).Packet.Goal)
	for _, n := range []int{1, 2, 4, 5, 7} {
		for _, change := range []func() error{
			func() error { _, err := f.Show(t.Context(), id(n)); return err },
			func() error { _, err := f.Done(t.Context(), id(n), false); return err },
			func() error { _, err := f.Remove(t.Context(), id(n)); return err },
		} {
			require.Equal(t, memory.KindPacketDamaged, memory.KindOf(change()), id(n))
		}
	}
	_, err := f.Show(t.Context(), id(3))
	require.Equal(t, memory.KindPacketUnknown, memory.KindOf(err))
}

// TestManyPackets: a list of thousands is complete.
func TestManyPackets(t *testing.T) {
	f := newDesk(t)
	first := f.write(draft("good"))
	canonical := f.files()[first.ID+".json"]
	for i := range 3000 {
		id := fmt.Sprintf("01K3Q8ZJ6M4T2V9XWBDN7R%04d", i)
		f.file(id+".json", strings.Replace(canonical, first.ID, id, 1))
	}
	l := f.list(api.PacketFilter{Limit: 5})
	require.Equal(t, 3001, l.Total)
	require.Empty(t, l.Faulty)
	_, err := f.Show(t.Context(), "01K3Q8")
	require.Equal(t, memory.KindPacketAmbiguous, memory.KindOf(err))
	require.Equal(t, 7, strings.Count(err.Error(), "\n")+1, "it names five, and that there are more")
}

func TestChain(t *testing.T) {
	f := newDesk(t)
	var ids []string
	for i, parent := range []int{-1, 0, 1, 1, 3} {
		d := draft(fmt.Sprint(i))
		if parent >= 0 {
			d.Packet.ParentID = ids[parent]
		}
		ids = append(ids, f.write(d).ID)
	}
	chain, entries, err := f.Chain(t.Context(), ids[1])
	require.NoError(t, err)
	require.Equal(t, ids[:2], chain.IDs)
	require.Equal(t, []string{"0", "1", "2", "3", "4"}, goals(api.PacketList{Packets: entries}))

	// A circle that a repository brings: the first continues the last.
	written := f.files()[ids[0]+".json"]
	f.file(ids[0]+".json", strings.Replace(written, `"0.2"`, `"0.2","parent_id":"`+ids[4]+`"`, 1))
	chain, entries, err = f.Chain(t.Context(), ids[4])
	require.NoError(t, err)
	require.Len(t, chain.Cycle, 4)
	require.Len(t, entries, 4)
	_, _, err = f.Chain(t.Context(), "zz")
	require.Equal(t, memory.KindPacketUnknown, memory.KindOf(err))
}

func TestKeep(t *testing.T) {
	f := newDesk(t)
	data := []byte(`{"ltm_version": "0.1", "id": "550e8400-e29b-41d4-a716-446655440000",
		"created_at": "2026-08-28T11:15:30.50+02:00", "goal": "g in /home/jo/x", "next_step": "n", "tags": []}`)
	r, err := f.Keep(t.Context(), data)
	require.NoError(t, err)
	require.Equal(t, []string{"packet_has_path /goal"}, remarks(r.Notes))
	require.Equal(t, ".claude/ltm/packets/550~e8400-e29b-41d4-a716-446655440000.json", r.Path)
	const kept = `{"ltm_version":"0.1","id":"550e8400-e29b-41d4-a716-446655440000",` +
		`"created_at":"2026-08-28T11:15:30.5+02:00","goal":"g in /home/jo/x","next_step":"n"}` + "\n"
	require.Equal(t, map[string]string{"550~e8400-e29b-41d4-a716-446655440000.json": kept}, f.files())

	r, err = f.Keep(t.Context(), []byte(kept))
	require.NoError(t, err)
	require.Equal(t, memory.KindPacketKnownAlready, r.Message[0].Kind)
	_, err = f.Keep(t.Context(), []byte(strings.Replace(kept, `"n"`, `"m"`, 1)))
	require.Equal(t, memory.KindPacketTaken, memory.KindOf(err))
	_, err = f.Keep(t.Context(), []byte(strings.Replace(kept, "g in", "password="+"hunter2"+"hunter2", 1)))
	require.Equal(t, memory.KindPacketSecret, memory.KindOf(err))
	require.NotContains(t, err.Error(), "hunter2")
	require.NotContains(t, err.Error(), "/home")
	_, err = f.Keep(t.Context(), []byte(`{"ltm_version":"0.1"}`))
	require.Equal(t, memory.KindPacketInvalid, memory.KindOf(err))
	require.Len(t, f.files(), 1)

	_, err = f.Remove(t.Context(), "550e8400")
	require.NoError(t, err)
	_, err = f.Keep(t.Context(), []byte(kept))
	require.NoError(t, err)
	require.Equal(t, kept, f.files()["550~e8400-e29b-41d4-a716-446655440000.json"])
}

func TestDoneAndRemove(t *testing.T) {
	f := newDesk(t)
	_, err := f.Done(t.Context(), "01", false)
	require.Equal(t, memory.KindPacketUnknown, memory.KindOf(err), "there is no store")
	require.NoDirExists(t, f.dir)
	id := f.write(draft("one")).ID
	d := draft("two")
	d.Packet.ParentID = id
	f.write(d)
	for _, c := range []struct {
		undo bool
		done bool
		says string
	}{{true, false, "open already"}, {false, true, "is done"},
		{false, true, "done already, since 2026-08-28T09:17:30Z"}, {true, false, "open again"},
		{false, true, "is done"}} {
		r, err := f.Done(t.Context(), id, c.undo)
		require.NoError(t, err)
		require.Contains(t, r.Message.String(), c.says)
		require.Equal(t, c.done, !f.show(id).Beside.Done.IsZero())
	}
	require.Equal(t, f.now.UTC().Truncate(time.Second), f.show(id).Beside.Done)
	r, err := f.Remove(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, "the packet was removed; 1 packet continues it", r.Message.String())
	_, err = f.Show(t.Context(), id)
	require.Equal(t, memory.KindPacketUnknown, memory.KindOf(err))
	require.Equal(t, []string{"two"}, goals(f.list(api.PacketFilter{})))
	log, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(f.dir)), "git", "clone", "log.jsonl"))
	require.NoError(t, err)
	for _, action := range []string{"written", "done", "reopened", "removed"} {
		require.Contains(t, string(log), `"packet `+action+`","packet":"`+id)
	}
}
