package sqlstore

import (
	"context"
	"time"

	"ltm/server"
)

// CreateUser implements [server.Users].
func (s *Store) CreateUser(ctx context.Context, u server.User) error {
	_, err := s.CreateUsers(ctx, []server.User{u})
	return err
}

// CreateUsers implements [server.Users].
func (s *Store) CreateUsers(ctx context.Context, users []server.User) (failed int, err error) {
	err = s.write(ctx, func(t *tx) error {
		for i, u := range users {
			failed = i
			if err := t.createUser(u); err != nil {
				return err
			}
			if err := t.audited(ctx, u.CreatedAt, "user.create", u.ID, ""); err != nil {
				return err
			}
		}
		return nil
	})
	return failed, err
}

func (t *tx) createUser(u server.User) error {
	if err := bounded(u.ID, u.Name, u.Email); err != nil {
		return err
	}
	scope, err := t.createScope()
	if err != nil {
		return err
	}
	return t.add(`INSERT INTO users (id, scope, name, email, display, created)
		VALUES ($1, $2, $3, $4, $5, $6)`, u.ID, scope, u.Name, u.Email, u.Display, u.CreatedAt)
}

// createScope adds a scope and returns its number.
func (t *tx) createScope() (int64, error) {
	return one(t, "INSERT INTO scopes (packets, bytes) VALUES (0, 0) RETURNING seq", nil, single[int64])
}

// userColumns is what scanUser reads.
const userColumns = "u.id, u.name, u.email, u.display, u.created, " +
	"(SELECT x.at FROM disabled x WHERE x.user_id = u.id)"

func userInto(u *server.User) []any {
	return []any{&u.ID, &u.Name, &u.Email, &u.Display, instant(&u.CreatedAt), instant(&u.DisabledAt)}
}

// user returns a user that is not deleted, and their scope.
func (t *tx) user(id string) (u server.User, scope int64, err error) {
	err = t.get("SELECT "+userColumns+", u.scope FROM users u WHERE u.id = $1 AND u.deleted IS NULL",
		[]any{id}, append(userInto(&u), &scope)...)
	return u, scope, err
}

// lockUser is user with their scope locked.
func (t *tx) lockUser(id string) (u server.User, scope int64, err error) {
	u, scope, err = t.user(id)
	if err != nil || t.s.words.lock == "" {
		return u, scope, err
	}
	if err := t.lock(scope); err != nil {
		return u, 0, err
	}
	return t.user(id)
}

// User implements [server.Users].
func (s *Store) User(ctx context.Context, id string) (server.User, error) {
	return in(ctx, s.ask, func(t *tx) (server.User, error) {
		u, _, err := t.user(id)
		return u, err
	})
}

// FindUser implements [server.Users].
func (s *Store) FindUser(ctx context.Context, given string) (server.User, error) {
	return in(ctx, s.read, func(t *tx) (server.User, error) {
		return byAny(t, given, []string{"id", "name", "email"}, "SELECT "+userColumns+
			" FROM users u WHERE u.deleted IS NULL AND u.", userInto)
	})
}

// ListUsers implements [server.Users].
func (s *Store) ListUsers(ctx context.Context) ([]server.User, error) {
	return list(ctx, s, "SELECT "+userColumns+" FROM users u WHERE u.deleted IS NULL ORDER BY u.created, u.id", nil,
		userInto)
}

// DisableUser implements [server.Users].
func (s *Store) DisableUser(ctx context.Context, id string, disabled bool, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		u, _, err := t.lockUser(id)
		if err != nil || disabled != u.DisabledAt.IsZero() {
			return err
		}
		act, statement, args := "user.enable", "DELETE FROM disabled WHERE user_id = $1", []any{id}
		if disabled {
			act, statement, args = "user.disable", "INSERT INTO disabled (user_id, at) VALUES ($1, $2)", []any{id, at}
		}
		if err := t.must(statement, args...); err != nil {
			return err
		}
		return t.audited(ctx, at, act, id, "")
	})
}

// DeleteUser implements [server.Users].
func (s *Store) DeleteUser(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		_, scope, err := t.lockUser(id)
		if err != nil {
			return err
		}
		if err := t.lockTeamsOf(id); err != nil {
			return err
		}
		owned, err := one(t, ownedTeams, []any{id}, single[int])
		if err != nil {
			return err
		}
		if owned > 0 {
			return server.ErrOwner
		}
		for _, statement := range []string{
			"UPDATE users SET deleted = $1 WHERE id = $2",
			"UPDATE tokens SET revoked = $1 WHERE user_id = $2 AND revoked IS NULL",
		} {
			if _, err := t.exec(statement, at, id); err != nil {
				return err
			}
		}
		if err := t.closeInvites(ctx, at, "created_by = $2", id); err != nil {
			return err
		}
		for _, statement := range []string{
			"DELETE FROM members WHERE user_id = $1",
			"DELETE FROM disabled WHERE user_id = $1",
		} {
			if _, err := t.exec(statement, id); err != nil {
				return err
			}
		}
		if err := t.audited(ctx, at, "user.delete", id, ""); err != nil {
			return err
		}
		return t.dropScope(scope, at)
	})
}

// lockTeamsOf locks the scopes of a user's teams, in one order for all.
func (t *tx) lockTeamsOf(user string) error {
	scopes, err := collect(t, `SELECT t.scope FROM members m JOIN teams t ON t.id = m.team_id
		WHERE m.user_id = $1 ORDER BY t.scope`, []any{user}, single[int64])
	if err != nil {
		return err
	}
	for _, scope := range scopes {
		if err := t.lock(scope); err != nil {
			return err
		}
	}
	return nil
}

// dropScope deletes all packets of a scope. [Store.Purge] removes them.
func (t *tx) dropScope(scope int64, at time.Time) error {
	return t.must("UPDATE scopes SET packets = 0, bytes = 0, deleted = $1 WHERE seq = $2", at, scope)
}
