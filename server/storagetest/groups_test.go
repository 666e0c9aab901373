package storagetest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

func teams(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	red := server.Team{ID: w.id(), Name: "red", OwnerID: ann.ID, CreatedAt: after(1)}
	old := server.Team{ID: w.id(), Name: "old", OwnerID: ann.ID, CreatedAt: start}
	require.NoError(t, w.CreateTeam(w.ctx, red, 2))
	require.NoError(t, w.CreateTeam(w.ctx, old, 2))
	limited(t, w.CreateTeam(w.ctx, server.Team{ID: w.id(), Name: "x", OwnerID: ann.ID, CreatedAt: start}, 2),
		"teams", 2)
	require.ErrorIs(t, w.CreateTeam(w.ctx, server.Team{ID: w.id(), Name: "red", OwnerID: ben.ID, CreatedAt: start}, 2),
		server.ErrTaken)
	got, err := w.ListTeams(w.ctx, ben.ID)
	require.NoError(t, err)
	require.Empty(t, got, "of what was refused nothing is left")
	got, err = w.ListTeams(w.ctx, ann.ID)
	require.NoError(t, err)
	require.Equal(t, []server.Team{old, red}, got, "the oldest first")
	one, err := w.TeamOf(w.ctx, ann.ID, "red")
	require.NoError(t, err)
	require.Equal(t, red, one)
	members, err := w.ListMembers(w.ctx, ann.ID, "red")
	require.NoError(t, err)
	require.Equal(t, []server.Member{{User: ann, Owner: true, JoinedAt: after(1)}}, members)

	// Who is not in it does not see it.
	for _, name := range []string{"red", "none", "", "red\x00"} {
		_, err = w.TeamOf(w.ctx, ben.ID, name)
		require.ErrorIs(t, err, server.ErrNotFound)
		_, err = w.ListMembers(w.ctx, ben.ID, name)
		require.ErrorIs(t, err, server.ErrNotFound)
		_, err = w.ListInvites(w.ctx, ben.ID, name, start)
		require.ErrorIs(t, err, server.ErrNotFound)
		for _, err := range []error{
			w.DeleteTeam(w.ctx, ben.ID, name, start),
			w.RemoveMember(w.ctx, ben.ID, name, ann.ID, start),
			w.LeaveTeam(w.ctx, ben.ID, name, start),
			w.TransferTeam(w.ctx, ben.ID, name, ben.ID, start),
			w.CreateInvite(w.ctx, ben.ID, name, server.Invite{ID: w.id(), Hash: hash("i"), CreatedAt: start,
				ExpiresAt: after(1)}, 9),
			w.RevokeInvite(w.ctx, ben.ID, name, "id", start),
		} {
			require.ErrorIs(t, err, server.ErrNotFound)
		}
	}
	require.NoError(t, w.DeleteTeam(w.ctx, ann.ID, "old", after(2)))
	require.NoError(t, w.CreateTeam(w.ctx, server.Team{ID: w.id(), Name: "x", OwnerID: ann.ID, CreatedAt: start}, 2),
		"a deleted team does not count")
}

func members(t *testing.T, w *world) {
	ann, ben, cem, dan := w.person(t, "ann"), w.person(t, "ben"), w.person(t, "cem"), w.person(t, "dan")
	team := w.team(t, "red", ann, ben, cem)
	got, err := w.ListMembers(w.ctx, ben.ID, "red")
	require.NoError(t, err)
	require.Equal(t, []server.Member{{User: ann, Owner: true, JoinedAt: start}, {User: ben, JoinedAt: after(1)},
		{User: cem, JoinedAt: after(2)}}, got, "the oldest first")

	require.ErrorIs(t, w.RemoveMember(w.ctx, ben.ID, "red", cem.ID, after(3)), server.ErrDenied)
	require.ErrorIs(t, w.RemoveMember(w.ctx, ann.ID, "red", ann.ID, after(3)), server.ErrOwner)
	require.ErrorIs(t, w.RemoveMember(w.ctx, ann.ID, "red", dan.ID, after(3)), server.ErrNoMember)
	require.ErrorIs(t, w.RemoveMember(w.ctx, ann.ID, "red", "a\x00b", after(3)), server.ErrNoMember)
	require.ErrorIs(t, w.LeaveTeam(w.ctx, ann.ID, "red", after(3)), server.ErrOwner)

	invite := func(by server.User, code string) {
		require.NoError(t, w.CreateInvite(w.ctx, by.ID, "red", server.Invite{ID: w.id(), Hash: hash(code),
			CreatedAt: after(3), ExpiresAt: after(100)}, 9))
	}
	open := func(code string) bool {
		_, _, err := w.InviteOf(w.ctx, hash(code), after(4))
		if err != nil {
			require.ErrorIs(t, err, server.ErrGone)
		}
		return err == nil
	}
	invite(ann, "by ann")
	invite(cem, "by cem")
	require.NoError(t, w.LeaveTeam(w.ctx, cem.ID, "red", after(4)))
	require.ErrorIs(t, w.LeaveTeam(w.ctx, cem.ID, "red", after(4)), server.ErrNotFound)
	require.True(t, open("by ann"))
	require.False(t, open("by cem"), "the invites of who leaves end")
	require.NoError(t, w.RemoveMember(w.ctx, ann.ID, "red", ben.ID, after(4)))
	require.False(t, open("by ann"), "who is removed may know it")
	_, err = w.TeamOf(w.ctx, ben.ID, "red")
	require.ErrorIs(t, err, server.ErrNotFound)
	w.join(t, team, ann, ben, after(5))
	require.ErrorIs(t, w.DeleteTeam(w.ctx, ben.ID, "red", after(6)), server.ErrDenied)
}

