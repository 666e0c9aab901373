package storagetest_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

func users(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	ben := server.User{ID: w.id(), Display: "Ben", CreatedAt: after(-1)} // without name and address
	require.NoError(t, w.CreateUser(w.ctx, ben))
	require.NoError(t, w.CreateUser(w.ctx, server.User{ID: w.id(), Display: "Ben", CreatedAt: after(2)}))

	got, err := w.User(w.ctx, ann.ID)
	require.NoError(t, err)
	require.Equal(t, ann, got)
	for _, given := range []string{ann.ID, "ann", "ann@example.org"} {
		got, err := w.FindUser(w.ctx, given)
		require.NoError(t, err)
		require.Equal(t, ann, got)
	}
	for _, given := range []string{"", "Ann", "ANN", "an", "ann\x00", "nobody"} {
		_, err := w.FindUser(w.ctx, given)
		require.ErrorIs(t, err, server.ErrNotFound, given)
		_, err = w.User(w.ctx, given)
		require.ErrorIs(t, err, server.ErrNotFound, given)
	}

	for name, u := range map[string]server.User{
		"name":    {ID: w.id(), Name: "ann"},
		"address": {ID: w.id(), Email: "ann@example.org"},
		"id":      {ID: ann.ID, Name: "other"},
	} {
		u.CreatedAt = start
		require.ErrorIs(t, w.CreateUser(w.ctx, u), server.ErrTaken, name)
	}
	all, err := w.ListUsers(w.ctx)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, []server.User{ben, ann}, all[:2], "the oldest first")
}

func manyUsers(t *testing.T, w *world) {
	w.person(t, "ann")
	some := []server.User{{ID: w.id(), Name: "ben", CreatedAt: after(1)},
		{ID: w.id(), Name: "ann", CreatedAt: after(1)}}
	failed, err := w.CreateUsers(w.ctx, some)
	require.ErrorIs(t, err, server.ErrTaken)
	require.Equal(t, 1, failed)
	_, err = w.FindUser(w.ctx, "ben")
	require.ErrorIs(t, err, server.ErrNotFound, "all or none")
	some[1].Name = "cleo"
	_, err = w.CreateUsers(w.ctx, some)
	require.NoError(t, err)
	all, err := w.ListUsers(w.ctx)
	require.NoError(t, err)
	require.Equal(t, some, all[1:])
}

// TestBackedUp checks that all servers of a database know its last backup, and none of those of a copy.
func TestBackedUp(t *testing.T) {
	onEach(t, func(t *testing.T, empty fresh) {
		d := empty(t)
		store := opened(t, d)
		for _, at := range []time.Time{after(1), after(2)} {
			require.NoError(t, store.BackedUp(t.Context(), at))
			totals, err := opened(t, d).Totals(t.Context())
			require.NoError(t, err)
			require.Equal(t, at, totals.BackedUp)
		}
		var dump bytes.Buffer
		require.NoError(t, store.Dump(t.Context(), &dump))
		restored := opened(t, empty(t))
		require.NoError(t, restored.Restore(t.Context(), &dump))
		totals, err := restored.Totals(t.Context())
		require.NoError(t, err)
		require.Zero(t, totals.BackedUp)
	})
}

func disablingUsers(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	w.team(t, "red", ann, ben)
	token := server.Token{ID: w.id(), UserID: ben.ID, Hash: hash("ben"), CreatedAt: start}
	require.NoError(t, w.CreateToken(w.ctx, token, 9))
	w.put(t, packet(ben, "", "personal-id", "own"))
	code := hash("by ben")
	require.NoError(t, w.CreateInvite(w.ctx, ben.ID, "red",
		server.Invite{ID: w.id(), Hash: code, CreatedAt: start, ExpiresAt: after(100)}, 9))

	require.ErrorIs(t, w.DisableUser(w.ctx, "nobody", true, after(1)), server.ErrNotFound)
	for range 2 { // the second changes nothing
		require.NoError(t, w.DisableUser(w.ctx, ben.ID, true, after(1)))
	}
	_, got, err := w.Authenticate(w.ctx, hash("ben"), after(2))
	require.NoError(t, err)
	require.Equal(t, after(1), got.DisabledAt)
	_, _, err = w.InviteOf(w.ctx, code, after(2))
	require.ErrorIs(t, err, server.ErrGone, "an invite of theirs would be a way back")
	require.Equal(t, "own", w.body(t, ben, "personal-id"), "everything is kept")
	members, err := w.ListMembers(w.ctx, ann.ID, "red")
	require.NoError(t, err)
	require.Len(t, members, 2)

	require.NoError(t, w.DisableUser(w.ctx, ben.ID, false, after(3)))
	_, got, err = w.Authenticate(w.ctx, hash("ben"), after(4))
	require.NoError(t, err)
	require.Equal(t, ben, got)
	_, _, err = w.InviteOf(w.ctx, code, after(4))
	require.NoError(t, err)

	require.NoError(t, w.DisableUser(w.ctx, ben.ID, true, after(5)))
	require.NoError(t, w.DeleteUser(w.ctx, ben.ID, after(6)))
	_, err = w.Purge(w.ctx, after(50))
	require.NoError(t, err)
	_, err = w.FindUser(w.ctx, "ben")
	require.ErrorIs(t, err, server.ErrNotFound)
}

