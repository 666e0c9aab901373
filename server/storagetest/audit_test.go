package storagetest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/conversation"
	"ltm/server/threads"
)

// auditor is what the command line reads the audit log with.
type auditor interface {
	Audit(ctx context.Context, each func(server.AuditEntry) error) error
}

// auditOf returns the lines of the log that a test wants to see.
func auditOf(t *testing.T, s server.Storage) (lines []server.AuditEntry) {
	t.Helper()
	require.NoError(t, s.(auditor).Audit(t.Context(), func(e server.AuditEntry) error {
		lines = append(lines, e)
		return nil
	}))
	return lines
}

// audit checks that each change has its line, and what was refused none.
func audit(t *testing.T, w *world) {
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	red := w.team(t, "red", ann, ben)
	token := server.Token{ID: w.id(), UserID: ann.ID, Name: "laptop", Hash: hash("t"), CreatedAt: after(2)}
	operator := server.ByOperator(w.ctx)
	require.NoError(t, w.CreateToken(operator, token, 1))
	limited(t, w.CreateToken(operator, server.Token{ID: w.id(), UserID: ann.ID, Hash: hash("u"), CreatedAt: start}, 1),
		"tokens", 1)
	require.ErrorIs(t, w.DeleteTeam(operator, ben.ID, "red", start), server.ErrDenied)
	other := server.Token{ID: w.id(), Hash: hash("v"), CreatedAt: after(3)}
	require.NoError(t, w.RotateToken(operator, token.ID, other, after(4)))
	require.NoError(t, w.RevokeToken(operator, other.ID, after(5)))
	require.NoError(t, w.RevokeToken(operator, other.ID, after(6)), "it is over, so nothing happens")
	w.put(t, packet(ann, "red", "packet-one", "text"))
	require.NoError(t, w.DeletePacket(operator, ann.ID, "packet-one", "", after(7)))
	require.NoError(t, w.TransferTeam(operator, ann.ID, "red", ben.ID, after(8)))
	require.NoError(t, w.RemoveMember(operator, ben.ID, "red", ann.ID, after(9)))
	require.NoError(t, w.DeleteTeam(operator, ben.ID, "red", after(10)))
	w.put(t, packet(ann, "", "packet-two", "text"))
	require.NoError(t, w.DeletePacket(operator, ann.ID, "packet-two", "", after(10)))
	require.NoError(t, w.DeleteUser(operator, ann.ID, after(11)))

	const by = "operator"
	lines := auditOf(t, w.Storage)
	require.Equal(t, []server.AuditEntry{
		{At: start, Act: "user.create", ID: ann.ID},
		{At: start, Act: "user.create", ID: ben.ID},
		{At: start, Act: "team.create", ID: red.ID},
		{At: after(1), Act: "invite.create", ID: lines[3].ID, Within: red.ID},
		{At: after(1), Actor: "user:" + ben.ID, Act: "member.join", ID: ben.ID, Within: red.ID},
		{At: after(2), Actor: by, Act: "token.issue", ID: token.ID, Within: ann.ID},
		{At: after(3), Actor: by, Act: "token.rotate", ID: token.ID, Within: ann.ID},
		{At: after(3), Actor: by, Act: "token.issue", ID: other.ID, Within: ann.ID},
		{At: after(5), Actor: by, Act: "token.revoke", ID: other.ID, Within: ann.ID},
		{At: after(7), Actor: by, Act: "packet.delete", ID: "packet-one", Within: red.ID},
		{At: after(8), Actor: by, Act: "team.transfer", ID: ben.ID, Within: red.ID},
		{At: after(9), Actor: by, Act: "member.remove", ID: ann.ID, Within: red.ID},
		{At: after(10), Actor: by, Act: "team.delete", ID: red.ID},
		{At: after(10), Actor: by, Act: "packet.delete", ID: "packet-two", Within: ann.ID},
		{At: after(11), Actor: by, Act: "user.delete", ID: ann.ID},
	}, lines)
	_, err := w.Purge(w.ctx, after(1000))
	require.NoError(t, err)
	require.Equal(t, lines, auditOf(t, w.other), "a purge leaves it")
}

