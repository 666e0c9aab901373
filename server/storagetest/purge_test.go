package storagetest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/threads"
)

// purge has something of each kind that is removed, and of each that is not yet.
func purge(t *testing.T, w *world) {
	ann, ben, cem := w.person(t, "ann"), w.person(t, "ben"), w.person(t, "cem")
	red := w.team(t, "red", ann, ben, cem) // two invites that were used after 1 and 2 seconds
	w.team(t, "blue", ann)
	for _, at := range []int{10, 90} {
		id := fmt.Sprintf("deleted-at-%d", at)
		w.put(t, packet(ben, "red", id, "some words"))
		require.NoError(t, w.DeletePacket(w.ctx, ben.ID, id, "", after(at)))
		require.NoError(t, w.CreateToken(w.ctx, server.Token{ID: "expires-" + id, UserID: ann.ID, Hash: hash("e" + id),
			CreatedAt: start, ExpiresAt: after(at)}, 99))
		require.NoError(t, w.CreateToken(w.ctx, server.Token{ID: "revoked-" + id, UserID: ann.ID, Hash: hash("r" + id),
			CreatedAt: start}, 99))
		require.NoError(t, w.RevokeToken(w.ctx, "revoked-"+id, after(at)))
		require.NoError(t, w.CreateInvite(w.ctx, ann.ID, "red", server.Invite{ID: "expires-" + id,
			Hash: hash("i" + id), CreatedAt: start, ExpiresAt: after(at)}, 99))
		require.NoError(t, w.CreateDevice(w.ctx, server.Device{ID: id, Hash: hash(id), UserCode: id, CreatedAt: start,
			ExpiresAt: after(at)}))
		_, err := w.Begin(w.ctx, ann.ID, id, hash("request"), after(at))
		require.NoError(t, err)
	}
	w.put(t, packet(ann, "", "kept-packet", "kept words"))
	w.put(t, packet(cem, "red", "kept-too", "by who is gone"))
	w.put(t, packet(cem, "", "personal-packet", "goes with its user"))
	w.put(t, packet(ann, "blue", "blue-packet", "goes with its team"))
	require.NoError(t, w.CreateToken(w.ctx, server.Token{ID: w.id(), UserID: cem.ID, CreatedAt: start}, 9))
	require.NoError(t, w.DeleteTeam(w.ctx, ann.ID, "blue", after(20)))
	require.NoError(t, w.DeleteUser(w.ctx, cem.ID, after(20)))

	got, err := w.Purge(w.ctx, start)
	require.NoError(t, err)
	require.Zero(t, got, "nothing is that old")
	got, err = w.Purge(w.ctx, after(50))
	require.NoError(t, err)
	require.Equal(t, server.Purged{Packets: 3, Teams: 1, Invites: 3, Tokens: 3, Users: 1, Devices: 1, Keys: 1}, got)
	got, err = w.Purge(w.ctx, after(50))
	require.NoError(t, err)
	require.Zero(t, got, "once")

	require.Equal(t, "kept words", w.body(t, ann, "kept-packet"))
	entries, err := w.ListPackets(w.ctx, server.PacketQuery{Caller: ben.ID, Team: "red", Limit: 9})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "kept-too", entries[0].ID)
	require.Empty(t, entries[0].Author, "who is purged has no name any more")
	got2, err := w.TeamOf(w.ctx, ben.ID, "red")
	require.NoError(t, err)
	require.Equal(t, red, got2)

	// An id that was purged is anyone's; one that waits for it is its author's.
	_, err = w.PutPacket(w.ctx, packet(ann, "red", "deleted-at-90", "x"), plenty)
	require.ErrorIs(t, err, server.ErrTaken)
	require.True(t, w.put(t, packet(ann, "red", "deleted-at-10", "x")).Created)
	_, err = w.Begin(w.ctx, ann.ID, "deleted-at-10", hash("other"), after(51))
	require.NoError(t, err)
	_, err = w.Begin(w.ctx, ann.ID, "deleted-at-90", hash("other"), after(51))
	require.ErrorIs(t, err, server.ErrReused)

	got, err = w.Purge(w.ctx, after(1000))
	require.NoError(t, err)
	require.Equal(t, server.Purged{Packets: 1, Invites: 1, Tokens: 2, Devices: 1, Keys: 2}, got)
}

// purgeOfMany has more than a step's worth of packets.
func purgeOfMany(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	for _, name := range []string{"one", "two"} {
		w.team(t, name, ann)
		for i := range 120 {
			w.put(t, packet(ann, name, fmt.Sprintf("packet-%04d", i), "common words"))
		}
		w.listed(t, ann, name, 3)
	}
	for i := range 110 {
		id := fmt.Sprintf("mine-%04d", i)
		w.put(t, packet(ann, "", id, "common words"))
		require.NoError(t, w.DeletePacket(w.ctx, ann.ID, id, "", after(1)))
	}
	for _, name := range []string{"one", "two"} {
		require.NoError(t, w.DeleteTeam(w.ctx, ann.ID, name, after(1)))
	}
	got, err := w.Purge(w.ctx, after(2))
	require.NoError(t, err)
	require.Equal(t, server.Purged{Packets: 350, Teams: 2}, got)
}

// purgingMemory has finished jobs, lines of the feed and keys, old and new ones.
func purgingMemory(t *testing.T, w *place) {
	for i, at := range []int{10, 90} {
		for j, k := range []threads.Key{{ExpiresAt: after(at)}, {RevokedAt: after(at)}} {
			k.ID, k.App, k.CreatedAt = fmt.Sprint("k", i, j), ann.App, start
			k.Hash = hash(k.ID)
			require.NoError(t, w.CreateKey(w.ctx, k))
		}
		w.filled(t, ann, 100+at, at)
		w.change(t, ann, func(tx threads.Tx) error { return tx.AddJob(job(threads.JobEmbed, at)) })
		jobs, err := w.Lease(w.ctx, "l", nil, 9, after(at), after(at+1))
		require.NoError(t, err)
		jobs[0].State, jobs[0].DoneAt = threads.JobSkipped, after(at)
		require.NoError(t, w.Finish(w.ctx, jobs[0]))
	}
	var version int64
	w.view(t, ann, func(v threads.View) { version, _ = v.Version() })
	totals, err := w.all.Totals(w.ctx)
	require.NoError(t, err)
	require.Equal(t, server.Totals{Apps: 2, AppKeys: 2, Subjects: 1}, totals)
	got, err := w.all.Purge(w.ctx, after(50))
	require.NoError(t, err)
	require.Equal(t, server.Purged{AppKeys: 2, Jobs: 1, Changes: 1}, got, "the thread's time is later than its event's")
	w.view(t, ann, func(v threads.View) {
		_, known, err := v.Changed(version - 2)
		require.NoError(t, err)
		require.False(t, known, "a line is missing")
		refs, known, err := v.Changed(version - 1)
		require.NoError(t, err)
		require.True(t, known)
		require.Len(t, refs, 1)
	})
	got, err = w.all.Purge(w.ctx, after(1000))
	require.NoError(t, err)
	require.Equal(t, server.Purged{AppKeys: 2, Jobs: 1, Changes: 3}, got)
	w.view(t, ann, func(v threads.View) {
		jobs, err := v.Jobs(uuid(90))
		require.NoError(t, err)
		require.Empty(t, jobs)
	})
}