func transfer(t *testing.T, w *world) {
	ann, ben, cem := w.person(t, "ann"), w.person(t, "ben"), w.person(t, "cem")
	w.team(t, "red", ann, ben)
	require.ErrorIs(t, w.TransferTeam(w.ctx, ben.ID, "red", ben.ID, start), server.ErrDenied)
	require.ErrorIs(t, w.TransferTeam(w.ctx, ann.ID, "red", cem.ID, start), server.ErrNoMember)
	require.ErrorIs(t, w.TransferTeam(w.ctx, ann.ID, "red", "nobody", start), server.ErrNoMember)
	require.NoError(t, w.TransferTeam(w.ctx, ann.ID, "red", ann.ID, start))
	require.NoError(t, w.TransferTeam(w.ctx, ann.ID, "red", ben.ID, start))
	team, err := w.TeamOf(w.ctx, ann.ID, "red")
	require.NoError(t, err)
	require.Equal(t, ben.ID, team.OwnerID)
	require.ErrorIs(t, w.TransferTeam(w.ctx, ann.ID, "red", ann.ID, start), server.ErrDenied)
	require.NoError(t, w.LeaveTeam(w.ctx, ann.ID, "red", after(1)))
	require.ErrorIs(t, w.DeleteUser(w.ctx, ben.ID, after(1)), server.ErrOwner)
	require.NoError(t, w.DeleteUser(w.ctx, ann.ID, after(1)))
}

func deletingTeams(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	w.team(t, "red", ann, ben)
	w.put(t, packet(ben, "red", "team-packet", "shared"))
	require.NoError(t, w.CreateInvite(w.ctx, ann.ID, "red", server.Invite{ID: w.id(), Hash: hash("open"),
		CreatedAt: start, ExpiresAt: after(100)}, 9))
	require.NoError(t, w.DeleteTeam(w.ctx, ann.ID, "red", after(5)))
	require.ErrorIs(t, w.DeleteTeam(w.ctx, ann.ID, "red", after(5)), server.ErrNotFound)
	for _, u := range []server.User{ann, ben} {
		w.unseen(t, u, "team-packet")
		_, err := w.ListPackets(w.ctx, server.PacketQuery{Caller: u.ID, Team: "red", Limit: 9})
		require.ErrorIs(t, err, server.ErrNotFound)
		require.ErrorIs(t, w.DeletePacket(w.ctx, u.ID, "team-packet", "", after(6)), server.ErrNotFound)
		got, err := w.ListTeams(w.ctx, u.ID)
		require.NoError(t, err)
		require.Empty(t, got)
	}
	_, _, err := w.InviteOf(w.ctx, hash("open"), after(6))
	require.ErrorIs(t, err, server.ErrGone)
	_, err = w.AcceptInvite(w.ctx, hash("open"), ben, nil, 9, after(6))
	require.ErrorIs(t, err, server.ErrGone)
	w.team(t, "red", ben, ann) // the name is free, and nothing of the old team comes back
	w.unseen(t, ann, "team-packet")
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Team: "red"}))
}

