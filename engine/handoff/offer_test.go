package handoff_test

import (
	"context"
	"fmt"
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

// Offer is [handoff.Desk.Offer] in a view of its own.
func (f *fixture) Offer(ctx context.Context, session string) (e api.PacketEntry, found bool, err error) {
	err = f.options.Store.View(func(v *store.View) (err error) {
		e, found, err = f.Desk.Offer(ctx, v, session)
		return err
	})
	return e, found, err
}

// offered returns the goal of the packet that is offered to a session, or "".
func (f *fixture) offered(session string) string {
	f.t.Helper()
	e, found, err := f.Offer(f.t.Context(), session)
	require.NoError(f.t, err)
	require.Equal(f.t, found, e.ID != "")
	r, err := f.Resume(f.t.Context(), api.ResumePacket{Session: session})
	if found {
		require.NoError(f.t, err)
		require.Equal(f.t, e.ID, r.ID, "a session resumes what it is offered")
	} else {
		require.Equal(f.t, memory.KindPacketNone, memory.KindOf(err))
	}
	return e.Goal
}

func (f *fixture) writeIn(session, branch, goal, parent string) string {
	f.t.Helper()
	f.git.branch = branch
	d := draft(goal)
	d.Session, d.Packet.ParentID = session, parent
	return f.write(d).ID
}

// TestWhatBecameOfADraft is said of drafts alone, and only once another commit is checked out.
func TestWhatBecameOfADraft(t *testing.T) {
	f, r := recorded(t)
	r["/records/s3"] = worked().Outline
	since := func() *api.PacketSince {
		e, found, err := f.Offer(t.Context(), "s2")
		require.NoError(t, err)
		require.True(t, found)
		return e.Since
	}
	f.git.branch, f.git.commit, f.git.dirty = "main", commit, []string{"a.go", "b.go"}
	id := f.drafted(api.DraftRequest{Session: "s1"}).ID
	f.git.differ = 1
	require.Nil(t, since(), "a stash leaves the commit as it is")
	f.git.commit = strings.Repeat("1", 40)
	require.Equal(t, &api.PacketSince{Files: 2, Changed: 1}, since())
	f.git.differ = -1
	require.Equal(t, &api.PacketSince{}, since())
	f.git.commit = ""
	require.Nil(t, since())
	f.git.commit = strings.Repeat("1", 40)
	_, err := f.KeepDraft(t.Context(), id)
	require.NoError(t, err)
	require.Nil(t, since(), "it came with that commit")

	f.git.differ = 0
	for i := range 100 {
		f.git.dirty = append(f.git.dirty, fmt.Sprint(i))
	}
	f.drafted(api.DraftRequest{Session: "s3"})
	f.git.commit = commit
	require.Equal(t, &api.PacketSince{}, since(), "not all files are noted")
}

func TestOffer(t *testing.T) {
	f := newDesk(t)
	require.Empty(t, f.offered("s1"))
	one := f.writeIn("s1", "main", "one", "")
	require.Equal(t, "one", f.offered("s2"))
	require.Equal(t, "one", f.offered(""), "a person")
	require.Empty(t, f.offered("s1"), "the session's own")

	f.writeIn("s3", "drift", "two", "")
	require.Equal(t, "two", f.offered("s2"))
	f.git.branch = "main"
	require.Equal(t, "one", f.offered("s2"), "this branch first")
	f.git.branch = "third"
	require.Equal(t, "two", f.offered("s2"), "else the newest")

	three := f.writeIn("s2", "main", "three", one)
	require.Equal(t, "two", f.offered("s2"), "one is continued, and three its own")
	require.Equal(t, "three", f.offered("s4"))
	_, err := f.Done(t.Context(), three, false)
	require.NoError(t, err)
	require.Equal(t, "two", f.offered("s4"), "what a packet continues that is done is done, too")
	_, err = f.Done(t.Context(), three, true)
	require.NoError(t, err)
	require.Equal(t, "three", f.offered("s4"))
	_, err = f.Remove(t.Context(), three)
	require.NoError(t, err)
	require.Equal(t, "one", f.offered("s4"))
}

// TestOffersOfOtherClocks: what claims to be from the future does not stay on top.
func TestOffersOfOtherClocks(t *testing.T) {
	f := newDesk(t)
	for _, id := range []string{"7ZZZZZZZZZ0000000000000000", "zzzzzzzzzz", "01K3Q8ZJ6M4T2V9XWBDN7RHE99"} {
		p := packet.Packet{Version: packet.Version01, ID: id, CreatedAt: "2099-01-01T00:00:00Z", Goal: "future",
			NextStep: "n"}
		data, err := p.Canonical()
		require.NoError(t, err)
		_, err = f.Keep(t.Context(), data)
		require.NoError(t, err)
	}
	require.Equal(t, "future", f.offered("s"))
	f.writeIn("", "main", "now", "")
	require.Equal(t, "now", f.offered("s"))
}

// TestListsOfOtherClocks: in lists, a packet that is a little ahead is where it was when it was kept, and one from
// the future comes last, although it was kept just now.
func TestListsOfOtherClocks(t *testing.T) {
	f := newDesk(t)
	for i, goal := range []string{"first", "ahead", "last", "future"} {
		f.now = at.Add(time.Duration(i) * time.Hour)
		p := packet.Packet{Version: packet.Version01, ID: goal + "-packet", Goal: goal, NextStep: "n",
			CreatedAt: f.now.Format(time.RFC3339)}
		if goal == "future" {
			p.CreatedAt = "2099-01-01T00:00:00Z"
		}
		if goal == "ahead" {
			p.CreatedAt = f.now.Add(12 * time.Hour).Format(time.RFC3339)
		}
		data, err := p.Canonical()
		require.NoError(t, err)
		_, err = f.Keep(t.Context(), data)
		require.NoError(t, err)
		name := store.PacketName(p.ID) + ".json"
		require.NoError(t, os.Chtimes(filepath.Join(f.dir, "packets", name), f.now, f.now))
	}
	list := f.list(api.PacketFilter{})
	require.Equal(t, []string{"last", "ahead", "first", "future"}, goals(list))
	require.Equal(t, 2099, list.Packets[3].CreatedAt.Year(), "what the packet says stays")
}

// TestAnOfferReadsFewFiles: of a thousand packets, only the newest sixteen are read.
func TestAnOfferReadsFewFiles(t *testing.T) {
	f := newDesk(t)
	first := f.write(draft("new"))
	canonical := f.files()[first.ID+".json"]
	for i := range 1000 {
		id := fmt.Sprintf("01K3Q8ZJ6M4T2V9XWBDN7R%04d", i)
		f.file(id+".json", strings.Replace(canonical, first.ID, id, 1))
	}
	e, found, err := f.Offer(t.Context(), "s")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, first.ID, e.ID)
	for range 16 {
		id := f.write(draft("done")).ID
		_, err := f.Done(t.Context(), id, false)
		require.NoError(t, err)
	}
	_, found, err = f.Offer(t.Context(), "s")
	require.NoError(t, err)
	require.False(t, found, "sixteen newer ones are done")
}