func deletingUsers(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	team := w.team(t, "red", ann, ben)
	token := server.Token{ID: w.id(), UserID: ben.ID, Hash: hash("ben"), CreatedAt: start}
	require.NoError(t, w.CreateToken(w.ctx, token, 9))
	w.put(t, packet(ben, "", "personal-id", "own"))
	w.put(t, packet(ben, "red", "team-packet", "shared"))
	code := hash("by ben")
	require.NoError(t, w.CreateInvite(w.ctx, ben.ID, "red",
		server.Invite{ID: w.id(), Hash: code, CreatedAt: start, ExpiresAt: after(100)}, 9))

	require.ErrorIs(t, w.DeleteUser(w.ctx, ann.ID, after(1)), server.ErrOwner)
	require.ErrorIs(t, w.DeleteUser(w.ctx, "nobody", after(1)), server.ErrNotFound)
	require.NoError(t, w.DeleteUser(w.ctx, ben.ID, after(1)))
	require.ErrorIs(t, w.DeleteUser(w.ctx, ben.ID, after(1)), server.ErrNotFound)

	_, err := w.User(w.ctx, ben.ID)
	require.ErrorIs(t, err, server.ErrNotFound)
	_, _, err = w.Authenticate(w.ctx, hash("ben"), after(2))
	require.ErrorIs(t, err, server.ErrNotFound)
	w.unseen(t, ben, "personal-id")
	w.unseen(t, ben, "team-packet")
	require.Equal(t, "shared", w.body(t, ann, "team-packet"), "what they wrote for a team is the team's")
	all, err := w.ListMembers(w.ctx, ann.ID, "red")
	require.NoError(t, err)
	require.Len(t, all, 1)
	_, _, err = w.InviteOf(w.ctx, code, after(2))
	require.ErrorIs(t, err, server.ErrGone, "their invites end")

	// Whatever they try as a user that is gone fails.
	_, err = w.PutPacket(w.ctx, packet(ben, "", "another-id", "x"), plenty)
	require.ErrorIs(t, err, server.ErrNotFound)
	_, err = w.ListPackets(w.ctx, server.PacketQuery{Caller: ben.ID, Limit: 1})
	require.ErrorIs(t, err, server.ErrNotFound)
	require.ErrorIs(t, w.DeletePacket(w.ctx, ben.ID, "team-packet", "", after(2)), server.ErrNotFound)
	require.ErrorIs(t, w.CreateToken(w.ctx, server.Token{ID: w.id(), UserID: ben.ID, CreatedAt: after(2)}, 9),
		server.ErrNotFound)
	require.ErrorIs(t, w.RotateToken(w.ctx, token.ID, server.Token{ID: w.id(), CreatedAt: after(2)}, after(3)),
		server.ErrNotFound)
	require.ErrorIs(t, w.CreateTeam(w.ctx, server.Team{ID: w.id(), Name: "x", OwnerID: ben.ID, CreatedAt: start}, 9),
		server.ErrNotFound)
	require.ErrorIs(t, w.TransferTeam(w.ctx, ann.ID, team.Name, ben.ID, start), server.ErrNoMember)

	again := server.User{ID: w.id(), Name: "ben", Email: "ben@example.org", CreatedAt: after(3)}
	require.NoError(t, w.CreateUser(w.ctx, again), "name and address are free again")
	w.unseen(t, again, "personal-id")
}