func invites(t *testing.T, w *world) {
	ann, ben, cem := w.person(t, "ann"), w.person(t, "ben"), w.person(t, "cem")
	team := w.team(t, "red", ann, ben)
	add := func(by server.User, id string, at time.Time, most int) error {
		return w.CreateInvite(w.ctx, by.ID, "red", server.Invite{ID: id, TeamID: "ignored", Hash: hash(id),
			CreatedBy: "ignored", CreatedAt: at, ExpiresAt: at.Add(10 * time.Second)}, most)
	}
	require.NoError(t, add(ann, "i1", start, 2))
	require.NoError(t, add(ben, "i2", after(1), 2))
	limited(t, add(ann, "i3", after(2), 2), "invites", 2)
	require.NoError(t, add(ann, "i3", after(10), 2), "what expired does not count")
	require.ErrorIs(t, add(ann, "i3", after(10), 9), server.ErrTaken)

	list := func(at time.Time) (ids []string) {
		got, err := w.ListInvites(w.ctx, ben.ID, "red", at)
		require.NoError(t, err)
		for _, i := range got {
			ids = append(ids, i.ID)
		}
		return ids
	}
	require.Equal(t, []string{"i3", "i2", "i1"}, list(after(5)), "the newest first")
	require.Equal(t, []string{"i3"}, list(after(11)))
	got, of, err := w.InviteOf(w.ctx, hash("i2"), after(5))
	require.NoError(t, err)
	require.Equal(t, team, of)
	require.Equal(t, server.Invite{ID: "i2", TeamID: team.ID, Hash: hash("i2"), CreatedBy: ben.ID,
		CreatedAt: after(1), ExpiresAt: after(11)}, got)
	_, _, err = w.InviteOf(w.ctx, hash("i2"), after(11))
	require.ErrorIs(t, err, server.ErrGone)
	_, _, err = w.InviteOf(w.ctx, hash("none"), after(1))
	require.ErrorIs(t, err, server.ErrGone)

	require.ErrorIs(t, w.RevokeInvite(w.ctx, cem.ID, "red", "i2", after(5)), server.ErrNotFound)
	require.ErrorIs(t, w.RevokeInvite(w.ctx, ben.ID, "red", "i1", after(5)), server.ErrDenied, "another's")
	require.ErrorIs(t, w.RevokeInvite(w.ctx, ben.ID, "red", "none", after(5)), server.ErrNotFound)
	require.ErrorIs(t, w.RevokeInvite(w.ctx, ben.ID, "red", "i2", after(11)), server.ErrNotFound, "expired")
	require.NoError(t, w.RevokeInvite(w.ctx, ben.ID, "red", "i2", after(5)), "their own")
	require.ErrorIs(t, w.RevokeInvite(w.ctx, ben.ID, "red", "i2", after(5)), server.ErrNotFound, "no longer open")
	require.NoError(t, add(ben, "i4", after(10), 9))
	require.NoError(t, w.RevokeInvite(w.ctx, ann.ID, "red", "i4", after(11)), "the owner any")
	w.team(t, "blue", ben)
	require.ErrorIs(t, w.RevokeInvite(w.ctx, ben.ID, "blue", "i3", after(11)), server.ErrNotFound, "of another team")
}

func accepting(t *testing.T, w *world) {
	ann, ben, cem := w.person(t, "ann"), w.person(t, "ben"), w.person(t, "cem")
	team := w.team(t, "red", ann)
	invite := func(code string) {
		require.NoError(t, w.CreateInvite(w.ctx, ann.ID, "red", server.Invite{ID: w.id(), Hash: hash(code),
			CreatedAt: start, ExpiresAt: after(100)}, 9))
	}
	accept := func(code string, u server.User, most int, at time.Time) error {
		got, err := w.AcceptInvite(w.ctx, hash(code), u, nil, most, at)
		if err == nil {
			require.Equal(t, team, got)
		}
		return err
	}
	invite("one")
	require.ErrorIs(t, accept("one", server.User{ID: "nobody"}, 9, after(1)), server.ErrNotFound)
	require.ErrorIs(t, accept("none", ben, 9, after(1)), server.ErrGone)
	require.ErrorIs(t, accept("one", ben, 9, after(100)), server.ErrGone)
	require.NoError(t, accept("one", ann, 9, after(1)), "a member's own acceptance leaves it open")
	limited(t, accept("one", ben, 1, after(1)), "members", 1)
	require.NoError(t, accept("one", ben, 2, after(1)), "what was refused left it open")
	require.ErrorIs(t, accept("one", cem, 9, after(1)), server.ErrGone)
	require.ErrorIs(t, accept("one", ben, 9, after(1)), server.ErrGone)
	invite("two")
	require.NoError(t, w.LeaveTeam(w.ctx, ben.ID, "red", after(2)))
	require.NoError(t, accept("two", ben, 9, after(3)), "who left may come back")
	all, err := w.ListMembers(w.ctx, ben.ID, "red")
	require.NoError(t, err)
	require.Equal(t, server.Member{User: ben, JoinedAt: after(3)}, all[1])
}

func newcomers(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	w.team(t, "red", ann)
	require.NoError(t, w.CreateInvite(w.ctx, ann.ID, "red", server.Invite{ID: w.id(), Hash: hash("code"),
		CreatedAt: start, ExpiresAt: after(100)}, 9))
	user := server.User{ID: w.id(), Name: "ann", Display: "New", CreatedAt: after(1)}
	token := server.Token{ID: w.id(), Name: "by invite", Hash: hash("token"), CreatedAt: after(1)}
	_, err := w.AcceptInvite(w.ctx, hash("code"), user, &token, 9, after(1))
	require.ErrorIs(t, err, server.ErrTaken, "the name")
	user.Name = ""
	_, err = w.AcceptInvite(w.ctx, hash("none"), user, &token, 9, after(1))
	require.ErrorIs(t, err, server.ErrGone)
	_, err = w.AcceptInvite(w.ctx, hash("code"), user, &token, 1, after(1))
	limited(t, err, "members", 1)
	_, err = w.User(w.ctx, user.ID)
	require.ErrorIs(t, err, server.ErrNotFound, "of what was refused nothing is left")

	_, err = w.AcceptInvite(w.ctx, hash("code"), user, &token, 9, after(1))
	require.NoError(t, err)
	_, got, err := w.Authenticate(w.ctx, hash("token"), after(2))
	require.NoError(t, err)
	require.Equal(t, user, got)
	_, err = w.TeamOf(w.ctx, user.ID, "red")
	require.NoError(t, err)
	w.put(t, packet(user, "", "their-own-id", "x"))
}
