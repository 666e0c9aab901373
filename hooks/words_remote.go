package hooks

import "ltm/memory"

// aboutRemote are the kinds about servers of packets: no hook asks one.
func aboutRemote() []memory.Kind {
	return []memory.Kind{
		memory.KindHostMalformed, memory.KindHostInsecure, memory.KindHostNone, memory.KindTokenNone,
		memory.KindTokenMalformed, memory.KindTokenRefused, memory.KindRemotePlace, memory.KindRemoteExposed,
		memory.KindRemoteDamaged, memory.KindRemoteDenied, memory.KindRemoteUnknown, memory.KindRemoteRefused,
		memory.KindRemoteConflict, memory.KindRemoteStale, memory.KindRemoteLimit, memory.KindRemoteBusy,
		memory.KindRemoteFailed, memory.KindRemoteUnreachable, memory.KindRemoteAnswer, memory.KindRemoteRedirect,
		memory.KindRemoteUnsupported, memory.KindRemoteIDMalformed, memory.KindTeamMalformed, memory.KindTeamUnknown,
		memory.KindTeamTaken, memory.KindTeamOwner, memory.KindMemberUnknown, memory.KindInviteMalformed,
		memory.KindInviteGone, memory.KindDeviceDenied, memory.KindDeviceExpired, memory.KindPacketLeaks,
		memory.KindPacketUnsent,
	}
}