func tokens(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	first := server.Token{ID: "01AAA1", UserID: ann.ID, Name: "laptop", Hash: hash("1"), CreatedAt: start}
	second := server.Token{ID: "01AAB2", UserID: ann.ID, Name: "box", Hash: hash("2"), CreatedAt: after(1),
		ExpiresAt: after(100)}
	require.NoError(t, w.CreateToken(w.ctx, first, 9))
	require.NoError(t, w.CreateToken(w.ctx, second, 9))
	require.ErrorIs(t, w.CreateToken(w.ctx, server.Token{ID: "01AAC3", UserID: "nobody", Hash: hash("3"),
		CreatedAt: start}, 9), server.ErrNotFound)
	require.ErrorIs(t, w.CreateToken(w.ctx, server.Token{ID: "01AAC3", UserID: ann.ID, Hash: hash("2"),
		CreatedAt: start}, 9), server.ErrTaken)

	all, err := w.ListTokens(w.ctx, ann.ID)
	require.NoError(t, err)
	require.Equal(t, []server.Token{second, first}, all, "the newest first")
	all, err = w.ListTokens(w.ctx, "")
	require.NoError(t, err)
	require.Len(t, all, 2)
	all, err = w.ListTokens(w.ctx, "nobody")
	require.NoError(t, err)
	require.Empty(t, all)

	token, user, err := w.Authenticate(w.ctx, hash("1"), after(10))
	require.NoError(t, err)
	require.Equal(t, ann, user)
	require.Equal(t, after(10), token.UsedAt)
	token, _, err = w.Authenticate(w.ctx, hash("1"), after(69))
	require.NoError(t, err)
	require.Equal(t, after(10), token.UsedAt, "noted at most once a minute")
	_, _, err = w.Authenticate(w.ctx, hash("1"), after(70))
	require.NoError(t, err)
	all, err = w.ListTokens(w.ctx, ann.ID)
	require.NoError(t, err)
	require.Equal(t, after(70), all[1].UsedAt)

	_, _, err = w.Authenticate(w.ctx, hash("none"), after(10))
	require.ErrorIs(t, err, server.ErrNotFound)
	_, _, err = w.Authenticate(w.ctx, hash("2"), after(99))
	require.NoError(t, err)
	_, _, err = w.Authenticate(w.ctx, hash("2"), after(100))
	require.ErrorIs(t, err, server.ErrNotFound, "expired")

	for _, id := range []string{"", "01B", "01AAA11", "\xff"} {
		require.ErrorIs(t, w.RevokeToken(w.ctx, id, after(80)), server.ErrNotFound, id)
	}
	require.ErrorIs(t, w.RevokeToken(w.ctx, "01AA", after(80)), server.ErrAmbiguous)
	require.NoError(t, w.RevokeToken(w.ctx, "01AAA", after(80)))
	require.NoError(t, w.RevokeToken(w.ctx, "01AAA1", after(90)), "again, which changes nothing")
	_, _, err = w.Authenticate(w.ctx, hash("1"), after(80))
	require.ErrorIs(t, err, server.ErrNotFound)
	all, err = w.ListTokens(w.ctx, ann.ID)
	require.NoError(t, err)
	require.Equal(t, after(80), all[1].RevokedAt)
}

func tokenLimits(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	token := func(code string, expires time.Time) server.Token {
		return server.Token{ID: code, UserID: ann.ID, Hash: hash(code), CreatedAt: start, ExpiresAt: expires}
	}
	limited(t, w.CreateToken(w.ctx, token("a", time.Time{}), 0), "tokens", 0)
	require.NoError(t, w.CreateToken(w.ctx, token("a", time.Time{}), 2))
	require.NoError(t, w.CreateToken(w.ctx, token("b", start), 2), "it has expired when it is made")
	require.NoError(t, w.CreateToken(w.ctx, token("c", after(9)), 2), "what expired does not count")
	limited(t, w.CreateToken(w.ctx, token("d", time.Time{}), 2), "tokens", 2)
	require.NoError(t, w.RevokeToken(w.ctx, "a", start))
	require.NoError(t, w.CreateToken(w.ctx, token("d", time.Time{}), 2), "nor what was revoked")

	exact := server.Token{ID: "d1", UserID: ann.ID, Hash: hash("d1"), CreatedAt: start}
	require.NoError(t, w.CreateToken(w.ctx, exact, 9))
	require.NoError(t, w.RevokeToken(w.ctx, "d", start), "an id that others begin with")
	all, err := w.ListTokens(w.ctx, ann.ID)
	require.NoError(t, err)
	for _, k := range all {
		require.Equal(t, k.ID == "a" || k.ID == "d", !k.RevokedAt.IsZero(), k.ID)
	}
}

