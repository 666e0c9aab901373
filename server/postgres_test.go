package server_test

import "testing"

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
	} {
		t.Run(name, test)
	}
}
