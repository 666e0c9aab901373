package sqlstore

import (
	"context"
	"errors"
	"time"

	"ltm/server"
)

// CreateTeam implements [server.Teams].
func (s *Store) CreateTeam(ctx context.Context, team server.Team, most int) error {
	if err := bounded(team.ID, team.Name); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		if _, _, err := t.lockUser(team.OwnerID); err != nil {
			return err
		}
		if err := t.room("teams", most, ownedTeams, team.OwnerID); err != nil {
			return err
		}
		scope, err := t.createScope()
		if err != nil {
			return err
		}
		err = t.add(`INSERT INTO teams (id, scope, name, owner_id, created) VALUES ($1, $2, $3, $4, $5)`,
			team.ID, scope, team.Name, team.OwnerID, team.CreatedAt)
		if err != nil {
			return err
		}
		if err := t.audited(ctx, team.CreatedAt, "team.create", team.ID, ""); err != nil {
			return err
		}
		return t.addMember(team.ID, team.OwnerID, team.CreatedAt)
	})
}

// ownedTeams counts the teams of a user.
const ownedTeams = "SELECT count(*) FROM teams WHERE owner_id = $1 AND deleted IS NULL"

// addMember adds a member to a team.
func (t *tx) addMember(team, user string, at time.Time) error {
	return t.add("INSERT INTO members (team_id, user_id, joined) VALUES ($1, $2, $3)", team, user, at)
}

// teamColumns is what teamInto reads.
const teamColumns = "t.id, t.name, t.owner_id, t.created, t.scope"

func teamInto(team *server.Team, scope *int64) []any {
	return []any{&team.ID, &team.Name, &team.OwnerID, instant(&team.CreatedAt), scope}
}

// teamOf returns a team that the caller is in, and its scope.
func (t *tx) teamOf(caller, name string) (team server.Team, scope int64, err error) {
	err = t.get("SELECT "+teamColumns+` FROM teams t JOIN members m ON m.team_id = t.id AND m.user_id = $1
		WHERE t.name = $2 AND t.deleted IS NULL`, []any{caller, name}, teamInto(&team, &scope)...)
	return team, scope, err
}

// lockTeam is teamOf with the team's scope locked.
func (t *tx) lockTeam(caller, name string) (team server.Team, scope int64, err error) {
	team, scope, err = t.teamOf(caller, name)
	if err != nil || t.s.words.lock == "" {
		return team, scope, err
	}
	before := scope
	if err := t.lock(scope); err != nil {
		return team, 0, err
	}
	team, scope, err = t.teamOf(caller, name)
	if err == nil && scope != before {
		return team, 0, errLost // it was deleted, and another has its name
	}
	return team, scope, err
}

// ownTeam is lockTeam for what only the owner may do.
func (t *tx) ownTeam(caller, name string) (team server.Team, scope int64, err error) {
	team, scope, err = t.lockTeam(caller, name)
	if err == nil && team.OwnerID != caller {
		err = server.ErrDenied
	}
	return team, scope, err
}

// TeamOf implements [server.Teams].
func (s *Store) TeamOf(ctx context.Context, caller, name string) (server.Team, error) {
	return in(ctx, s.ask, func(t *tx) (server.Team, error) {
		team, _, err := t.teamOf(caller, name)
		return team, err
	})
}

// ListTeams implements [server.Teams].
func (s *Store) ListTeams(ctx context.Context, caller string) ([]server.Team, error) {
	return list(ctx, s, "SELECT "+teamColumns+` FROM members m JOIN teams t ON t.id = m.team_id
		WHERE m.user_id = $1 AND t.deleted IS NULL ORDER BY t.created, t.id`, []any{caller},
		func(team *server.Team) []any { return teamInto(team, new(int64)) })
}

// DeleteTeam implements [server.Teams].
func (s *Store) DeleteTeam(ctx context.Context, caller, name string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		team, scope, err := t.ownTeam(caller, name)
		if err != nil {
			return err
		}
		if _, err := t.exec("UPDATE teams SET deleted = $1 WHERE id = $2", at, team.ID); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM members WHERE team_id = $1", team.ID); err != nil {
			return err
		}
		if err := t.closeInvites(ctx, at, "team_id = $2", team.ID); err != nil {
			return err
		}
		if err := t.audited(ctx, at, "team.delete", team.ID, ""); err != nil {
			return err
		}
		return t.dropScope(scope, at)
	})
}

