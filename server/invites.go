package server

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"ltm/packet"
	"ltm/text/safe"
)

func (s *Server) registerInvites() {
	handle(s, route{Pattern: "POST /v1/teams/{name}/invites", ID: "invite", Tag: "invites", Access: users,
		Status: http.StatusCreated, Errors: []kind{kindNotFound, kindQuota}, Summary: "Invite one person into a team",
		Text: "Any member may. The code is shown here only: the server keeps a hash of it."}, s.invite)
	handle(s, route{Pattern: "GET /v1/teams/{name}/invites", ID: "list-invites", Tag: "invites", Access: users,
		Errors: []kind{kindNotFound}, Summary: "List the open invites of a team, the newest first"}, s.listInvites)
	handleWhole(s, route{Pattern: "DELETE /v1/teams/{name}/invites/{invite_id}", ID: "revoke-invite", Tag: "invites",
		Access: users, Errors: []kind{kindNotFound, kindForbidden}, Summary: "Revoke an open invite",
		Text: "The owner of the team any, a member their own."}, s.revokeInvite)
	handle(s, route{Pattern: "GET /v1/invites/{code}", ID: "show-invite", Tag: "invites", Access: open,
		Errors: []kind{kindGone}, Summary: "Return what an invite is for, and change nothing"}, s.showInvite)
	handle(s, route{Pattern: "POST /v1/invites/{code}/accept", ID: "accept-invite", Tag: "invites", Access: maybeUser,
		MaxBody: bodyAccept, Body: acceptBody{}, Status: http.StatusCreated,
		Errors:  []kind{kindUnauthorized, kindGone, kindLarge, kindQuota},
		Summary: "Join the team that an invite is for",
		Text: "With a token, its user joins. Without one, a new user is made, and their token returned once. Who is " +
			"a member already stays one, and the invite stays open."}, s.accept)
}

type inviteAnswer struct {
	Code      string `json:"code"`
	ExpiresAt string `json:"expires_at" format:"date-time"`
	URL       string `json:"url"`
}

func (s *Server) invite(ctx context.Context, c *call, in *teamInput) (*inviteAnswer, error) {
	if err := s.onTeam(ctx, c, in.Name); err != nil {
		return nil, err
	}
	if c.client.base == "" {
		return nil, problem(kindRequest, "the Host of the request cannot be a part of a link; nothing was changed")
	}
	id, err := s.newID()
	if err != nil {
		return nil, err
	}
	code, err := newCode(s.opts.Random, inviteBytes, hex.EncodeToString)
	if err != nil {
		return nil, err
	}
	code = secretPrefix + code
	now := s.opts.Now().UTC()
	i := Invite{ID: id, Hash: Hash(code), CreatedBy: c.user.ID, CreatedAt: now, ExpiresAt: now.Add(s.opts.InviteLife)}
	err = s.store.CreateInvite(ctx, c.user.ID, in.Name, i, s.opts.MaxInvites)
	return &inviteAnswer{Code: code, ExpiresAt: packet.FormatTime(i.ExpiresAt),
		URL: c.client.base + "/v1/invites/" + code}, err
}

type listedInvite struct {
	CreatedAt string `json:"created_at" format:"date-time"`
	CreatedBy string `json:"created_by" doc:"The id of a user."`
	ExpiresAt string `json:"expires_at" format:"date-time"`
	ID        string `json:"id"`
}

type listInvitesAnswer struct {
	Invites []listedInvite `json:"invites" nullable:"false"`
}

func (s *Server) listInvites(ctx context.Context, c *call, in *teamInput) (*listInvitesAnswer, error) {
	if err := s.onTeam(ctx, c, in.Name); err != nil {
		return nil, err
	}
	invites, err := s.store.ListInvites(ctx, c.user.ID, in.Name, s.opts.Now().UTC())
	out := listInvitesAnswer{Invites: []listedInvite{}}
	for _, i := range invites {
		out.Invites = append(out.Invites, listedInvite{packet.FormatTime(i.CreatedAt), i.CreatedBy,
			packet.FormatTime(i.ExpiresAt), i.ID})
	}
	return &out, err
}

type inviteInput struct {
	Name string `path:"name" doc:"The team's name."`
	ID   string `path:"invite_id" doc:"As listed; not the code."`
}

