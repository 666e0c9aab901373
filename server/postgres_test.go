package server_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
)

// TestPostgres runs the tests that the database could matter to, over Postgres.
func TestPostgres(t *testing.T) {
	for name, test := range map[string]func(*testing.T){
		"Exchange":                    TestExchange,
		"OverwritingStrangersPackets": TestWeakness1OverwritingStrangersPackets,
		"OverwritingAMembersPacket":   TestWeakness1OverwritingAMembersPacket,
		"PacketsOfADeletedTeam":       TestWeakness1PacketsOfADeletedTeam,
		"LostUpdates":                 TestWeakness2LostUpdates,
		"RepeatedRequests":            TestWeakness2RepeatedRequests,
		"RepeatedRequestsAtOnce":      TestWeakness2RepeatedRequestsAtOnce,
		"ListsShowTheNewestText":      TestWeakness3ListsShowTheNewestText,
		"ListsEndAt500":               TestWeakness4ListsEndAt500,
		"NoFilters":                   TestWeakness4NoFilters,
		"BadFilters":                  TestWeakness4BadFilters,
		"NoQuotas":                    TestWeakness5NoQuotas,
		"StoredPacketsGrow":           TestWeakness6StoredPacketsGrow,
		"PushWhileTheTeamIsDeleted":   TestWeakness8PushWhileTheTeamIsDeleted,
		"Invites":                     TestWeakness11Invites,
		"RemovedMembersStayOut":       TestWeakness11RemovedMembersStayOut,
		"Transfer":                    TestWeakness11Transfer,
		"Accepting":                   TestWeakness12Accepting,
		"Tokens":                      TestWeakness13Tokens,
		"DeviceFlow":                  TestDeviceFlow,
		"DeviceFlowEnds":              TestDeviceFlowEnds,
		"InvitesAcceptedAtOnce":       TestInvitesAcceptedAtOnce,
		"TextsComeBackByteForByte":    TestTextsComeBackByteForByte,
		"TwoServersOnOneDatabase":     TestTwoServersOnOneDatabase,
		"RoutesOfTheReference":        TestRoutesOfTheReference,
		"Batches":                     TestBatches,
		"Pages":                       TestPages,
		"Claims":                      TestClaims,
		"SearchAndRetrieve":           TestSearchAndRetrieve,
		"CreationsHappenOnce":         TestCreationsHappenOnce,
		"Erasure":                     TestErasure,
		"AuditOfApplications":         TestAuditOfApplications,
		"PagesOfPackets":              TestPagesOfPackets,
		"PagesOfTeams":                TestPagesOfTeams,
		"PagesOfTokens":               TestPagesOfTokens,
		"PagesOfOthersThings":         TestPagesOfOthersThings,
		"PagesOfApplications":         TestPagesOfApplications,
		"PagesOfOtherApplications":    TestPagesOfOtherApplications,
		"PagesOfManyRows":             TestPagesOfManyRows,
		"PagesSignInByCode":           TestPagesSignInByCode,
		"ListsOfUsersAndJobs":         TestListsOfUsersAndJobs,
		"WallBetweenUsers":            TestWallBetweenUsers,
		"Chat":                        TestChat,
		"ChatThatFails":               TestChatThatFails,
		"FilesOfUsers":                TestFilesOfUsers,
		"SlowImports":                 TestSlowImports,
		"DecisionsHideNothing":        TestDecisionsHideNothingOfOthers,
		"QuestionsAboutThePerson":     TestQuestionsAboutThePerson,
		"DateWordsChoose":             TestDateWordsChoose,
		"WhatMustNotBeOverlooked":     TestWhatMustNotBeOverlookedComesFirst,
		"ContradictionsAreNoticed":    TestContradictionsAreNoticed,
		"WhatEndedIsProposed":         TestWhatEndedIsProposed,
		"CorrectionsKnowSinceWhen":    TestCorrectionsKnowSinceWhen,
		"NearlyTheSameReinforces":     TestNearlyTheSameReinforces,
		"Profile":                     TestProfile,
		"TheSummaryIsPartOfItsThread": TestTheSummaryIsPartOfItsThread,
		"ASummaryAnswersWhatHolds":    TestASummaryAnswersWhatHolds,
	} {
		t.Run(name, test)
	}
}

