package storagetest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// odd is texts that a database may want to change.
var odd = []string{"nul \x00 in it", "\x00", "not \xff\xfe UTF-8", "\xc3", "é and e\u0301", "  blanks  ", "A a", "ß SS",
	"line\r\nbreaks\n",
	"'; DROP TABLE packets; --", "$1 ?1 %s", "\u2028 \U0001f9ea \ufeff", "\\x00", "NULL", "0x", "1e3"}

func texts(t *testing.T, w *world) {
	for i, text := range odd {
		u := server.User{ID: "id " + text, Name: "name " + text, Email: "mail " + text, Display: text,
			CreatedAt: after(i)}
		require.NoError(t, w.CreateUser(w.ctx, u))
		for _, given := range []string{u.ID, u.Name, u.Email} {
			got, err := w.FindUser(w.ctx, given)
			require.NoError(t, err)
			require.Equal(t, u, got)
		}
		token := server.Token{ID: "token " + text, UserID: u.ID, Name: text, Hash: hash(text), CreatedAt: start}
		require.NoError(t, w.CreateToken(w.ctx, token, 9))
		team := server.Team{ID: "team " + text, Name: "name " + text, OwnerID: u.ID, CreatedAt: start}
		require.NoError(t, w.CreateTeam(w.ctx, team, 9))
		p := server.PutPacket{Caller: u.ID, Team: team.Name, ID: text, Parent: text, Body: []byte(text), Goal: text,
			Project: text, Tags: []string{text, "", text + "2"}, Words: []string{text}, Created: start, At: start}
		w.put(t, p)
		require.Equal(t, text, w.body(t, u, text))
		for _, q := range []server.PacketQuery{{}, {Tag: text}, {Project: text}, {Parent: text},
			{Words: []string{text}}} {
			q.Caller, q.Team, q.Limit = u.ID, team.Name, 9
			entries, err := w.ListPackets(w.ctx, q)
			require.NoError(t, err)
			require.Len(t, entries, 1, "%q", text)
			require.Equal(t, server.PacketEntry{ID: text, Parent: text, Goal: text, Project: text,
				Tags: p.Tags, Author: text, Created: start, Version: entries[0].Version}, entries[0])
		}
		require.NoError(t, w.DeletePacket(w.ctx, u.ID, text, "", start))
		w.unseen(t, u, text)
	}
	// They are different, whatever a language may say, and ordered by their bytes.
	ann := w.person(t, "ann")
	for _, text := range odd {
		w.put(t, packet(ann, "", text, text))
	}
	want := sorted(odd)
	got := w.ids(t, server.PacketQuery{Caller: ann.ID})
	for i := range want {
		require.Equal(t, want[i], got[len(got)-1-i])
	}
}

func times(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	var before string
	for _, at := range []time.Time{
		time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC), time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC),
		time.Unix(0, 0).UTC(), time.Unix(0, 1000).UTC(), start, start.Add(time.Microsecond),
		time.Date(2099, 6, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC),
	} {
		zone := time.FixedZone("far", 13*3600+1800)
		u := server.User{ID: w.id(), CreatedAt: at.In(zone).Add(999)} // to the microsecond
		require.NoError(t, w.CreateUser(w.ctx, u))
		got, err := w.User(w.ctx, u.ID)
		require.NoError(t, err)
		require.Equal(t, at, got.CreatedAt)

		p := packet(ann, "", "at "+at.Format(time.RFC3339Nano), "x")
		p.Created, p.At = at.In(zone), at.In(zone)
		w.put(t, p)
		stored, err := w.PacketOf(w.ctx, ann.ID, p.ID)
		require.NoError(t, err)
		require.Equal(t, at, stored.StoredAt)
		entries, err := w.ListPackets(w.ctx, server.PacketQuery{Caller: ann.ID, Limit: 2})
		require.NoError(t, err)
		require.Equal(t, at, entries[0].Created)
		require.Equal(t, p.ID, entries[0].ID, "order is by time, not by text")
		if before != "" {
			require.Equal(t, before, entries[1].ID)
		}
		before = p.ID
		require.Equal(t, []string{p.ID}, w.ids(t, server.PacketQuery{Caller: ann.ID, Since: at}))
		require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Since: at.Add(time.Microsecond)}))
	}
}