func (s *Server) revokeInvite(ctx context.Context, c *call, in *inviteInput) (*struct{}, error) {
	if err := s.onTeam(ctx, c, in.Name); err != nil {
		return nil, err
	}
	c.texts = texts{ErrNotFound: "team or invite not found",
		ErrDenied: "only the team owner can revoke the invites of others"}
	return nil, s.store.RevokeInvite(ctx, c.user.ID, in.Name, in.ID, s.opts.Now().UTC())
}

type codeInput struct {
	Code string `path:"code" doc:"The invite's code."`
}

type invitedTeam struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type showInviteAnswer struct {
	ExpiresAt string      `json:"expires_at" format:"date-time"`
	Team      invitedTeam `json:"team"`
}

func (s *Server) showInvite(ctx context.Context, c *call, in *codeInput) (*showInviteAnswer, error) {
	i, t, err := s.store.InviteOf(ctx, Hash(in.Code), s.opts.Now().UTC())
	if err != nil {
		return nil, s.inviteRefused(c, err)
	}
	return &showInviteAnswer{ExpiresAt: packet.FormatTime(i.ExpiresAt), Team: invitedTeam{t.ID, t.Name}}, nil
}

// inviteRefused returns the problem for an invite that is not open, which may be a guess.
func (s *Server) inviteRefused(c *call, err error) error {
	if errors.Is(err, ErrGone) || errors.Is(err, ErrNotFound) {
		// The answer must not tell whether the code ever was an invite.
		return s.missed(c, s.invites, "invite", refuse(ErrGone, nil))
	}
	return err
}

type acceptBody struct {
	Display string `json:"display,omitempty" maxLength:"80" doc:"What others see of a new user."`
}

type joinedUser struct {
	Display string `json:"display"`
	ID      string `json:"id"`
}

type acceptAnswer struct {
	Team  invitedTeam `json:"team"`
	Token string      `json:"token,omitempty" doc:"Of a new user. It is shown here only."`
	User  joinedUser  `json:"user"`
}

func (s *Server) accept(ctx context.Context, c *call, in *codeInput) (*acceptAnswer, error) {
	var body acceptBody
	if len(bytes.TrimSpace(c.body)) > 0 {
		if err := c.decode(&body); err != nil {
			return nil, err
		}
	}
	var out acceptAnswer
	user, token := c.user, (*Token)(nil)
	if user.ID == "" {
		display, err := cleanDisplay(body.Display)
		if err != nil {
			return nil, err
		}
		if user, token, out.Token, err = s.newUser(display); err != nil {
			return nil, err
		}
	}
	t, err := s.store.AcceptInvite(ctx, Hash(in.Code), user, token, s.opts.MaxMembers, s.opts.Now().UTC())
	if err != nil {
		return nil, s.inviteRefused(c, err)
	}
	c.out.team = t.ID
	out.Team, out.User = invitedTeam{t.ID, t.Name}, joinedUser{user.Display, user.ID}
	return &out, nil
}

// newUser makes a user who was invited, and their token.
func (s *Server) newUser(display string) (u User, t *Token, token string, err error) {
	now := s.opts.Now().UTC()
	u = User{Display: display, CreatedAt: now}
	if u.ID, err = s.newID(); err != nil {
		return u, nil, "", err
	}
	if u.Display == "" {
		u.Display = "invited-" + u.ID[len(u.ID)-6:]
	}
	t, token, err = s.newToken(u.ID, "invite")
	return u, t, token, err
}

// newToken makes a token of a user.
func (s *Server) newToken(user, name string) (t *Token, token string, err error) {
	if token, err = NewToken(s.opts.Random); err != nil {
		return nil, "", err
	}
	t = &Token{UserID: user, Name: name, Hash: Hash(token), CreatedAt: s.opts.Now().UTC()}
	if s.opts.TokenLife > 0 {
		t.ExpiresAt = t.CreatedAt.Add(s.opts.TokenLife)
	}
	t.ID, err = s.newID()
	return t, token, err
}

// cleanDisplay returns a name as others see it. They see it on terminals.
func cleanDisplay(given string) (string, error) {
	given = strings.TrimSpace(given)
	if len(given) > maxDisplay*4 {
		return "", displayLong()
	}
	clean := safe.Line(given)
	if len([]rune(clean)) > maxDisplay {
		return "", displayLong()
	}
	return clean, nil
}

func displayLong() error {
	return problem(kindRequest, "display has more than %d characters; nothing was changed", maxDisplay)
}