// auditedInvites checks that invites that end with something else have lines of their own, once.
func auditedInvites(t *testing.T, w *world) {
	ann, ben, eve := w.person(t, "ann"), w.person(t, "ben"), w.person(t, "eve")
	red, blue := w.team(t, "red", ann, ben, eve), w.team(t, "blue", ann, ben)
	invite := func(by server.User, team server.Team) string {
		id := w.id()
		require.NoError(t, w.CreateInvite(w.ctx, by.ID, team.Name, server.Invite{ID: id, Hash: hash(id),
			CreatedAt: after(2), ExpiresAt: after(100)}, 100))
		return id
	}
	past := w.id()
	require.NoError(t, w.CreateInvite(w.ctx, ann.ID, "red", server.Invite{ID: past, Hash: hash(past),
		CreatedAt: after(2), ExpiresAt: after(3)}, 100))
	anns, evesOne, evesTwo, benRed, benBlue := invite(ann, red), invite(eve, red), invite(eve, red), invite(ben, red),
		invite(ben, blue)
	require.NoError(t, w.LeaveTeam(w.ctx, eve.ID, "red", after(10)))
	require.NoError(t, w.DeleteUser(w.ctx, ben.ID, after(11)))
	w.join(t, red, ann, eve, after(12))
	require.NoError(t, w.RemoveMember(w.ctx, ann.ID, "red", eve.ID, after(13)))
	last := invite(ann, blue)
	require.NoError(t, w.DeleteTeam(w.ctx, ann.ID, "blue", after(14)))

	var revoked []server.AuditEntry
	for _, e := range auditOf(t, w.Storage) {
		if e.Act == "invite.revoke" {
			revoked = append(revoked, e)
		}
	}
	require.Equal(t, []server.AuditEntry{
		{At: after(10), Act: "invite.revoke", ID: evesOne, Within: red.ID},
		{At: after(10), Act: "invite.revoke", ID: evesTwo, Within: red.ID},
		{At: after(11), Act: "invite.revoke", ID: benRed, Within: red.ID},
		{At: after(11), Act: "invite.revoke", ID: benBlue, Within: blue.ID},
		{At: after(13), Act: "invite.revoke", ID: anns, Within: red.ID},
		{At: after(14), Act: "invite.revoke", ID: last, Within: blue.ID},
	}, revoked, "what had expired ends without a line")
}

// auditTogether checks that changes that share a transaction have lines of their own actors.
func auditTogether(t *testing.T, w *world) {
	errs := w.race(func(n int, s server.Storage) error {
		ctx, name := w.ctx, string(rune('a'+n%26))+string(rune('a'+n/26))
		if n%3 == 0 {
			ctx = server.ByOperator(ctx)
		}
		err := s.CreateUser(ctx, server.User{ID: w.id(), Name: name, CreatedAt: start})
		if n%3 == 0 {
			return errors.Join(err, taken(s.CreateUser(ctx, server.User{ID: w.id(), Name: name, CreatedAt: start})))
		}
		return err
	})
	require.Equal(t, clients, succeeded(t, errs, nil))
	operators := 0
	for _, e := range auditOf(t, w.Storage) {
		if e.Actor == "operator" {
			operators++
		}
	}
	require.Len(t, auditOf(t, w.Storage), clients)
	require.Equal(t, (clients+2)/3, operators)
}

// taken turns the error that is expected around.
func taken(err error) error {
	if errors.Is(err, server.ErrTaken) {
		return nil
	}
	return errors.New("a second user has the name")
}

// auditedMemory checks what is noted of applications: keys, and deletions by a caller.
func auditedMemory(t *testing.T, w *place) {
	who, operator := ann, server.ByOperator(t.Context())
	for n, ctx := range []context.Context{operator, t.Context()} { // the second reaches its age
		w.change(t, who, func(tx threads.Tx) error { return tx.PutThread(thread(n)) })
		require.NoError(t, w.Change(ctx, who, func(tx threads.Tx) error { return tx.DeleteThread(uuid(n), after(2)) }))
	}
	require.NoError(t, w.CreateKey(operator, threads.Key{ID: "key-one", App: who.App, Hash: hash("key"),
		CreatedAt: start}))
	require.NoError(t, w.RevokeKey(operator, "key-one", after(2)))
	require.NoError(t, w.RevokeKey(operator, "key-one", after(3)), "it is over, so nothing happens")
	put := func(ctx context.Context, at int, claims ...threads.Claim) {
		require.NoError(t, w.Change(ctx, who, func(tx threads.Tx) error {
			return errors.Join(tx.AddAct(act(at)), tx.PutClaims(claims))
		}))
	}
	swim, run := claim(1, "swim", conversation.Active, 1), claim(2, "run", conversation.Active, 1)
	put(operator, 10, swim, run)
	require.NoError(t, w.Change(operator, who, func(tx threads.Tx) error {
		return errors.Join(tx.DeleteActs([]string{uuid(10)}, after(11)), tx.PutClaims([]threads.Claim{run}))
	}), "forgetting has a line for the claim and none for its acts")
	put(operator, 12)
	put(t.Context(), 13, swim)
	put(t.Context(), 14)
	_, err := w.Erase(operator, who, after(15))
	require.NoError(t, err)
	_, err = w.DeleteApp(operator, who.App, after(16))
	require.NoError(t, err)
	require.Equal(t, []server.AuditEntry{
		{At: after(2), Actor: "operator", Act: "thread.delete", ID: uuid(0), Within: who.App},
		{At: start, Actor: "operator", Act: "key.issue", ID: "key-one", Within: who.App},
		{At: after(2), Actor: "operator", Act: "key.revoke", ID: "key-one", Within: who.App},
		{At: after(11), Actor: "operator", Act: "claim.delete", ID: swim.ID, Within: who.App},
		{At: after(12), Actor: "operator", Act: "claim.delete", ID: run.ID, Within: who.App},
		{At: after(15), Actor: "operator", Act: "user.erase", ID: "ann", Within: who.App},
		{At: after(16), Actor: "operator", Act: "app.delete", ID: who.App},
	}, auditOf(t, w.all))
}

// act returns an act about nothing that is there.
func act(n int) threads.Act {
	return threads.Act{Act: conversation.Act{ID: uuid(n), At: after(n), Verb: conversation.Rejects, Claim: "other"},
		By: "client"}
}