// limited are servers that share limits over a Postgres.
type limited struct {
	t       *testing.T
	url     string
	servers []*place
}

func newLimited(t *testing.T, r server.Rate) *limited {
	l := &limited{t, pgtest.New(t), make([]*place, 2)}
	for i := range l.servers {
		store, err := postgres.Open(context.Background(), l.url, postgres.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		l.servers[i] = over(t, store, func(o *server.Options) { o.TokenRate, o.Limits = r, store })
	}
	return l
}

// let returns how many requests with a token a server lets in.
func (l *limited) let(i int, token string, most int) (n int) {
	l.t.Helper()
	for range most {
		status := l.servers[i].do("GET /v1/packets", as(token)).status
		require.Contains(l.t, []int{200, 429}, status)
		if status == 200 {
			n++
		}
	}
	return n
}

func (l *limited) share() {
	l.t.Helper()
	for _, p := range l.servers {
		require.NoError(l.t, p.srv.ShareLimits(l.t.Context()))
	}
}

// pass lets time pass: what has a time in the database gets older.
func (l *limited) pass(d time.Duration) {
	l.t.Helper()
	for _, p := range l.servers {
		p.clock.advance(d)
	}
	pgtest.Exec(l.t, l.url, fmt.Sprintf("UPDATE rates SET due = due - %d", d.Microseconds()))
}

// TestTwoServersShareLimits: what one server let in counts for the other, and a database that fails changes nothing
// for requests.
func TestTwoServersShareLimits(t *testing.T) {
	l := newLimited(t, server.Rate{PerSecond: 0.001, Burst: 40})
	_, ann := l.servers[0].newUser("ann")
	_, ben := l.servers[0].newUser("ben")
	require.Equal(t, 25, l.let(0, ann, 25))
	require.Equal(t, 1, l.let(1, ann, 1))
	l.share()
	require.Equal(t, 14, l.let(1, ann, 30), "of forty, the other has let in 25")
	l.share()
	require.Equal(t, 1, l.let(0, ann, 1), "it learns when it tells")
	l.share()
	require.Zero(t, l.let(0, ann, 9))
	require.Zero(t, l.let(1, ann, 9))
	require.Equal(t, 40, l.let(0, ben, 60), "others have limits of their own")

	pgtest.Exec(t, l.url, "ALTER TABLE rates RENAME TO away")
	require.Equal(t, 30, l.let(1, ben, 30))
	require.Error(t, l.servers[1].srv.ShareLimits(t.Context()))
	require.Equal(t, 10, l.let(1, ben, 30), "by itself")
	pgtest.Exec(t, l.url, "ALTER TABLE away RENAME TO rates")
	l.share()
	require.Zero(t, l.let(1, ben, 1))
}

// TestLimitsAfterAFault: who was always within a limit is let in after a fault of the database, and who was not is
// kept out for no longer than what comes at once takes.
func TestLimitsAfterAFault(t *testing.T) {
	l := newLimited(t, server.Rate{PerSecond: 1, Burst: 20})
	_, ann := l.servers[0].newUser("ann")
	_, ben := l.servers[0].newUser("ben")
	steady := func() {
		for i := range l.servers {
			require.Equal(t, 2, l.let(i, ann, 2), "0.8 a second")
			l.let(i, ben, 10)
		}
	}
	steady()
	l.share()
	pgtest.Exec(t, l.url, "ALTER TABLE rates RENAME COLUMN cost TO away")
	for range 60 {
		l.pass(5 * time.Second)
		steady()
		for _, p := range l.servers {
			require.Error(t, p.srv.ShareLimits(t.Context()))
		}
	}
	pgtest.Exec(t, l.url, "ALTER TABLE rates RENAME COLUMN away TO cost")
	for range 12 {
		l.share()
		l.pass(5 * time.Second)
		for i := range l.servers {
			require.Equal(t, 2, l.let(i, ann, 2), "0.8 a second")
		}
	}
	require.Positive(t, l.let(0, ben, 1), "after a minute")
}

// TestSharedLimitsAreForgotten: what is made up for is gone within minutes, also if nothing is counted any more and no
// purge runs.
func TestSharedLimitsAreForgotten(t *testing.T) {
	l := newLimited(t, server.Rate{PerSecond: 1, Burst: 20})
	_, ann := l.servers[0].newUser("ann")
	require.Equal(t, 5, l.let(0, ann, 5))
	l.share()
	l.pass(2 * time.Minute)
	l.share()
	pgtest.Exec(t, l.url, "ALTER TABLE rates ADD CHECK (false)") // of no row
}

// noted are limits whose servers cannot be told anything. It has the names that they were to be told of.
type noted map[[32]byte]bool

func (n noted) Spend(_ context.Context, _ time.Duration, all []server.Spent) (map[[32]byte]time.Duration, error) {
	for _, one := range all {
		n[one.Name] = true
	}
	return nil, errors.New("out of reach")
}

func (noted) Forget(context.Context) error { return nil }

// TestNamesOfLimits: who does not have the key of the servers cannot tell whom a name is about. Servers without a key
// share limits, too.
func TestNamesOfLimits(t *testing.T) {
	names := func(key string) noted {
		n := noted{}
		p := start(t, func(o *server.Options) {
			o.FailureRate, o.Limits, o.SessionKey = server.Rate{PerSecond: 1, Burst: 20}, n, []byte(key)
		})
		p.srv.Untold(3)
		require.Error(t, p.srv.ShareLimits(t.Context()))
		require.Len(t, n, 3)
		return n
	}
	one, other := strings.Repeat("1", 32), strings.Repeat("2", 32)
	require.Equal(t, names(one), names(one))
	require.Equal(t, names(""), names(""))
	for name := range names(one) {
		require.NotContains(t, names(other), name)
		require.NotContains(t, names(""), name)
	}
}

// TestUntoldIsBounded: what other servers should be told of takes no more memory than the limits themselves, and none
// where there are no others.
func TestUntoldIsBounded(t *testing.T) {
	few := func(o *server.Options) { o.FailureRate = server.Rate{PerSecond: 1, Burst: 20} }
	require.Zero(t, start(t, few).srv.Untold(200_000))
	p := start(t, few, func(o *server.Options) { o.Limits = noted{} })
	for range 2 {
		require.Equal(t, server.MaxLimited, p.srv.Untold(200_000))
		require.Error(t, p.srv.ShareLimits(t.Context()))
	}
}

// TestLimitsAfterTheClock: a clock of the database that was set back keeps nobody out for long.
func TestLimitsAfterTheClock(t *testing.T) {
	l := newLimited(t, server.Rate{PerSecond: 1, Burst: 20})
	_, ann := l.servers[0].newUser("ann")
	require.Equal(t, 5, l.let(0, ann, 5))
	l.share()
	pgtest.Exec(t, l.url, "UPDATE rates SET due = due + 3600000000")
	for range 12 {
		l.pass(5 * time.Second)
		l.let(0, ann, 1)
		l.share()
	}
	require.Equal(t, 1, l.let(0, ann, 1))
}

// TestMoreClientsThanConnections: requests wait for a connection of the database, and none is refused for it.
func TestMoreClientsThanConnections(t *testing.T) {
	store, err := postgres.Open(context.Background(), pgtest.New(t), postgres.Options{MaxConns: 2})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	p := over(t, store, withMemory(nil))
	id := p.thread("ann")
	const clients = 40
	var all sync.WaitGroup
	status := make([][2]int, clients)
	for i := range status {
		all.Go(func() {
			status[i][0] = p.do("POST /v1/threads/"+id+"/events", of(keyA, `{"actor":"user","content":"We sail."}`)).status
			status[i][1] = p.do("POST /v1/retrieve", of(keyA, `{"user_id":"ann","query":"who sails?"}`)).status
		})
	}
	all.Wait()
	for _, s := range status {
		require.Equal(t, [2]int{200, 200}, s)
	}
	events := p.ask(200, "GET /v1/threads/"+id+"/events").value(t)["messages"]
	require.Len(t, events, clients)
}
