package storagetest_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// crowd adds as many users as there are goroutines that race.
func (w *world) crowd(t *testing.T) (people []server.User) {
	t.Helper()
	for n := range clients {
		people = append(people, w.person(t, fmt.Sprint("p", n)))
	}
	return people
}

// TestManyOpenAtOnce checks that of several servers which start at once with one empty database, one makes the
// tables.
func TestManyOpenAtOnce(t *testing.T) { onEach(t, manyOpenAtOnce) }

// manyOpenAtOnce tests it on one kind of database.
func manyOpenAtOnce(t *testing.T, empty fresh) {
	d := empty(t)
	var all sync.WaitGroup
	errs := make([]error, 8)
	for n := range errs {
		all.Go(func() {
			store, err := d.open(t.Context())
			if err == nil {
				err = errors.Join(store.CreateUser(t.Context(), server.User{ID: fmt.Sprint(n), CreatedAt: start}),
					store.Close())
			}
			errs[n] = err
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	store, err := d.open(t.Context())
	require.NoError(t, err)
	users, err := store.ListUsers(t.Context())
	require.NoError(t, err)
	require.Len(t, users, len(errs))
	require.NoError(t, store.Close())
}

func raceForInvite(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	w.team(t, "red", ann)
	require.NoError(t, w.CreateInvite(w.ctx, ann.ID, "red", server.Invite{ID: w.id(), Hash: hash("code"),
		CreatedAt: start, ExpiresAt: after(9)}, 9))
	errs := w.race(func(n int, s server.Storage) error {
		u := server.User{ID: w.id(), Display: fmt.Sprint(n), CreatedAt: start}
		k := server.Token{ID: w.id(), Hash: hash(fmt.Sprint("token", n)), CreatedAt: start}
		_, err := s.AcceptInvite(w.ctx, hash("code"), u, &k, 100, after(1))
		return err
	})
	require.Equal(t, 1, succeeded(t, errs, server.ErrGone))
	all, err := w.ListUsers(w.ctx)
	require.NoError(t, err)
	require.Len(t, all, 2)
	members, err := w.ListMembers(w.ctx, ann.ID, "red")
	require.NoError(t, err)
	require.Len(t, members, 2)
}

func raceForID(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	people := w.crowd(t)
	w.team(t, "red", ann, people...)
	errs := w.race(func(n int, s server.Storage) error {
		_, err := s.PutPacket(w.ctx, packet(people[n], "red", "the-packet", fmt.Sprint("by ", n)), plenty)
		return err
	})
	require.Equal(t, 1, succeeded(t, errs, server.ErrTaken))
	for n, err := range errs {
		if err == nil {
			require.Equal(t, fmt.Sprint("by ", n), w.body(t, ann, "the-packet"))
		}
	}
}

func raceForQuota(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	errs := w.race(func(n int, s server.Storage) error {
		_, err := s.PutPacket(w.ctx, packet(ann, "", fmt.Sprintf("packet-%04d", n), "12345"),
			server.Quota{Packets: 10, Bytes: 1000})
		return err
	})
	require.Equal(t, 10, succeeded(t, errs, server.ErrLimit))
	require.Len(t, w.ids(t, server.PacketQuery{Caller: ann.ID}), 10)
	errs = w.race(func(n int, s server.Storage) error {
		return s.CreateTeam(w.ctx, server.Team{ID: w.id(), Name: fmt.Sprint("team", n), OwnerID: ann.ID,
			CreatedAt: start}, 5)
	})
	require.Equal(t, 5, succeeded(t, errs, server.ErrLimit))
	errs = w.race(func(n int, s server.Storage) error {
		return s.CreateToken(w.ctx, server.Token{ID: w.id(), UserID: ann.ID, Hash: hash(fmt.Sprint(n)),
			CreatedAt: start}, 7)
	})
	require.Equal(t, 7, succeeded(t, errs, server.ErrLimit))
	w.team(t, "last", w.person(t, "ben"), ann)
	errs = w.race(func(n int, s server.Storage) error {
		return s.CreateInvite(w.ctx, ann.ID, "last", server.Invite{ID: w.id(), Hash: hash(fmt.Sprint("i", n)),
			CreatedAt: start, ExpiresAt: after(9)}, 3)
	})
	require.Equal(t, 3, succeeded(t, errs, server.ErrLimit))
}

func raceForKey(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	errs := w.race(func(_ int, s server.Storage) error {
		_, err := s.Begin(w.ctx, ann.ID, "key", hash("request"), start)
		return err
	})
	require.Equal(t, 1, succeeded(t, errs, server.ErrUnderWay))
	errs = w.race(func(_ int, s server.Storage) error {
		_, err := s.Begin(w.ctx, ann.ID, "key", hash("request"), after(60))
		return err
	})
	require.Equal(t, 1, succeeded(t, errs, server.ErrUnderWay), "one takes the place of who died")
}

func raceForNames(t *testing.T, w *world) {
	errs := w.race(func(_ int, s server.Storage) error {
		return s.CreateUser(w.ctx, server.User{ID: w.id(), Name: "ann", CreatedAt: start})
	})
	require.Equal(t, 1, succeeded(t, errs, server.ErrTaken))
	people := w.crowd(t)
	errs = w.race(func(n int, s server.Storage) error {
		return s.CreateTeam(w.ctx, server.Team{ID: w.id(), Name: "red", OwnerID: people[n].ID, CreatedAt: start}, 9)
	})
	require.Equal(t, 1, succeeded(t, errs, server.ErrTaken))
}

func raceForDevice(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	require.NoError(t, w.CreateDevice(w.ctx, server.Device{ID: w.id(), Hash: hash("d"), UserCode: "CODE",
		CreatedAt: start, ExpiresAt: after(100)}))
	errs := w.race(func(_ int, s server.Storage) error { return s.ApproveDevice(w.ctx, "CODE", ann.ID, after(1)) })
	require.Equal(t, 1, succeeded(t, errs, server.ErrNotFound))
	errs = w.race(func(n int, s server.Storage) error {
		_, err := s.TakeDevice(w.ctx, hash("d"), server.Token{ID: w.id(), Hash: hash(fmt.Sprint(n)), CreatedAt: start},
			100, after(2))
		return err
	})
	require.Equal(t, 1, succeeded(t, errs, server.ErrGone))
	all, err := w.ListTokens(w.ctx, ann.ID)
	require.NoError(t, err)
	require.Len(t, all, 1)
}

// raceOfVersions changes one packet from many machines, each on the version that it has read.
func raceOfVersions(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	w.put(t, packet(ann, "", "the-packet", ""))
	errs := w.race(func(n int, s server.Storage) error {
		for {
			got, err := s.PacketOf(w.ctx, ann.ID, "the-packet")
			if err != nil {
				return err
			}
			p := packet(ann, "", "the-packet", string(got.Body)+fmt.Sprintf("[%d]", n))
			p.IfMatch = got.Version
			if _, err = s.PutPacket(w.ctx, p, plenty); !errors.Is(err, server.ErrStale) {
				return err
			}
		}
	})
	require.Equal(t, clients, succeeded(t, errs, nil))
	body := w.body(t, ann, "the-packet")
	for n := range clients {
		require.Contains(t, body, fmt.Sprintf("[%d]", n), "no change was undone")
	}
}

// raceWithDeletion puts packets in a team, joins it and leaves it while it is deleted.
func raceWithDeletion(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	people := w.crowd(t)
	w.team(t, "red", ann, people...)
	errs := w.race(func(n int, s server.Storage) error {
		switch {
		case n == 7:
			return s.DeleteTeam(w.ctx, ann.ID, "red", after(1))
		case n%4 == 1:
			return s.DeleteUser(w.ctx, people[n].ID, after(1))
		case n%4 == 2:
			return s.LeaveTeam(w.ctx, people[n].ID, "red", after(1))
		}
		_, err := s.PutPacket(w.ctx, packet(people[n], "red", fmt.Sprintf("packet-%04d", n), "12345"), plenty)
		return err
	})
	succeeded(t, errs, server.ErrNotFound)
	require.NoError(t, errs[7])
	_, err := w.Purge(w.ctx, after(2))
	require.NoError(t, err)
	got, err := w.Totals(w.ctx)
	require.NoError(t, err)
	require.Equal(t, server.Totals{Users: 25}, got, "nothing of the team is left")
}

// noLostEffect is what two servers do at once, and counts what came of it.
func noLostEffect(t *testing.T, w *world) {
	const each = 12
	ann := w.person(t, "ann")
	people := w.crowd(t)
	w.team(t, "red", ann, people...)
	errs := w.race(func(n int, s server.Storage) error {
		for i := range each {
			id := fmt.Sprintf("packet-%02d-%02d", n, i)
			for _, p := range []server.PutPacket{
				packet(people[n], "red", id, "shared words"), packet(people[n], "", id, "own words"),
				packet(people[n], "red", id, "changed words"),
			} {
				p.Created = start.Add(time.Duration(i) * time.Second)
				if _, err := s.PutPacket(w.ctx, p, plenty); err != nil {
					return err
				}
			}
			if i%3 == 0 { // their own goes, the team's stays
				if err := s.DeletePacket(w.ctx, people[n].ID, id, "", after(1)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	require.Equal(t, clients, succeeded(t, errs, nil))
	require.Len(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Team: "red", Words: []string{"changed"}}), clients*each)
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Team: "red", Words: []string{"shared"}}))
	require.Len(t, w.ids(t, server.PacketQuery{Caller: people[3].ID}), each-each/3)
	got, err := w.Totals(w.ctx)
	require.NoError(t, err)
	shared, own := int64(clients*each), int64(clients*(each-each/3))
	require.Equal(t, shared+own, got.Packets)
	require.Equal(t, shared*int64(len("changed words"))+own*int64(len("own words")), got.Bytes)
}
