package client

import (
	"strings"

	"ltm/memory"
)

// invitesPath is between the server's address and the code in a link.
const invitesPath = "/v1/invites/"

// Bounds of the length of an invite's code, which consists of letters, digits, "-" and "_".
const (
	leastCodeBytes = 8
	mostCodeBytes  = 256
)

// InviteLink is a link with which a person joins a team.
type InviteLink struct {
	Host Host // zero: only the code was given
	Code string
}

// ParseInvite reads a link, or a code alone.
func ParseInvite(given string) (InviteLink, error) {
	text := strings.TrimSpace(given)
	before, code, isLink := strings.Cut(text, invitesPath)
	if !isLink {
		before, code = "", text
	}
	code = strings.TrimSuffix(strings.TrimSuffix(code, "/"), "/accept")
	if !isCode(code) {
		return InviteLink{}, inviteMalformed(given)
	}
	if !isLink {
		return InviteLink{Code: code}, nil
	}
	host, err := ParseHost(before)
	if err != nil {
		return InviteLink{}, err
	}
	return InviteLink{Host: host, Code: code}, nil
}

func inviteMalformed(given string) error {
	return memory.NewError(memory.CodeInvalid, memory.KindInviteMalformed, "",
		"%s is neither the link of an invite nor its code", memory.Quote(given, 24))
}

func isCode(s string) bool {
	const digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return len(s) >= leastCodeBytes && len(s) <= mostCodeBytes && strings.Trim(s, digits) == ""
}

// String returns the link.
func (l InviteLink) String() string { return l.Host.join("invites", l.Code) }