func rotation(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	old := server.Token{ID: "old", UserID: ann.ID, Hash: hash("old"), CreatedAt: start, ExpiresAt: after(50)}
	require.NoError(t, w.CreateToken(w.ctx, old, 1))
	next := server.Token{ID: "new", Name: "n", Hash: hash("new"), CreatedAt: after(1)}
	require.ErrorIs(t, w.RotateToken(w.ctx, "none", next, after(10)), server.ErrNotFound)
	taken := next
	taken.Hash = old.Hash
	require.ErrorIs(t, w.RotateToken(w.ctx, "old", taken, after(10)), server.ErrTaken)
	require.NoError(t, w.RotateToken(w.ctx, "ol", next, after(10)))

	got, _, err := w.Authenticate(w.ctx, hash("new"), after(2))
	require.NoError(t, err)
	require.Equal(t, ann.ID, got.UserID, "it is the same user's")
	_, _, err = w.Authenticate(w.ctx, hash("old"), after(9))
	require.NoError(t, err, "until its end, the old one goes on")
	_, _, err = w.Authenticate(w.ctx, hash("old"), after(10))
	require.ErrorIs(t, err, server.ErrNotFound)

	third := server.Token{ID: "third", Hash: hash("third"), CreatedAt: after(10)}
	require.ErrorIs(t, w.RotateToken(w.ctx, "old", third, after(20)), server.ErrGone, "it has ended")
	third.CreatedAt = after(5)
	require.NoError(t, w.RotateToken(w.ctx, "old", third, after(20)))
	_, _, err = w.Authenticate(w.ctx, hash("old"), after(10))
	require.ErrorIs(t, err, server.ErrNotFound, "it does not live longer by another rotation")
	require.NoError(t, w.RevokeToken(w.ctx, "new", after(6)))
	fourth := server.Token{ID: "fourth", Hash: hash("fourth"), CreatedAt: after(7)}
	require.ErrorIs(t, w.RotateToken(w.ctx, "new", fourth, after(20)), server.ErrGone)
}

func devices(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	add := func(code string, at time.Time) server.Device {
		d := server.Device{ID: w.id(), Hash: hash(code + at.String()), UserCode: code, Name: "ltm on box",
			CreatedAt: at, ExpiresAt: at.Add(time.Minute)}
		require.NoError(t, w.CreateDevice(w.ctx, d))
		return d
	}
	key := func(id string) server.Token { return server.Token{ID: id, Hash: hash(id), CreatedAt: start} }
	d := add("ABCD-EFGH", start)
	require.ErrorIs(t, w.CreateDevice(w.ctx, server.Device{ID: w.id(), Hash: hash("x"), UserCode: "ABCD-EFGH",
		CreatedAt: after(1), ExpiresAt: after(9)}), server.ErrTaken)
	got, err := w.PendingDevice(w.ctx, "ABCD-EFGH", after(1))
	require.NoError(t, err)
	require.Equal(t, d, got)
	for _, code := range []string{"", "abcd-efgh", "ABCD"} {
		_, err := w.PendingDevice(w.ctx, code, after(1))
		require.ErrorIs(t, err, server.ErrNotFound)
		require.ErrorIs(t, w.ApproveDevice(w.ctx, code, ann.ID, after(1)), server.ErrNotFound)
	}
	_, err = w.TakeDevice(w.ctx, hash("none"), key("k0"), 100, after(1))
	require.ErrorIs(t, err, server.ErrNotFound)

	got, err = w.TakeDevice(w.ctx, d.Hash, key("k1"), 100, after(1))
	require.ErrorIs(t, err, server.ErrPending)
	require.Equal(t, d, got, "as it was before")
	got, err = w.TakeDevice(w.ctx, d.Hash, key("k1"), 100, after(6))
	require.ErrorIs(t, err, server.ErrPending)
	require.Equal(t, after(1), got.PolledAt)

	require.ErrorIs(t, w.ApproveDevice(w.ctx, "ABCD-EFGH", "nobody", after(7)), server.ErrNotFound)
	require.NoError(t, w.ApproveDevice(w.ctx, "ABCD-EFGH", ann.ID, after(7)))
	require.ErrorIs(t, w.ApproveDevice(w.ctx, "ABCD-EFGH", "", after(7)), server.ErrNotFound, "it waits no longer")
	_, err = w.PendingDevice(w.ctx, "ABCD-EFGH", after(8))
	require.ErrorIs(t, err, server.ErrNotFound)
	_, _, err = w.Authenticate(w.ctx, hash("k1"), after(8))
	require.ErrorIs(t, err, server.ErrNotFound, "no token yet")
	got, err = w.TakeDevice(w.ctx, d.Hash, key("k1"), 100, after(8))
	require.NoError(t, err)
	require.Equal(t, ann.ID, got.UserID)
	_, user, err := w.Authenticate(w.ctx, hash("k1"), after(8))
	require.NoError(t, err)
	require.Equal(t, ann, user)
	_, err = w.TakeDevice(w.ctx, d.Hash, key("k2"), 100, after(9))
	require.ErrorIs(t, err, server.ErrGone, "once")

	denied := add("ABCD-EFGH", after(10)) // the code is free again
	require.NoError(t, w.ApproveDevice(w.ctx, "ABCD-EFGH", "", after(11)))
	_, err = w.TakeDevice(w.ctx, denied.Hash, key("k3"), 100, after(12))
	require.ErrorIs(t, err, server.ErrDenied)

	late := add("LATE-CODE", after(20))
	_, err = w.PendingDevice(w.ctx, "LATE-CODE", after(80))
	require.ErrorIs(t, err, server.ErrNotFound)
	require.ErrorIs(t, w.ApproveDevice(w.ctx, "LATE-CODE", ann.ID, after(80)), server.ErrNotFound)
	_, err = w.TakeDevice(w.ctx, late.Hash, key("k4"), 100, after(80))
	require.ErrorIs(t, err, server.ErrGone)
	add("LATE-CODE", after(80)) // what expired does not hold its code

	ben := w.person(t, "ben")
	gone := add("GONE-USER", after(90))
	require.NoError(t, w.ApproveDevice(w.ctx, "GONE-USER", ben.ID, after(91)))
	require.NoError(t, w.DeleteUser(w.ctx, ben.ID, after(92)))
	_, err = w.TakeDevice(w.ctx, gone.Hash, key("k5"), 100, after(93))
	require.ErrorIs(t, err, server.ErrDenied)
}

