package client

import (
	"context"
	"net/http"
	"time"

	"ltm/memory"
)

// Invite is a way into a team that was just made.
type Invite struct {
	Code      string    `json:"code"`
	URL       string    `json:"url"` // safe to show; it leads to this server or one that this server named
	ID        string    `json:"id,omitempty"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Invite makes an invite to a team.
func (c *Client) Invite(ctx context.Context, team string) (Invite, error) {
	var made Invite
	if err := c.post(ctx, c.onTeam(team, "invites"), struct{}{}, &made); err != nil {
		return Invite{}, err
	}
	if !isCode(made.Code) {
		return Invite{}, c.odd("the code of the invite is not one")
	}
	// A server behind another one can know its own address best. Anything else than a link with the
	// same code is replaced.
	link, err := ParseInvite(made.URL)
	if err != nil || link.Code != made.Code || link.Host.IsZero() {
		link = InviteLink{Host: c.o.Host, Code: made.Code}
	}
	made.URL = link.String()
	return made, nil
}

// OpenInvite is an invite that was not used yet, without its code.
type OpenInvite struct {
	ID        string    `json:"id"`
	CreatedBy string    `json:"created_by,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Invites returns the open invites of a team. The reference server does not have it.
func (c *Client) Invites(ctx context.Context, team string) ([]OpenInvite, error) {
	r := c.onTeam(team, "invites")
	r.most = maxListAnswer
	var list struct {
		Invites []OpenInvite `json:"invites"`
	}
	_, err := c.get(ctx, r, &list)
	return list.Invites, err
}

// RevokeInvite ends an open invite. The reference server does not have it.
func (c *Client) RevokeInvite(ctx context.Context, team, id string) error {
	if err := checkUser(id); err != nil {
		return memory.NewError(memory.CodeInvalid, memory.KindRemoteIDMalformed, id, "%s is not the id of an invite",
			memory.Quote(id, 70))
	}
	r := c.onTeam(team, "invites", id)
	r.means[http.StatusNotFound] = meaning{memory.CodeNotFound, memory.KindInviteGone, "",
		"the team has no such open invite"}
	return c.remove(ctx, r)
}

// Invitation is what a server reveals about an invite before it is accepted.
type Invitation struct {
	Team      Team      `json:"team"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Invitation asks which team an invite leads to. Nothing changes, and no token is sent. known is false
// if the server tells this to no one, as the reference server.
func (c *Client) Invitation(ctx context.Context, code string) (i Invitation, known bool, err error) {
	if !isCode(code) {
		return i, false, inviteMalformed(code)
	}
	_, err = c.get(ctx, request{url: c.o.Host.join("invites", code), open: true, means: c.goneInvite()}, &i)
	if memory.KindOf(err) == memory.KindRemoteUnsupported {
		return i, false, nil
	}
	return i, err == nil && i.Team.Name != "", err
}

func (c *Client) goneInvite() map[int]meaning {
	gone := meaning{memory.CodeNotFound, memory.KindInviteGone, "", "the invite expired, was used, or never existed"}
	return map[int]meaning{http.StatusGone: gone, http.StatusNotFound: gone}
}

// Joined answers the acceptance of an invite.
type Joined struct {
	Team  Team   `json:"team"`
	User  User   `json:"user"`
	Token string `json:"token,omitempty"` // of a user who was made for this
}

// Accept joins a team. With a token, that is as its user; otherwise the server makes a user with this
// name. display may be empty.
func (c *Client) Accept(ctx context.Context, code, display string) (Joined, error) {
	if !isCode(code) {
		return Joined{}, inviteMalformed(code)
	}
	body := map[string]string{}
	if display != "" {
		body["display"] = display
	}
	var joined Joined
	err := c.post(ctx, request{url: c.o.Host.join("invites", code, "accept"), means: c.goneInvite()}, body, &joined)
	switch {
	case err != nil:
		return Joined{}, err
	case checkTeam(joined.Team.Name) != nil:
		return Joined{}, c.odd("it names no team")
	case joined.Token != "" && CheckToken(joined.Token) != nil:
		return Joined{}, c.odd("the token is not one")
	case joined.Token == "" && !c.HasToken():
		return Joined{}, c.odd("it has no token")
	}
	return joined, nil
}
