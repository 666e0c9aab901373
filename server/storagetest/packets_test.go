package storagetest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

func packets(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	w.unseen(t, ann, "the-packet")
	p := packet(ann, "", "the-packet", "first text")
	p.Parent, p.Project, p.Tags, p.At = "parent-packet", "tide", []string{"b", "a"}, after(1)
	put := w.put(t, p)
	require.True(t, put.Created)
	require.NotEmpty(t, put.Version)
	got, err := w.PacketOf(w.ctx, ann.ID, "the-packet")
	require.NoError(t, err)
	require.Equal(t, server.StoredPacket{Body: []byte("first text"), Version: put.Version, AuthorID: ann.ID,
		StoredAt: after(1)}, got)
	entries, err := w.ListPackets(w.ctx, server.PacketQuery{Caller: ann.ID, Limit: 9})
	require.NoError(t, err)
	require.Equal(t, []server.PacketEntry{{ID: "the-packet", Parent: "parent-packet", Goal: "goal of first text",
		Project: "tide", Tags: []string{"b", "a"}, Author: "ANN", Created: start, Version: put.Version}}, entries)

	p.At = after(2)
	again := w.put(t, p)
	require.Equal(t, server.Put{Version: put.Version}, again, "the same bytes change nothing")
	got, err = w.PacketOf(w.ctx, ann.ID, "the-packet")
	require.NoError(t, err)
	require.Equal(t, after(1), got.StoredAt)

	next := packet(ann, "", "the-packet", "second text")
	next.Created, next.At = after(-7), after(3)
	put = w.put(t, next)
	require.False(t, put.Created)
	entries, err = w.ListPackets(w.ctx, server.PacketQuery{Caller: ann.ID, Limit: 9})
	require.NoError(t, err)
	require.Equal(t, []server.PacketEntry{{ID: "the-packet", Goal: "goal of second text", Author: "ANN",
		Created: after(-7), Version: put.Version}}, entries, "a list shows the newest version")
	for word, found := range map[string]int{"first": 0, "second": 1, "text": 1} {
		require.Len(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Words: []string{word}}), found, word)
	}
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Tag: "a"}))
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Project: "tide"}))
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Parent: "parent-packet"}))

	_, err = w.PutPacket(w.ctx, packet(server.User{ID: "nobody"}, "", "another-id", "x"), plenty)
	require.ErrorIs(t, err, server.ErrNotFound)
	_, err = w.PutPacket(w.ctx, packet(ann, "none", "another-id", "x"), plenty)
	require.ErrorIs(t, err, server.ErrNotFound)
}

func ownersOfIDs(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	team := w.team(t, "red", ann, ben)
	w.put(t, packet(ann, "", "the-packet", "ann's own"))
	w.put(t, packet(ben, "", "the-packet", "ben's own"))
	w.put(t, packet(ben, "red", "the-packet", "the team's"))
	w.put(t, packet(ben, "red", "other-one", "by ben"))
	require.Equal(t, "ann's own", w.body(t, ann, "the-packet"))
	require.Equal(t, "ben's own", w.body(t, ben, "the-packet"))

	_, err := w.PutPacket(w.ctx, packet(ann, "red", "the-packet", "taken over"), plenty)
	require.ErrorIs(t, err, server.ErrTaken, "even by the team's owner")
	stale := packet(ann, "red", "the-packet", "taken over")
	stale.IfMatch = "*"
	_, err = w.PutPacket(w.ctx, stale, plenty)
	require.ErrorIs(t, err, server.ErrTaken)
	require.NoError(t, w.DeletePacket(w.ctx, ann.ID, "other-one", "", after(1)))
	_, err = w.PutPacket(w.ctx, packet(ann, "red", "other-one", "taken over"), plenty)
	require.ErrorIs(t, err, server.ErrTaken, "after a deletion, too")
	require.True(t, w.put(t, packet(ben, "red", "other-one", "back")).Created)
	require.Equal(t, "back", w.body(t, ann, "other-one"))

	require.NoError(t, w.LeaveTeam(w.ctx, ben.ID, "red", after(2)))
	_, err = w.PutPacket(w.ctx, packet(ben, "red", "other-one", "from outside"), plenty)
	require.ErrorIs(t, err, server.ErrNotFound)
	w.join(t, team, ann, ben, after(3))
	require.False(t, w.put(t, packet(ben, "red", "other-one", "again")).Created)
}

