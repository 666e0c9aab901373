package mcp

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// afterRemote follows what is about servers of packets: no tool asks one.
func afterRemote() advice.Table {
	return advice.Table{}.None(
		memory.KindHostMalformed, memory.KindHostInsecure, memory.KindHostNone, memory.KindTokenNone,
		memory.KindTokenMalformed, memory.KindTokenRefused, memory.KindRemotePlace, memory.KindRemoteExposed,
		memory.KindRemoteDamaged, memory.KindRemoteDenied, memory.KindRemoteUnknown, memory.KindRemoteRefused,
		memory.KindRemoteConflict, memory.KindRemoteStale, memory.KindRemoteLimit, memory.KindRemoteBusy,
		memory.KindRemoteFailed, memory.KindRemoteUnreachable, memory.KindRemoteAnswer, memory.KindRemoteRedirect,
		memory.KindRemoteUnsupported, memory.KindRemoteIDMalformed, memory.KindTeamMalformed, memory.KindTeamUnknown,
		memory.KindTeamTaken, memory.KindTeamOwner, memory.KindMemberUnknown, memory.KindInviteMalformed,
		memory.KindInviteGone, memory.KindDeviceDenied, memory.KindDeviceExpired, memory.KindPacketLeaks,
		memory.KindPacketUnsent)
}