// closeInvites revokes the open invites for which a condition holds, in which $2 is the first argument. Those that
// have expired are closed, too, in case another server's clock is behind, but have no line in the audit log.
func (t *tx) closeInvites(ctx context.Context, at time.Time, condition string, args ...any) error {
	args = append([]any{at}, args...)
	open, err := collect(t, "SELECT "+inviteColumns+" FROM invites i WHERE i.closed IS NULL AND i.expires > $1 AND "+
		condition+" ORDER BY i.created, i.id", args, inviteInto)
	if err != nil {
		return err
	}
	for _, i := range open {
		if err := t.audited(ctx, at, "invite.revoke", i.ID, i.TeamID); err != nil {
			return err
		}
	}
	_, err = t.exec("UPDATE invites SET closed = $1 WHERE closed IS NULL AND "+condition, args...)
	return err
}

// ListMembers implements [server.Teams].
func (s *Store) ListMembers(ctx context.Context, caller, name string) ([]server.Member, error) {
	return in(ctx, s.read, func(t *tx) ([]server.Member, error) {
		team, _, err := t.teamOf(caller, name)
		if err != nil {
			return nil, err
		}
		members, err := collect(t, "SELECT "+userColumns+`, m.joined FROM members m JOIN users u ON u.id = m.user_id
			WHERE m.team_id = $1 ORDER BY m.joined, u.id`, []any{team.ID}, func(m *server.Member) []any {
			return append(userInto(&m.User), instant(&m.JoinedAt))
		})
		for i, m := range members {
			members[i].Owner = m.User.ID == team.OwnerID
		}
		return members, err
	})
}

// RemoveMember implements [server.Teams].
func (s *Store) RemoveMember(ctx context.Context, caller, name, user string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		team, _, err := t.ownTeam(caller, name)
		if err != nil {
			return err
		}
		if user == team.OwnerID {
			return server.ErrOwner
		}
		if err := t.dropMember(team.ID, user); err != nil {
			return err
		}
		if err := t.audited(ctx, at, "member.remove", user, team.ID); err != nil {
			return err
		}
		return t.closeInvites(ctx, at, "team_id = $2", team.ID)
	})
}

// dropMember takes a user out of a team.
func (t *tx) dropMember(team, user string) error {
	err := t.must("DELETE FROM members WHERE team_id = $1 AND user_id = $2", team, user)
	if errors.Is(err, server.ErrNotFound) {
		return server.ErrNoMember
	}
	return err
}

// LeaveTeam implements [server.Teams].
func (s *Store) LeaveTeam(ctx context.Context, caller, name string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		team, _, err := t.lockTeam(caller, name)
		if err != nil {
			return err
		}
		if team.OwnerID == caller {
			return server.ErrOwner
		}
		if err := t.dropMember(team.ID, caller); err != nil {
			return err
		}
		if err := t.audited(ctx, at, "member.leave", caller, team.ID); err != nil {
			return err
		}
		return t.closeInvites(ctx, at, "team_id = $2 AND created_by = $3", team.ID, caller)
	})
}

// TransferTeam implements [server.Teams].
func (s *Store) TransferTeam(ctx context.Context, caller, name, user string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		// The new owner first: DeleteUser locks a user before their teams.
		if _, _, err := t.lockUser(user); err != nil && !errors.Is(err, server.ErrNotFound) {
			return err
		}
		team, _, err := t.ownTeam(caller, name)
		if err != nil {
			return err
		}
		found, err := one(t, "SELECT count(*) FROM members WHERE team_id = $1 AND user_id = $2", []any{team.ID, user},
			single[int])
		if err != nil {
			return err
		}
		if found == 0 {
			return server.ErrNoMember
		}
		if _, err = t.exec("UPDATE teams SET owner_id = $1 WHERE id = $2", user, team.ID); err != nil {
			return err
		}
		return t.audited(ctx, at, "team.transfer", user, team.ID)
	})
}