func hugeValues(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	body := bytes.Repeat([]byte("0123456789abcdef\x00\xff"), 1<<18) // 4.5 MB
	long := strings.Repeat("langes wort", 1<<14)
	p := packet(ann, "", "huge-packet", "")
	p.Body, p.Goal, p.Parent, p.Project, p.Tags = body, long, long, long, []string{long, long + "2"}
	for i := range 20000 {
		sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		p.Words = append(p.Words, string(sum[:9]))
	}
	p.Words = append(p.Words, long)
	w.put(t, p)
	got, err := w.PacketOf(w.ctx, ann.ID, "huge-packet")
	require.NoError(t, err)
	require.True(t, bytes.Equal(body, got.Body))
	for _, q := range []server.PacketQuery{{Tag: long}, {Tag: long + "2"}, {Project: long}, {Parent: long},
		{Words: []string{long}}, {Words: []string{p.Words[0], p.Words[19999], long}}} {
		q.Caller = ann.ID
		require.Equal(t, []string{"huge-packet"}, w.ids(t, q))
	}
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Words: []string{long + "2"}}))
	p.Words = p.Words[:1]
	p.Body = []byte("small")
	w.put(t, p)
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Words: []string{long}}))
	require.Equal(t, []string{"huge-packet"}, w.ids(t, server.PacketQuery{Caller: ann.ID, Words: p.Words}))

	require.NoError(t, w.CreateUser(w.ctx, server.User{ID: w.id(), Display: long, CreatedAt: start}))
	_, err = w.Begin(w.ctx, ann.ID, "k", hash("r"), start)
	require.NoError(t, err)
	answer := server.Answer{Status: 200, Header: map[string]string{"A": long}, Body: body}
	require.NoError(t, w.Finish(w.ctx, ann.ID, "k", &answer))
	again, err := w.Begin(w.ctx, ann.ID, "k", hash("r"), start)
	require.NoError(t, err)
	require.Equal(t, &answer, again)
}

func tooLongKeys(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	w.team(t, "red", ann)
	exact, long := strings.Repeat("k", 1024), strings.Repeat("k", 1025)
	require.NoError(t, w.CreateUser(w.ctx, server.User{ID: exact, Name: exact, Email: exact, CreatedAt: start}))
	w.put(t, packet(ann, "", exact, "x"))
	_, err := w.Begin(w.ctx, exact, exact, hash("r"), start)
	require.NoError(t, err)
	_, err = w.Begin(w.ctx, ann.ID, long, hash("r"), start)
	require.ErrorIs(t, err, server.ErrTooLong)
	_, err = w.PutPacket(w.ctx, packet(ann, "", long, "x"), plenty)
	require.ErrorIs(t, err, server.ErrTooLong)
	for _, err := range []error{
		w.CreateUser(w.ctx, server.User{ID: long, CreatedAt: start}),
		w.CreateUser(w.ctx, server.User{ID: w.id(), Name: long, CreatedAt: start}),
		w.CreateUser(w.ctx, server.User{ID: w.id(), Email: long, CreatedAt: start}),
		w.CreateToken(w.ctx, server.Token{ID: long, UserID: ann.ID, CreatedAt: start}, 9),
		w.CreateTeam(w.ctx, server.Team{ID: long, OwnerID: ann.ID, CreatedAt: start}, 9),
		w.CreateTeam(w.ctx, server.Team{ID: w.id(), Name: long, OwnerID: ann.ID, CreatedAt: start}, 9),
		w.CreateInvite(w.ctx, ann.ID, "red", server.Invite{ID: long, CreatedAt: start, ExpiresAt: after(1)}, 9),
		w.CreateDevice(w.ctx, server.Device{ID: long, CreatedAt: start, ExpiresAt: after(1)}),
		w.CreateDevice(w.ctx, server.Device{ID: w.id(), UserCode: long, CreatedAt: start, ExpiresAt: after(1)}),
	} {
		require.ErrorIs(t, err, server.ErrTooLong)
	}
	_, err = w.FindUser(w.ctx, long)
	require.ErrorIs(t, err, server.ErrNotFound)
	w.unseen(t, ann, long)
}

