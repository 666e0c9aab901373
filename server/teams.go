package server

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"ltm/packet"
)

// teamName matches the names of teams. It is part of the protocol, and so is the message.
var teamName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}\z`)

const teamNameRule = "team name must match ^[a-z0-9][a-z0-9_-]{0,39}$"

func teamTexts() texts {
	return texts{ErrNotFound: "team not found", ErrTaken: "team name already taken"}
}

func (s *Server) registerTeams() {
	handle(s, route{Pattern: "POST /v1/teams", ID: "create-team", Tag: "teams", Access: users, Once: true,
		MaxBody: bodyTeam, Body: createTeamBody{}, Status: http.StatusCreated,
		Errors: []kind{kindTaken, kindLarge, kindQuota}, Summary: "Create a team, with you as its owner"}, s.createTeam)
	handle(s, route{Pattern: "GET /v1/teams", ID: "list-teams", Tag: "teams", Access: users,
		Summary: "List your teams, the oldest first"}, s.listTeams)
	handleWhole(s, route{Pattern: "DELETE /v1/teams/{name}", ID: "delete-team", Tag: "teams", Access: users,
		Errors:  []kind{kindNotFound, kindForbidden},
		Summary: "Delete a team with its members, invites and packets"}, s.deleteTeam)
	handle(s, route{Pattern: "GET /v1/teams/{name}/members", ID: "list-members", Tag: "teams", Access: users,
		Errors: []kind{kindNotFound}, Summary: "List the members of a team, the oldest first"}, s.listMembers)
	handleWhole(s, route{Pattern: "DELETE /v1/teams/{name}/members/{user_id}", ID: "remove-member", Tag: "teams",
		Access: users, Errors: []kind{kindRequest, kindNotFound, kindForbidden},
		Summary: "Remove a member from a team, and revoke its open invites"}, s.removeMember)
	handleWhole(s, route{Pattern: "POST /v1/teams/{name}/leave", ID: "leave-team", Tag: "teams", Access: users,
		Once: true, Errors: []kind{kindRequest, kindNotFound}, Summary: "Leave a team"}, s.leaveTeam)
	handleWhole(s, route{Pattern: "POST /v1/teams/{name}/transfer", ID: "transfer-team", Tag: "teams", Access: users,
		Once: true, MaxBody: bodyTeam, Body: transferBody{}, Errors: []kind{kindNotFound, kindForbidden, kindLarge},
		Summary: "Make another member the owner of your team"}, s.transferTeam)
}

type teamInput struct {
	Name string `path:"name" doc:"The team's name."`
}

type memberInput struct {
	Name string `path:"name" doc:"The team's name."`
	User string `path:"user_id" doc:"The member's id."`
}

// onTeam finds the team of a request for the log, and refuses one that the caller is not in as one that does not exist.
func (s *Server) onTeam(ctx context.Context, c *call, name string) error {
	if !teamName.MatchString(name) {
		return problem(kindNotFound, "team not found")
	}
	c.texts = teamTexts()
	t, err := s.store.TeamOf(ctx, c.user.ID, name)
	c.out.team = t.ID
	return err
}

type createTeamBody struct {
	Name string `json:"name" pattern:"^[a-z0-9][a-z0-9_-]{0,39}$" doc:"Unique on the server."`
}

type createdTeam struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	OwnerID string `json:"owner_id"`
}

type createTeamAnswer struct {
	Team createdTeam `json:"team"`
}

func (s *Server) createTeam(ctx context.Context, c *call, _ *struct{}) (*createTeamAnswer, error) {
	var in createTeamBody
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	in.Name = strings.TrimSpace(in.Name)
	if !teamName.MatchString(in.Name) {
		return nil, problem(kindRequest, teamNameRule)
	}
	id, err := s.newID()
	if err != nil {
		return nil, err
	}
	t := Team{ID: id, Name: in.Name, OwnerID: c.user.ID, CreatedAt: s.opts.Now().UTC()}
	c.texts = teamTexts()
	if err := s.store.CreateTeam(ctx, t, s.opts.MaxTeams); err != nil {
		return nil, err
	}
	c.out.team = t.ID
	return &createTeamAnswer{Team: createdTeam{t.ID, t.Name, t.OwnerID}}, nil
}

type listedTeam struct {
	CreatedAt string `json:"created_at" format:"date-time"`
	ID        string `json:"id"`
	Name      string `json:"name"`
	OwnerID   string `json:"owner_id"`
}

type listTeamsAnswer struct {
	Teams []listedTeam `json:"teams" nullable:"false"`
}

func (s *Server) listTeams(ctx context.Context, c *call, _ *struct{}) (*listTeamsAnswer, error) {
	teams, err := s.store.ListTeams(ctx, c.user.ID)
	out := listTeamsAnswer{Teams: []listedTeam{}}
	for _, t := range teams {
		out.Teams = append(out.Teams, listedTeam{packet.FormatTime(t.CreatedAt), t.ID, t.Name, t.OwnerID})
	}
	return &out, err
}

func (s *Server) deleteTeam(ctx context.Context, c *call, in *teamInput) (*struct{}, error) {
	if err := s.onTeam(ctx, c, in.Name); err != nil {
		return nil, err
	}
	c.texts[ErrDenied] = "only the team owner can delete a team"
	return nil, s.store.DeleteTeam(ctx, c.user.ID, in.Name, s.opts.Now().UTC())
}

type listedMember struct {
	Display  string `json:"display"`
	Email    string `json:"email,omitempty" doc:"Only your own."`
	JoinedAt string `json:"joined_at" format:"date-time"`
	Role     string `json:"role" enum:"owner,member"`
	UserID   string `json:"user_id"`
}

type listMembersAnswer struct {
	Members []listedMember `json:"members" nullable:"false"`
}

func (s *Server) listMembers(ctx context.Context, c *call, in *teamInput) (*listMembersAnswer, error) {
	if err := s.onTeam(ctx, c, in.Name); err != nil {
		return nil, err
	}
	members, err := s.store.ListMembers(ctx, c.user.ID, in.Name)
	out := listMembersAnswer{Members: []listedMember{}}
	for _, m := range members {
		listed := listedMember{Display: m.User.Display, JoinedAt: packet.FormatTime(m.JoinedAt), Role: "member",
			UserID: m.User.ID}
		if m.Owner {
			listed.Role = "owner"
		}
		if m.User.ID == c.user.ID {
			listed.Email = m.User.Email
		}
		out.Members = append(out.Members, listed)
	}
	return &out, err
}

func (s *Server) removeMember(ctx context.Context, c *call, in *memberInput) (*struct{}, error) {
	if err := s.onTeam(ctx, c, in.Name); err != nil {
		return nil, err
	}
	c.texts[ErrDenied] = "only the team owner can remove members"
	c.texts[ErrOwner] = "owner cannot be removed; transfer ownership or delete the team"
	return nil, s.store.RemoveMember(ctx, c.user.ID, in.Name, in.User, s.opts.Now().UTC())
}

func (s *Server) leaveTeam(ctx context.Context, c *call, in *teamInput) (*struct{}, error) {
	if err := s.onTeam(ctx, c, in.Name); err != nil {
		return nil, err
	}
	c.texts[ErrOwner] = "owner cannot leave; transfer ownership or delete the team"
	return nil, s.store.LeaveTeam(ctx, c.user.ID, in.Name, s.opts.Now().UTC())
}

type transferBody struct {
	UserID string `json:"user_id" doc:"The member who becomes the owner."`
}

func (s *Server) transferTeam(ctx context.Context, c *call, in *teamInput) (*struct{}, error) {
	if err := s.onTeam(ctx, c, in.Name); err != nil {
		return nil, err
	}
	var body transferBody
	if err := c.decode(&body); err != nil {
		return nil, err
	}
	if body.UserID == "" {
		return nil, problem(kindRequest, "user_id is missing; nothing was changed")
	}
	c.texts[ErrDenied] = "only the team owner can hand over a team"
	return nil, s.store.TransferTeam(ctx, c.user.ID, in.Name, body.UserID, s.opts.Now().UTC())
}