// full returns a desk with that many packets.
func full(b *testing.B, n int) *fixture {
	b.Helper()
	f := newDesk(b)
	first, err := f.Write(b.Context(), draft("new"))
	require.NoError(b, err)
	data, err := first.Packet.Canonical()
	require.NoError(b, err)
	for i := range n {
		id := fmt.Sprintf("01K3Q8ZJ6M4T2V9XWBDN7%05d", i)
		require.NoError(b, os.WriteFile(f.dir+"/packets/"+id+".json",
			[]byte(strings.Replace(string(data), first.ID, id, 1)), 0o644))
	}
	return f
}

func BenchmarkOffer(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := full(b, n)
			for b.Loop() {
				_, found, err := f.Offer(b.Context(), "s")
				require.NoError(b, err)
				require.True(b, found)
			}
		})
	}
}

func BenchmarkList(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := full(b, n)
			for b.Loop() {
				l, err := f.List(b.Context(), api.PacketFilter{Text: "chamber", Limit: 20})
				require.NoError(b, err)
				require.Equal(b, n+1, l.Total)
			}
		})
	}
}

// TestOddIDsHideNoPacket: packets whose ids do not tell their time leave room for those that do.
func TestOddIDsHideNoPacket(t *testing.T) {
	f := newDesk(t)
	first := f.write(draft("new"))
	canonical := f.files()[first.ID+".json"]
	for i := range 20 {
		id := fmt.Sprintf("9%025d", i)
		old := strings.NewReplacer(first.ID, id, `"new"`, `"odd"`, f.show(first.ID).Packet.CreatedAt,
			"2020-01-01T00:00:00.000Z").Replace(canonical)
		f.file(id+".json", old)
	}
	require.Equal(t, "new", f.offered("s"))
}
