package server_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

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
	} {
		t.Run(name, test)
	}
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