func conditions(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	try := func(text, ifMatch string, ifNone bool) error {
		p := packet(ann, "", "the-packet", text)
		p.IfMatch, p.IfNoneMatch = ifMatch, ifNone
		_, err := w.PutPacket(w.ctx, p, plenty)
		return err
	}
	require.ErrorIs(t, try("a", "*", false), server.ErrStale, "there is none")
	require.ErrorIs(t, try("a", "x", false), server.ErrStale)
	require.NoError(t, try("a", "", true))
	require.ErrorIs(t, try("b", "", true), server.ErrStale)
	require.ErrorIs(t, try("a", "", true), server.ErrStale, "the same bytes, too")
	require.NoError(t, try("b", "*", false))
	got, err := w.PacketOf(w.ctx, ann.ID, "the-packet")
	require.NoError(t, err)
	require.NoError(t, try("c", got.Version, false))
	require.ErrorIs(t, try("d", got.Version, false), server.ErrStale)
	require.NoError(t, try("c", got.Version, false), "tried again after an answer that was lost")
	require.Equal(t, "c", w.body(t, ann, "the-packet"))

	require.ErrorIs(t, w.DeletePacket(w.ctx, ann.ID, "the-packet", got.Version, after(1)), server.ErrStale)
	now, err := w.PacketOf(w.ctx, ann.ID, "the-packet")
	require.NoError(t, err)
	require.NoError(t, w.DeletePacket(w.ctx, ann.ID, "the-packet", now.Version, after(1)))
	require.ErrorIs(t, try("d", "*", false), server.ErrStale, "a deleted one is none")
	require.NoError(t, try("c", "", true))
	require.NoError(t, w.DeletePacket(w.ctx, ann.ID, "the-packet", "*", after(1)))
}

func quotas(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	w.team(t, "red", ann, ben)
	small := server.Quota{Packets: 2, Bytes: 10}
	put := func(u server.User, team, id, text string) error {
		_, err := w.PutPacket(w.ctx, packet(u, team, id, text), small)
		return err
	}
	_, err := w.PutPacket(w.ctx, packet(ann, "", "id-number-1", "x"), server.Quota{Bytes: 10})
	limited(t, err, "packets", 0)
	_, err = w.PutPacket(w.ctx, packet(ann, "", "id-number-1", "x"), server.Quota{Packets: 1})
	limited(t, err, "bytes", 0)
	require.NoError(t, put(ann, "", "id-number-1", "12345"))
	limited(t, put(ann, "", "id-number-2", "123456"), "bytes", 10)
	w.unseen(t, ann, "id-number-2")
	require.NoError(t, put(ann, "", "id-number-2", "54321"))
	limited(t, put(ann, "", "id-number-3", ""), "packets", 2)
	limited(t, put(ann, "", "id-number-1", "123456"), "bytes", 10)
	require.NoError(t, put(ann, "", "id-number-1", "1234"))
	require.NoError(t, put(ann, "", "id-number-2", "654321"))
	require.NoError(t, put(ann, "", "id-number-2", "654321"))
	require.NoError(t, put(ben, "", "id-number-1", "of another"))
}

func whatIsSeen(t *testing.T, w *world) {
	ann, ben, cem := w.person(t, "ann"), w.person(t, "ben"), w.person(t, "cem")
	first, second := w.team(t, "first", ann, ben), w.team(t, "second", ann)
	w.join(t, second, ann, ben, after(50))
	w.put(t, packet(ann, "first", "the-packet", "in the first"))
	w.put(t, packet(ann, "second", "the-packet", "in the second"))
	w.put(t, packet(ann, "second", "other-one", "in the second"))
	got, err := w.PacketOf(w.ctx, ben.ID, "the-packet")
	require.NoError(t, err)
	require.Equal(t, "first", got.Team, "the team that they joined first")
	require.Equal(t, ann.ID, got.AuthorID)
	require.Equal(t, "in the second", w.body(t, ben, "other-one"))
	w.put(t, packet(ben, "", "the-packet", "their own"))
	require.Equal(t, "their own", w.body(t, ben, "the-packet"))
	w.unseen(t, cem, "the-packet")
	w.unseen(t, cem, "")
	for _, team := range []string{"first", "second", "none"} {
		_, err := w.ListPackets(w.ctx, server.PacketQuery{Caller: cem.ID, Team: team, Limit: 9})
		require.ErrorIs(t, err, server.ErrNotFound)
	}
	require.Equal(t, []string{"the-packet"}, w.ids(t, server.PacketQuery{Caller: ben.ID}))
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID}), "a team's are not their own")
	require.NoError(t, w.RemoveMember(w.ctx, ann.ID, "first", ben.ID, after(60)))
	require.NoError(t, w.DeletePacket(w.ctx, ben.ID, "the-packet", "", after(60)))
	require.Equal(t, "in the second", w.body(t, ben, "the-packet"))
	w.join(t, first, ann, ben, after(70))
	require.Equal(t, "in the second", w.body(t, ben, "the-packet"))
}

