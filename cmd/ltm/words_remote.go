package main

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// afterRemote follows what is about servers of packets.
func afterRemote() advice.Table {
	return advice.Table{
		memory.KindHostMalformed:  "give it as https://HOST or https://HOST:PORT",
		memory.KindHostInsecure:   "use https, or --insecure if no one else can listen on the way",
		memory.KindHostNone:       `"ltm auth URL" signs in to one, and --host or LTM_HOST names one of several`,
		memory.KindTokenNone:      `sign in: "ltm auth {}"`,
		memory.KindTokenMalformed: "copy all of it, and nothing else",
		memory.KindTokenRefused:   `it may have ended or been revoked: "ltm auth {}" takes a new one`,
		memory.KindRemotePlace:    "take it out of that file, or work in another directory",
		memory.KindRemoteExposed:  "name a directory of your own in LTM_CONFIG_DIR",
		memory.KindRemoteDamaged:  `"ltm auth URL" replaces it`,

		memory.KindRemoteUnknown:     "ltm packet ls --remote lists yours, and -t TEAM those of a team",
		memory.KindRemoteConflict:    "give yours an id of its own",
		memory.KindRemoteStale:       "read it again",
		memory.KindRemoteLimit:       "try again later, or delete what is not needed there",
		memory.KindRemoteBusy:        "try again soon",
		memory.KindRemoteFailed:      "try again; whoever runs the server finds more in its log",
		memory.KindRemoteUnreachable: "check the address and the network, then try again",
		memory.KindRemoteAnswer:      "check that it is a server of packets, and that no proxy answers for it",
		memory.KindRemoteRedirect:    "sign in at the address where the server is, if you trust it",
		memory.KindRemoteUnsupported: "another server may have it",

		memory.KindTeamUnknown:     "ltm teams ls lists the teams that you are in",
		memory.KindTeamTaken:       "choose another name",
		memory.KindTeamOwner:       "ltm teams transfer hands it over, ltm teams rm deletes it",
		memory.KindMemberUnknown:   "ltm teams members {} lists them with their ids",
		memory.KindInviteMalformed: "copy the whole link",
		memory.KindInviteGone:      "ask for a new one",
		memory.KindDeviceDenied:    "begin again if that was a slip",
		memory.KindDeviceExpired:   "begin again",
		memory.KindPacketLeaks:     "write a packet without them: one with them is never sent",
		memory.KindPacketUnsent:    "ltm status names what waits, and ltm push --drop ID takes it out",
	}.None(memory.KindRemoteDenied, memory.KindRemoteRefused, memory.KindRemoteIDMalformed, memory.KindTeamMalformed)
}
