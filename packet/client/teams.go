package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ltm/memory"
)

// maxTeamBytes is the maximum length of a team's name.
const maxTeamBytes = 40

// checkTeam reports whether a team can have a name.
func checkTeam(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	if name == "" || len(name) > maxTeamBytes || strings.Trim(name, letters+"_-") != "" ||
		!strings.Contains(letters, name[:1]) {
		return memory.NewError(memory.CodeInvalid, memory.KindTeamMalformed, name,
			"%s cannot be the name of a team: 1 to 40 of a to z, 0 to 9, _ and -, the first a letter or digit",
			memory.Quote(name, 50))
	}
	return nil
}

func (c *Client) noTeam(name string) meaning {
	return meaning{memory.CodeNotFound, memory.KindTeamUnknown, name,
		fmt.Sprintf("%s has no team %s with you in it", c.o.Host, memory.Quote(name, maxTeamBytes))}
}

func ownerStays(name string) meaning {
	return meaning{memory.CodeConflict, memory.KindTeamOwner, name,
		"the owner of a team can neither leave nor be removed"}
}

// checkUser reports whether a user can have an id.
func checkUser(id string) error {
	if id == "" || len(id) > 256 || id == "." || id == ".." {
		return memory.NewError(memory.CodeInvalid, memory.KindRemoteIDMalformed, id,
			"%s is not the id of a user", memory.Quote(id, 70))
	}
	return nil
}

// key returns a name that is the same whenever these are the same.
func key(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// User is a person or a program that has tokens.
type User struct {
	ID      string `json:"id"`
	Display string `json:"display,omitempty"`
	Name    string `json:"name,omitempty"`
	Email   string `json:"email,omitempty"`
}

// Whoami returns whose token it is.
type Whoami struct {
	User  User `json:"user"`
	Token struct {
		ID        string    `json:"id,omitempty"`
		Name      string    `json:"name,omitempty"`
		ExpiresAt time.Time `json:"expires_at,omitzero"`
	} `json:"token,omitzero"`
}

// Whoami asks whose token the client has. The reference server does not have it.
func (c *Client) Whoami(ctx context.Context) (Whoami, error) {
	var w Whoami
	_, err := c.get(ctx, request{url: c.o.Host.join("whoami")}, &w)
	return w, err
}

// Team is a group of users who read each other's packets.
type Team struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	OwnerID   string    `json:"owner_id,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
}

// CreateTeam makes a team, with the caller as its owner.
func (c *Client) CreateTeam(ctx context.Context, name string) (Team, error) {
	if err := checkTeam(name); err != nil {
		return Team{}, err
	}
	var made struct {
		Team Team `json:"team"`
	}
	err := c.post(ctx, request{url: c.o.Host.join("teams"), means: map[int]meaning{
		http.StatusConflict: {memory.CodeConflict, memory.KindTeamTaken, name,
			fmt.Sprintf("%s has a team %s already", c.o.Host, name)},
	}}, map[string]string{"name": name}, &made)
	if err == nil && made.Team.Name != name {
		err = c.odd("it is about another team")
	}
	return made.Team, err
}

// Teams returns the caller's teams, the oldest first.
func (c *Client) Teams(ctx context.Context) ([]Team, error) {
	var list struct {
		Teams []Team `json:"teams"`
	}
	_, err := c.get(ctx, request{url: c.o.Host.join("teams"), most: maxListAnswer}, &list)
	return list.Teams, err
}

// onTeam is a request about a team.
func (c *Client) onTeam(name string, parts ...string) request {
	r := request{url: c.o.Host.join(append([]string{"teams", name}, parts...)...), means: map[int]meaning{
		http.StatusNotFound: c.noTeam(name),
		http.StatusForbidden: {memory.CodeDenied, memory.KindRemoteDenied, c.o.Host.String(),
			"only the owner of the team may do this"},
	}}
	r.fault = checkTeam(name)
	return r
}

// DeleteTeam removes a team with its members, invites and packets.
func (c *Client) DeleteTeam(ctx context.Context, name string) error {
	return c.remove(ctx, c.onTeam(name))
}

// Member is a user in a team.
type Member struct {
	UserID   string    `json:"user_id"`
	Display  string    `json:"display"`
	Email    string    `json:"email,omitempty"`
	Role     string    `json:"role"` // "owner" or "member"
	JoinedAt time.Time `json:"joined_at,omitzero"`
}

// Members returns who is in a team, the oldest first.
func (c *Client) Members(ctx context.Context, team string) ([]Member, error) {
	r := c.onTeam(team, "members")
	r.most = maxListAnswer
	var list struct {
		Members []Member `json:"members"`
	}
	_, err := c.get(ctx, r, &list)
	return list.Members, err
}

// RemoveMember removes a user from the caller's team.
func (c *Client) RemoveMember(ctx context.Context, team, user string) error {
	if err := checkUser(user); err != nil {
		return err
	}
	r := c.onTeam(team, "members", user)
	r.means[http.StatusBadRequest] = ownerStays(team)
	r.means[http.StatusConflict] = ownerStays(team)
	r.means[http.StatusNotFound] = meaning{memory.CodeNotFound, memory.KindMemberUnknown, team,
		"there is no such team with you in it, or no such member"}
	return c.remove(ctx, r)
}

// LeaveTeam removes the caller from a team.
func (c *Client) LeaveTeam(ctx context.Context, team string) error {
	r := c.onTeam(team, "leave")
	r.means[http.StatusBadRequest] = ownerStays(team)
	r.means[http.StatusConflict] = ownerStays(team)
	return c.post(ctx, r, struct{}{}, nil)
}

// TransferTeam makes another member the owner of the caller's team. The reference server does not have it.
func (c *Client) TransferTeam(ctx context.Context, team, user string) error {
	if err := checkUser(user); err != nil {
		return err
	}
	r := c.onTeam(team, "transfer")
	r.means[http.StatusNotFound] = meaning{memory.CodeNotFound, memory.KindMemberUnknown, team,
		"there is no such team with you in it, or no such member"}
	return c.post(ctx, r, map[string]string{"user_id": user}, nil)
}