func idempotency(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	request, another := hash("request"), hash("another")
	begin := func(u server.User, key string, request [32]byte, at time.Time) (*server.Answer, error) {
		return w.Begin(w.ctx, u.ID, key, request, at)
	}
	none := func(a *server.Answer, err error) {
		t.Helper()
		require.NoError(t, err)
		require.Nil(t, a)
	}
	none(begin(ann, "k", request, start))
	none(begin(ben, "k", another, start)) // another user's key
	_, err := begin(ann, "k", request, after(59))
	require.ErrorIs(t, err, server.ErrUnderWay)
	_, err = begin(ann, "k", another, after(100))
	require.ErrorIs(t, err, server.ErrReused)
	none(begin(ann, "k", request, after(60))) // the first may have died
	_, err = begin(ann, "k", request, after(61))
	require.ErrorIs(t, err, server.ErrUnderWay)

	answer := server.Answer{Status: 201, Header: map[string]string{"ETag": `"x"`, "Odd": "\xff\x00"},
		Body: []byte("{\"id\":\"\x00\xff\"}\n")}
	require.NoError(t, w.Finish(w.ctx, ann.ID, "k", &answer))
	for _, at := range []time.Time{after(61), after(9999)} {
		got, err := begin(ann, "k", request, at)
		require.NoError(t, err)
		require.Equal(t, &answer, got)
	}
	_, err = begin(ann, "k", another, after(62))
	require.ErrorIs(t, err, server.ErrReused)
	require.NoError(t, w.Finish(w.ctx, ann.ID, "k", nil))
	require.NoError(t, w.Finish(w.ctx, ann.ID, "k", &server.Answer{Status: 500}))
	got, err := begin(ann, "k", request, after(63))
	require.NoError(t, err)
	require.Equal(t, &answer, got, "an answer stays")

	none(begin(ann, "freed", request, start))
	require.NoError(t, w.Finish(w.ctx, ann.ID, "freed", nil))
	none(begin(ann, "freed", another, start))
	require.NoError(t, w.Finish(w.ctx, ann.ID, "freed", &server.Answer{Status: 204}))
	got, err = begin(ann, "freed", another, start)
	require.NoError(t, err)
	require.Equal(t, 204, got.Status)
	require.Empty(t, got.Header)
	require.Empty(t, got.Body)
	require.NoError(t, w.Finish(w.ctx, ann.ID, "unknown", &server.Answer{Status: 204}))
	none(begin(ann, "unknown", request, start))
}