func deletingPackets(t *testing.T, w *world) {
	ann, ben, cem := w.person(t, "ann"), w.person(t, "ben"), w.person(t, "cem")
	w.team(t, "red", ann, ben, cem)
	remove := func(u server.User, id string) error { return w.DeletePacket(w.ctx, u.ID, id, "", after(9)) }
	w.put(t, packet(ben, "red", "team-packet", "shared text"))
	w.put(t, packet(ann, "", "annas-packet", "own"))
	require.ErrorIs(t, remove(cem, "team-packet"), server.ErrDenied)
	require.ErrorIs(t, remove(cem, "annas-packet"), server.ErrNotFound)
	require.ErrorIs(t, remove(server.User{ID: "nobody"}, "team-packet"), server.ErrNotFound)
	require.NoError(t, remove(ben, "team-packet"), "its author")
	require.ErrorIs(t, remove(ben, "team-packet"), server.ErrNotFound)
	w.unseen(t, ben, "team-packet")
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Team: "red"}))
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Team: "red", Words: []string{"shared"}}))
	require.True(t, w.put(t, packet(ben, "red", "team-packet", "shared text")).Created)
	require.Equal(t, []string{"team-packet"}, w.ids(t, server.PacketQuery{Caller: ann.ID, Team: "red",
		Words: []string{"shared"}}))
	require.NoError(t, remove(ann, "team-packet"), "the team's owner")

	w.put(t, packet(ben, "red", "team-packet", "again"))
	require.NoError(t, w.LeaveTeam(w.ctx, ben.ID, "red", after(10)))
	w.unseen(t, ben, "team-packet")
	require.NoError(t, remove(ben, "team-packet"), "its author after leaving")
	w.unseen(t, ann, "team-packet")
	require.NoError(t, remove(ann, "annas-packet"))
}

