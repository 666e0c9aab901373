package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

func (s *standIn) createTeam(c *remoteCall) {
	var body struct{ Name string }
	_ = json.Unmarshal(c.body, &body)
	if s.teams[body.Name] != nil {
		c.refuse(409, "team name already taken")
		return
	}
	s.teams[body.Name] = []string{c.user["id"]}
	c.answer(201, map[string]any{"team": s.team(body.Name)})
}

func (s *standIn) team(name string) map[string]any {
	return map[string]any{"id": "team-" + name, "name": name, "owner_id": s.teams[name][0],
		"created_at": "2026-08-28T10:00:00Z"}
}

func (s *standIn) listTeams(c *remoteCall) {
	list := []map[string]any{}
	for name, members := range s.teams {
		if slices.Contains(members, c.user["id"]) {
			list = append(list, s.team(name))
		}
	}
	c.answer(200, map[string]any{"teams": list})
}

// member returns the members of the team of a request with the caller in it, or refuses it.
func (s *standIn) member(c *remoteCall, owner bool) ([]string, bool) {
	members := s.teams[c.PathValue("name")]
	switch {
	case !slices.Contains(members, c.user["id"]):
		c.refuse(404, "team not found")
	case owner && members[0] != c.user["id"]:
		c.refuse(403, "only the team owner can do this")
	default:
		return members, true
	}
	return nil, false
}

func (s *standIn) deleteTeam(c *remoteCall) {
	if _, ok := s.member(c, true); ok {
		delete(s.teams, c.PathValue("name"))
		c.answer(204, nil)
	}
}

func (s *standIn) members(c *remoteCall) {
	members, ok := s.member(c, false)
	if !ok {
		return
	}
	var list []map[string]string
	for i, id := range members {
		display := id
		for _, user := range s.users {
			if user["id"] == id {
				display = user["display"]
			}
		}
		list = append(list, map[string]string{"user_id": id, "display": display, "joined_at": "2026-08-28T10:00:00Z",
			"role": map[bool]string{true: "owner", false: "member"}[i == 0]})
	}
	c.answer(200, map[string]any{"members": list})
}

func (s *standIn) removeMember(c *remoteCall) {
	members, ok := s.member(c, true)
	switch {
	case !ok:
	case members[0] == c.PathValue("user"):
		c.refuse(400, "owner cannot be removed; transfer ownership or delete the team")
	case !slices.Contains(members, c.PathValue("user")):
		c.refuse(404, "not a member")
	default:
		s.drop(c, c.PathValue("user"))
	}
}

func (s *standIn) leave(c *remoteCall) {
	members, ok := s.member(c, false)
	switch {
	case !ok:
	case members[0] == c.user["id"]:
		c.refuse(400, "owner cannot leave; transfer ownership or delete the team")
	default:
		s.drop(c, c.user["id"])
	}
}

func (s *standIn) drop(c *remoteCall, user string) {
	name := c.PathValue("name")
	s.teams[name] = slices.DeleteFunc(slices.Clone(s.teams[name]), func(m string) bool { return m == user })
	c.answer(204, nil)
}

func (s *standIn) invite(c *remoteCall) {
	if _, ok := s.member(c, false); !ok {
		return
	}
	code := fmt.Sprintf("%048x", len(s.invites)+len(s.users)*1000+1)
	code = code[40:] + code[:40]
	s.invites[code] = c.PathValue("name")
	c.answer(201, map[string]string{"code": code, "expires_at": "2026-09-04T10:00:00Z",
		"url": "http://" + c.Host + "/v1/invites/" + code})
}

func (s *standIn) accept(c *remoteCall) {
	team := s.invites[c.PathValue("code")]
	if team == "" {
		c.refuse(410, "invite expired or already consumed")
		return
	}
	delete(s.invites, c.PathValue("code"))
	var body struct{ Display string }
	_ = json.Unmarshal(c.body, &body)
	user := c.user
	joined := map[string]any{"team": map[string]string{"id": "team-" + team, "name": team}}
	if user == nil {
		user = map[string]string{"id": fmt.Sprintf("user-%d", len(s.users)), "display": cmp.Or(body.Display, "invited")}
		token := fmt.Sprintf("invited-token-%012d", len(s.users))
		s.users[token], joined["token"] = user, token
	}
	joined["user"] = user
	s.teams[team] = append(s.teams[team], user["id"])
	c.answer(201, joined)
}
