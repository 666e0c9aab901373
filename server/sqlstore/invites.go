package sqlstore

import (
	"context"
	"errors"
	"time"

	"ltm/server"
)

// CreateInvite implements [server.Invites].
func (s *Store) CreateInvite(ctx context.Context, caller, name string, i server.Invite, most int) error {
	if err := bounded(i.ID); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		team, _, err := t.lockTeam(caller, name)
		if err != nil {
			return err
		}
		err = t.room("invites", most, `SELECT count(*) FROM invites
			WHERE team_id = $1 AND closed IS NULL AND expires > $2`, team.ID, i.CreatedAt)
		if err != nil {
			return err
		}
		err = t.add(`INSERT INTO invites (id, team_id, hash, created_by, created, expires)
			VALUES ($1, $2, $3, $4, $5, $6)`, i.ID, team.ID, i.Hash, caller, i.CreatedAt, i.ExpiresAt)
		if err != nil {
			return err
		}
		return t.audited(ctx, i.CreatedAt, "invite.create", i.ID, team.ID)
	})
}

// inviteColumns is what inviteInto reads.
const inviteColumns = "i.id, i.team_id, i.hash, i.created_by, i.created, i.expires"

func inviteInto(i *server.Invite) []any {
	return []any{&i.ID, &i.TeamID, digest(&i.Hash), &i.CreatedBy, instant(&i.CreatedAt), instant(&i.ExpiresAt)}
}

// ListInvites implements [server.Invites].
func (s *Store) ListInvites(ctx context.Context, caller, name string, at time.Time) ([]server.Invite, error) {
	return in(ctx, s.read, func(t *tx) ([]server.Invite, error) {
		team, _, err := t.teamOf(caller, name)
		if err != nil {
			return nil, err
		}
		return collect(t, "SELECT "+inviteColumns+` FROM invites i
			WHERE i.team_id = $1 AND i.closed IS NULL AND i.expires > $2 ORDER BY i.created DESC, i.id DESC`,
			[]any{team.ID, at}, inviteInto)
	})
}

// RevokeInvite implements [server.Invites].
func (s *Store) RevokeInvite(ctx context.Context, caller, name, id string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		team, _, err := t.lockTeam(caller, name)
		if err != nil {
			return err
		}
		var by string
		err = t.get(`SELECT created_by FROM invites
			WHERE id = $1 AND team_id = $2 AND closed IS NULL AND expires > $3`, []any{id, team.ID, at}, &by)
		if err != nil {
			return err
		}
		if caller != by && caller != team.OwnerID {
			return server.ErrDenied
		}
		if err := t.must("UPDATE invites SET closed = $1 WHERE id = $2", at, id); err != nil {
			return err
		}
		return t.audited(ctx, at, "invite.revoke", id, team.ID)
	})
}

// inviteOf returns an open invite and its team.
func (t *tx) inviteOf(hash [32]byte, at time.Time) (i server.Invite, team server.Team, scope int64, err error) {
	err = t.get("SELECT "+inviteColumns+", "+teamColumns+` FROM invites i JOIN teams t ON t.id = i.team_id
		WHERE i.hash = $1 AND i.closed IS NULL AND i.expires > $2 AND t.deleted IS NULL
		AND (SELECT x.at FROM disabled x WHERE x.user_id = i.created_by) IS NULL`, []any{hash, at},
		append(inviteInto(&i), teamInto(&team, &scope)...)...)
	if errors.Is(err, server.ErrNotFound) {
		err = server.ErrGone
	}
	return i, team, scope, err
}

// InviteOf implements [server.Invites].
func (s *Store) InviteOf(
	ctx context.Context, hash [32]byte, at time.Time,
) (i server.Invite, team server.Team, err error) {
	err = s.ask(ctx, func(t *tx) error {
		i, team, _, err = t.inviteOf(hash, at)
		return err
	})
	return i, team, err
}

// AcceptInvite implements [server.Invites].
func (s *Store) AcceptInvite(
	ctx context.Context, hash [32]byte, user server.User, token *server.Token, most int, at time.Time,
) (server.Team, error) {
	return in(ctx, s.write, func(t *tx) (team server.Team, err error) {
		if _, team, _, err = t.inviteOf(hash, at); err != nil {
			return team, err
		}
		if token != nil {
			err = t.addNewcomer(user, *token)
		} else {
			_, _, err = t.lockUser(user.ID)
		}
		if err != nil {
			return team, err
		}
		return t.accept(hash, user.ID, most, at)
	})
}

// addNewcomer adds a user with a token.
func (t *tx) addNewcomer(user server.User, token server.Token) error {
	if err := t.createUser(user); err != nil {
		return err
	}
	token.UserID = user.ID
	if err := t.addToken(token); err != nil {
		return err
	}
	by := server.ActorUser(user.ID)
	return errors.Join(t.auditedBy(by, user.CreatedAt, "user.create", user.ID, ""),
		t.auditedBy(by, token.CreatedAt, "token.issue", token.ID, user.ID))
}

// accept makes a user a member of an invite's team.
func (t *tx) accept(hash [32]byte, user string, most int, at time.Time) (server.Team, error) {
	invite, team, scope, err := t.inviteOf(hash, at)
	if err != nil {
		return team, err
	}
	if err := t.lock(scope); err != nil {
		return team, err
	}
	if _, team, _, err = t.inviteOf(hash, at); err != nil {
		return team, err
	}
	var have, in int
	err = t.get(`SELECT count(*), COALESCE(sum(CASE WHEN user_id = $2 THEN 1 ELSE 0 END), 0)
		FROM members WHERE team_id = $1`, []any{team.ID, user}, &have, &in)
	if err != nil || in > 0 {
		return team, err
	}
	if have >= most {
		return team, &server.LimitError{What: "members", Max: int64(most)}
	}
	if err := t.must("UPDATE invites SET closed = $1 WHERE id = $2", at, invite.ID); err != nil {
		return team, err
	}
	if err := t.auditedBy(server.ActorUser(user), at, "member.join", user, team.ID); err != nil {
		return team, err
	}
	return team, t.addMember(team.ID, user, at)
}