// listed puts packets of two times, and returns their ids in the order of a list.
func (w *world) listed(t *testing.T, u server.User, team string, n int) []string {
	t.Helper()
	var ids []string
	for i := range n {
		p := packet(u, team, fmt.Sprintf("packet-%04d", (i*7)%n), fmt.Sprintf("common n%d", i%3))
		p.Created = after(i % 2)
		w.put(t, p)
		ids = append(ids, fmt.Sprintf("%d %s", i%2, p.ID))
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	for i := range ids {
		ids[i] = ids[i][2:]
	}
	return ids
}

// pages reads a list in pages.
func (w *world) pages(t *testing.T, q server.PacketQuery, between func(page int)) []string {
	t.Helper()
	ids := []string{}
	for page := 0; ; page++ {
		entries, err := w.ListPackets(w.ctx, q)
		require.NoError(t, err)
		require.LessOrEqual(t, len(entries), q.Limit)
		if len(entries) == 0 {
			return ids
		}
		for _, e := range entries {
			ids = append(ids, e.ID)
			q.After = &server.PacketPlace{Created: e.Created, ID: e.ID}
		}
		between(page)
	}
}

func lists(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	w.team(t, "red", ann, ben)
	want := w.listed(t, ann, "red", 25)
	w.listed(t, ben, "", 3)
	for _, limit := range []int{1, 2, 7, 25, 26, 500} {
		require.Equal(t, want, w.pages(t, server.PacketQuery{Caller: ben.ID, Team: "red", Limit: limit}, func(int) {}))
		require.Equal(t, want, w.pages(t, server.PacketQuery{Caller: ben.ID, Team: "red", Limit: limit,
			Words: []string{"common"}}, func(int) {}))
	}
	require.Len(t, w.ids(t, server.PacketQuery{Caller: ben.ID}), 3)
	for _, limit := range []int{0, -1} {
		entries, err := w.ListPackets(w.ctx, server.PacketQuery{Caller: ben.ID, Limit: limit})
		require.NoError(t, err)
		require.Empty(t, entries)
	}
}

func filters(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	add := func(id string, at int, parent, project string, tags, words []string) {
		p := packet(ann, "", id, "body of "+id)
		p.Created, p.Parent, p.Project, p.Tags, p.Words = after(at), parent, project, tags, words
		w.put(t, p)
	}
	add("packet-1", 1, "", "tide", []string{"x"}, []string{"clock", "drift"})
	add("packet-2", 2, "packet-1", "tide", []string{"x", "y"}, []string{"clock", "battery"})
	add("packet-3", 3, "packet-1", "gauge", []string{"y"}, []string{"drift", "battery"})
	add("packet-4", 4, "packet-3", "", nil, nil)
	for _, test := range []struct {
		name string
		q    server.PacketQuery
		want []string
	}{
		{"nothing", server.PacketQuery{}, []string{"packet-4", "packet-3", "packet-2", "packet-1"}},
		{"tag", server.PacketQuery{Tag: "x"}, []string{"packet-2", "packet-1"}},
		{"tags whole", server.PacketQuery{Tag: "x,y"}, []string{}},
		{"project", server.PacketQuery{Project: "tide"}, []string{"packet-2", "packet-1"}},
		{"parent", server.PacketQuery{Parent: "packet-1"}, []string{"packet-3", "packet-2"}},
		{"since", server.PacketQuery{Since: after(2)}, []string{"packet-4", "packet-3", "packet-2"}},
		{"word", server.PacketQuery{Words: []string{"clock"}}, []string{"packet-2", "packet-1"}},
		{"all words", server.PacketQuery{Words: []string{"clock", "drift"}}, []string{"packet-1"}},
		{"a word twice", server.PacketQuery{Words: []string{"drift", "drift"}}, []string{"packet-3", "packet-1"}},
		{"no such word", server.PacketQuery{Words: []string{"clock", "clocks"}}, []string{}},
		{"a part of a word", server.PacketQuery{Words: []string{"cloc"}}, []string{}},
		{"a tag is not a word", server.PacketQuery{Words: []string{"x"}}, []string{}},
		{"a word is not a tag", server.PacketQuery{Tag: "clock"}, []string{}},
		{"all", server.PacketQuery{Tag: "y", Project: "tide", Parent: "packet-1", Since: after(2),
			Words: []string{"battery", "clock"}}, []string{"packet-2"}},
		{"place", server.PacketQuery{Words: []string{"battery"},
			After: &server.PacketPlace{Created: after(3), ID: "packet-3"}}, []string{"packet-2"}},
		{"place and since", server.PacketQuery{Since: after(2),
			After: &server.PacketPlace{Created: after(3), ID: "packet-3"}}, []string{"packet-2"}},
	} {
		q := test.q
		q.Caller = ann.ID
		require.Equal(t, test.want, w.ids(t, q), test.name)
	}
}

func pagesWhileOthersWrite(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	for _, words := range [][]string{nil, {"common"}} {
		want := w.listed(t, ann, "", 40)
		seen := w.pages(t, server.PacketQuery{Caller: ann.ID, Limit: 3, Words: words}, func(page int) {
			early, late := packet(ann, "", fmt.Sprintf("newer-%04d", page), "common"),
				packet(ann, "", fmt.Sprintf("older-%04d", page), "common")
			early.Created, late.Created = after(100+page), after(-100-page)
			w.put(t, early)
			if page < 5 {
				w.put(t, late)
			}
			// One of those that are still to come, or were there, gets another text at the same time.
			id := want[(page*11)%len(want)]
			again := packet(ann, "", id, fmt.Sprintf("common and changed %d", page))
			again.Created = w.created(t, ann, id)
			w.put(t, again)
		})
		known := map[string]int{}
		for _, id := range seen {
			known[id]++
			require.Equal(t, 1, known[id], "%s is there once", id)
		}
		for _, id := range want {
			require.Equal(t, 1, known[id], "%s is not left out", id)
		}
	}
}

// created returns the time of a packet in a list.
func (w *world) created(t *testing.T, u server.User, id string) time.Time {
	t.Helper()
	entries, err := w.ListPackets(w.ctx, server.PacketQuery{Caller: u.ID, Limit: 1000})
	require.NoError(t, err)
	for _, e := range entries {
		if e.ID == id {
			return e.Created
		}
	}
	t.Fatalf("%s is not in the list", id)
	return time.Time{}
}