func totals(t *testing.T, w *world) {
	got, err := w.Totals(w.ctx)
	require.NoError(t, err)
	require.Zero(t, got)
	ann, ben := w.person(t, "ann"), w.person(t, "ben")
	w.team(t, "red", ann)
	w.team(t, "blue", ann)
	w.put(t, packet(ann, "", "the-packet", "12345"))
	w.put(t, packet(ann, "", "the-packet", "1234567"))
	w.put(t, packet(ann, "red", "the-packet", "123"))
	w.put(t, packet(ann, "red", "gone-packet", "123"))
	w.put(t, packet(ann, "blue", "gone-packet", "123"))
	w.put(t, packet(ben, "", "gone-packet", "123"))
	for i, u := range []server.User{ann, ben} {
		require.NoError(t, w.CreateToken(w.ctx, server.Token{ID: w.id(), UserID: u.ID, Hash: [32]byte{byte(i)},
			CreatedAt: start}, 9))
	}
	require.NoError(t, w.CreateInvite(w.ctx, ann.ID, "red", server.Invite{ID: w.id(), CreatedAt: start,
		ExpiresAt: after(1)}, 9))
	require.NoError(t, w.DeletePacket(w.ctx, ann.ID, "gone-packet", "", after(1)))
	require.NoError(t, w.DeleteTeam(w.ctx, ann.ID, "blue", after(1)))
	require.NoError(t, w.DeleteUser(w.ctx, ben.ID, after(1)))
	got, err = w.Totals(w.ctx)
	require.NoError(t, err)
	require.Equal(t, server.Totals{Users: 1, Tokens: 1, Teams: 1, Invites: 1, Packets: 2, Bytes: 10}, got)
}

func canceled(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	for _, err := range []error{
		w.Ping(ctx),
		w.CreateUser(ctx, server.User{ID: "another", CreatedAt: start}),
		w.DeleteUser(ctx, ann.ID, after(1)),
		func() error { _, err := w.PutPacket(ctx, packet(ann, "", "the-packet", "x"), plenty); return err }(),
		func() error { _, err := w.ListPackets(ctx, server.PacketQuery{Caller: ann.ID, Limit: 1}); return err }(),
		func() error { _, err := w.Purge(ctx, after(100)); return err }(),
	} {
		require.ErrorIs(t, err, context.Canceled)
	}
	late, stop := context.WithDeadline(w.ctx, time.Now().Add(-time.Second))
	defer stop()
	require.ErrorIs(t, w.Ping(late), context.DeadlineExceeded)
	all, err := w.ListUsers(w.ctx)
	require.NoError(t, err)
	require.Equal(t, []server.User{ann}, all, "nothing happened, and others go on")
	w.unseen(t, ann, "the-packet")
}

func closed(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	require.NoError(t, w.Close())
	require.NoError(t, w.Close(), "again")
	require.Error(t, w.Ping(w.ctx))
	_, err := w.User(w.ctx, ann.ID)
	require.Error(t, err)
	require.NotErrorIs(t, err, server.ErrNotFound)
	_, err = w.PutPacket(w.ctx, packet(ann, "", "the-packet", "x"), plenty)
	require.Error(t, err)
	got, err := w.other.User(w.ctx, ann.ID)
	require.NoError(t, err)
	require.Equal(t, ann, got, "another server goes on")
}
