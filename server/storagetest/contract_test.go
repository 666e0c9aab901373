package storagetest_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// TestContract tests the contract of [server.Storage].
func TestContract(t *testing.T) { onEach(t, contract) }

// contract tests it on one kind of database.
func contract(t *testing.T, empty fresh) {
	empty = copies(t, empty)
	for _, part := range []struct {
		name string
		run  func(t *testing.T, w *world)
	}{
		{"users", users}, {"many users", manyUsers}, {"disabling users", disablingUsers},
		{"deleting users", deletingUsers}, {"tokens", tokens}, {"token limits", tokenLimits},
		{"rotation", rotation},
		{"teams", teams}, {"members", members}, {"transfer", transfer}, {"deleting teams", deletingTeams},
		{"invites", invites}, {"accepting", accepting}, {"newcomers", newcomers},
		{"packets", packets}, {"owners of ids", ownersOfIDs}, {"conditions", conditions}, {"quotas", quotas},
		{"what is seen", whatIsSeen}, {"deleting packets", deletingPackets},
		{"lists", lists}, {"filters", filters}, {"pages while others write", pagesWhileOthersWrite},
		{"devices", devices}, {"idempotency", idempotency},
		{"texts", texts}, {"times", times}, {"huge values", hugeValues}, {"too long keys", tooLongKeys},
		{"purge", purge}, {"purge of many", purgeOfMany}, {"totals", totals},
		{"canceled", canceled}, {"closed", closed},
		{"race for an invite", raceForInvite}, {"race for an id", raceForID}, {"race for a quota", raceForQuota},
		{"race for a key", raceForKey}, {"race for names", raceForNames}, {"race for a device", raceForDevice},
		{"race of versions", raceOfVersions}, {"race with deletion", raceWithDeletion},
		{"no lost effect", noLostEffect}, {"audit", audit}, {"audited invites", auditedInvites},
		{"audit together", auditTogether},
		{"a dump while others write", dumpWhileOthersWrite},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			part.run(t, newWorld(t, empty(t)))
		})
	}
}

// world is a database and the people in it.
type world struct {
	server.Storage
	other server.Storage // a second server's
	ctx   context.Context
	n     int
	mu    sync.Mutex
}

// start is when tests begin.
var start = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

// after returns a time some seconds after the start.
func after(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

func newWorld(t *testing.T, d database) *world {
	return &world{Storage: opened(t, d), other: opened(t, d), ctx: t.Context()}
}

// id returns an id that no other call returns.
func (w *world) id() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	return fmt.Sprintf("01K%023d", w.n)
}

// hash returns the hash of a code.
func hash(code string) [32]byte { return sha256.Sum256([]byte(code)) }

// person adds a user.
func (w *world) person(t *testing.T, name string) server.User {
	t.Helper()
	u := server.User{ID: w.id(), Name: name, Email: name + "@example.org", Display: strings.ToUpper(name),
		CreatedAt: start}
	require.NoError(t, w.CreateUser(w.ctx, u))
	return u
}

// team adds a team of an owner, which others have joined in this order.
func (w *world) team(t *testing.T, name string, owner server.User, others ...server.User) server.Team {
	t.Helper()
	team := server.Team{ID: w.id(), Name: name, OwnerID: owner.ID, CreatedAt: start}
	require.NoError(t, w.CreateTeam(w.ctx, team, 100))
	for i, u := range others {
		w.join(t, team, owner, u, after(i+1))
	}
	return team
}

// join makes a user a member.
func (w *world) join(t *testing.T, team server.Team, owner, u server.User, at time.Time) {
	t.Helper()
	code := hash(w.id())
	require.NoError(t, w.CreateInvite(w.ctx, owner.ID, team.Name,
		server.Invite{ID: w.id(), Hash: code, CreatedAt: at, ExpiresAt: at.Add(time.Hour)}, 1000))
	_, err := w.AcceptInvite(w.ctx, code, u, nil, 1000, at)
	require.NoError(t, err)
}

// plenty is a quota that no test but one for quotas meets.
var plenty = server.Quota{Packets: 1 << 40, Bytes: 1 << 40}

// packet returns a packet to put.
func packet(caller server.User, team, id, text string) server.PutPacket {
	return server.PutPacket{Caller: caller.ID, Team: team, ID: id, Body: []byte(text), Goal: "goal of " + text,
		Created: start, At: start, Words: strings.Fields(text)}
}

// put puts a packet.
func (w *world) put(t *testing.T, p server.PutPacket) server.Put {
	t.Helper()
	put, err := w.PutPacket(w.ctx, p, plenty)
	require.NoError(t, err)
	return put
}

// body returns the text of a packet that a user sees.
func (w *world) body(t *testing.T, u server.User, id string) string {
	t.Helper()
	p, err := w.PacketOf(w.ctx, u.ID, id)
	require.NoError(t, err)
	return string(p.Body)
}

// unseen checks that a user does not see a packet.
func (w *world) unseen(t *testing.T, u server.User, id string) {
	t.Helper()
	p, err := w.PacketOf(w.ctx, u.ID, id)
	require.ErrorIs(t, err, server.ErrNotFound)
	require.Empty(t, p)
}

// ids returns the ids of a list.
func (w *world) ids(t *testing.T, q server.PacketQuery) []string {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 1000
	}
	entries, err := w.ListPackets(w.ctx, q)
	require.NoError(t, err)
	ids := []string{}
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	return ids
}

// limited checks that an error names a quota.
func limited(t *testing.T, err error, what string, most int64) {
	t.Helper()
	require.ErrorIs(t, err, server.ErrLimit)
	var limit *server.LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, server.LimitError{What: what, Max: most}, *limit)
}

// clients is how many goroutines race.
const clients = 32

// race runs a function in many goroutines at once, half of them on the second server, and returns its
// errors, each as often as it occurred.
func (w *world) race(do func(n int, s server.Storage) error) []error {
	errs := make([]error, clients)
	gate := make(chan struct{})
	var all sync.WaitGroup
	for n := range clients {
		s := []server.Storage{w.Storage, w.other}[n%2]
		all.Go(func() {
			<-gate
			errs[n] = do(n, s)
		})
	}
	close(gate)
	all.Wait()
	return errs
}

// succeeded counts successes, and checks that all others got an error.
func succeeded(t *testing.T, errs []error, other error) int {
	t.Helper()
	n := 0
	for _, err := range errs {
		if err == nil {
			n++
			continue
		}
		require.ErrorIs(t, err, other)
	}
	return n
}

// sorted returns a sorted copy.
func sorted(texts []string) []string { return slices.Sorted(slices.Values(texts)) }
