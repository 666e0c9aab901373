package server

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
)

// teamsPage is what the page of teams shows.
type teamsPage struct {
	User  string // the id of who looks
	Teams []countedTeam
}

// countedTeam is a team with how many members and packets it has.
type countedTeam struct {
	listedTeam
	Members int
	Packets int
	More    bool // there are more packets than were counted
}

// mostCounted is how many packets of a team are counted.
const mostCounted = "100"

// teamPage is what the page of one team shows.
type teamPage struct {
	Name    string
	User    string // the id of who looks
	Owner   bool   // who looks owns it
	Members []listedMember
	Invites []shownInvite
}

// shownInvite is an open invite with the name of who made it.
type shownInvite struct {
	listedInvite
	By   string // empty: no longer in the team
	Mine bool   // who looks may revoke it
}

func (s *Server) uiTeams() []screen {
	return []screen{
		{name: "teams", who: people, show: s.uiTeamsPage,
			do: map[string]action{"create": s.uiCreateTeam, "join": s.uiJoin}},
		{name: "team", who: people, query: []string{"name"}, show: s.uiTeamPage, do: map[string]action{
			"remove": s.uiRemove, "transfer": s.uiTransfer, "leave": s.uiLeave, "delete": s.uiDeleteTeam,
			"invite": s.uiInvite, "revoke": s.uiRevokeInvite}},
	}
}

func (s *Server) uiTeamsPage(ctx context.Context, c *call, _ fields) (*view, error) {
	teams, err := s.listTeams(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	page := teamsPage{User: c.user.ID}
	for _, t := range teams.Teams {
		members, err := s.listMembers(ctx, c, &teamInput{t.Name})
		if err != nil {
			return nil, err
		}
		packets, err := s.listed(ctx, c, &listInput{Team: t.Name, Limit: mostCounted})
		if err != nil {
			return nil, err
		}
		page.Teams = append(page.Teams, countedTeam{t, len(members.Members), len(packets.Packets), packets.Next != ""})
	}
	return &view{Title: "Teams", Section: "teams", Body: "teams", Data: page}, nil
}

func (s *Server) uiTeamPage(ctx context.Context, c *call, q fields) (*view, error) {
	page := teamPage{Name: q["name"], User: c.user.ID}
	members, err := s.listMembers(ctx, c, &teamInput{page.Name})
	if err != nil {
		return nil, err
	}
	invites, err := s.listInvites(ctx, c, &teamInput{page.Name})
	if err != nil {
		return nil, err
	}
	page.Members = members.Members
	names := map[string]string{}
	for _, m := range page.Members {
		names[m.UserID] = m.Display
		page.Owner = page.Owner || m.UserID == c.user.ID && m.Role == "owner"
	}
	for _, i := range invites.Invites {
		mine := page.Owner || i.CreatedBy == c.user.ID
		page.Invites = append(page.Invites, shownInvite{i, names[i.CreatedBy], mine})
	}
	return &view{Title: "Team " + page.Name, Section: "teams", Body: "team", Data: page}, nil
}

func (s *Server) uiCreateTeam(ctx context.Context, c *call, _, form fields) (outcome, error) {
	c.body, _ = json.Marshal(createTeamBody{form["name"]}) // texts alone cannot fail
	made, err := s.createTeam(ctx, c, nil)
	if err != nil {
		return outcome{}, err
	}
	return outcome{to: link("team", "name", made.Team.Name), done: "created"}, nil
}

// inviteCode matches the code of an invite, which may be the end of its link.
var inviteCode = regexp.MustCompile(`^ltms_[0-9a-f]{48}$`)

func (s *Server) uiJoin(ctx context.Context, c *call, _, form fields) (outcome, error) {
	code := strings.TrimSpace(form["code"])
	code = strings.TrimSuffix(code[strings.LastIndex(strings.TrimSuffix(code, "/"), "/")+1:], "/")
	if !inviteCode.MatchString(code) {
		return outcome{}, problem(kindRequest, "this is neither the link of an invite nor its code, which begins "+
			"with "+secretPrefix)
	}
	c.body = nil
	joined, err := s.accept(ctx, c, &codeInput{code})
	if err != nil {
		return outcome{}, err
	}
	return outcome{to: link("team", "name", joined.Team.Name), done: "joined"}, nil
}

func (s *Server) uiRemove(ctx context.Context, c *call, q, form fields) (outcome, error) {
	_, err := s.removeMember(ctx, c, &memberInput{q["name"], form["user"]})
	return outcome{done: "removed"}, err
}

func (s *Server) uiTransfer(ctx context.Context, c *call, q, form fields) (outcome, error) {
	c.body, _ = json.Marshal(transferBody{form["user"]}) // texts alone cannot fail
	_, err := s.transferTeam(ctx, c, &teamInput{q["name"]})
	return outcome{done: "handed"}, err
}

func (s *Server) uiLeave(ctx context.Context, c *call, q, _ fields) (outcome, error) {
	_, err := s.leaveTeam(ctx, c, &teamInput{q["name"]})
	return outcome{to: "teams", done: "left"}, err
}

func (s *Server) uiDeleteTeam(ctx context.Context, c *call, q, form fields) (outcome, error) {
	if form["confirm"] != q["name"] {
		return outcome{}, problem(kindRequest, "the name does not match; nothing was changed")
	}
	_, err := s.deleteTeam(ctx, c, &teamInput{q["name"]})
	return outcome{to: "teams", done: "team-deleted"}, err
}

func (s *Server) uiInvite(ctx context.Context, c *call, q, _ fields) (outcome, error) {
	made, err := s.invite(ctx, c, &teamInput{q["name"]})
	if err != nil {
		return outcome{}, err
	}
	return outcome{secret: &secret{"The new invite", made.URL,
		"Send this link to one person, who joins with “ltm join” and " +
			"the link, or on their own page of teams. It is shown here only, and works once."}}, nil
}

func (s *Server) uiRevokeInvite(ctx context.Context, c *call, q, form fields) (outcome, error) {
	_, err := s.revokeInvite(ctx, c, &inviteInput{q["name"], form["id"]})
	return outcome{done: "revoked"}, err
}
