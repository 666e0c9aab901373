package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"time"

	"ltm/server"
)

// CreateToken implements [server.Tokens].
func (s *Store) CreateToken(ctx context.Context, token server.Token, most int) error {
	return s.write(ctx, func(t *tx) error {
		if _, _, err := t.lockUser(token.UserID); err != nil {
			return err
		}
		if err := t.addTokenWithin(token, most); err != nil {
			return err
		}
		return t.audited(ctx, token.CreatedAt, "token.issue", token.ID, token.UserID)
	})
}

// addTokenWithin adds a token if its user then has no more than most that have not ended.
func (t *tx) addTokenWithin(k server.Token, most int) error {
	err := t.room("tokens", most, `SELECT count(*) FROM tokens WHERE user_id = $1 AND revoked IS NULL
		AND (expires IS NULL OR expires > $2)`, k.UserID, k.CreatedAt)
	if err != nil {
		return err
	}
	return t.addToken(k)
}

// addToken adds a token.
func (t *tx) addToken(k server.Token) error {
	if err := bounded(k.ID); err != nil {
		return err
	}
	return t.add(`INSERT INTO tokens (id, user_id, name, hash, created, expires, revoked, used)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		k.ID, k.UserID, k.Name, k.Hash, k.CreatedAt, k.ExpiresAt, k.RevokedAt, k.UsedAt)
}

// tokenColumns is what tokenInto reads.
const tokenColumns = "k.id, k.user_id, k.name, k.hash, k.created, k.expires, k.revoked, k.used"

func tokenInto(k *server.Token) []any {
	return []any{&k.ID, &k.UserID, &k.Name, digest(&k.Hash), instant(&k.CreatedAt), instant(&k.ExpiresAt),
		instant(&k.RevokedAt), instant(&k.UsedAt)}
}

// noteTime is how long noting the use of a token may take.
const noteTime = 2 * time.Second

// Authenticate implements [server.Tokens].
func (s *Store) Authenticate(ctx context.Context, hash [32]byte, at time.Time) (server.Token, server.User, error) {
	var k server.Token
	var u server.User
	err := s.ask(ctx, func(t *tx) error {
		return t.get("SELECT "+tokenColumns+", "+userColumns+` FROM tokens k JOIN users u ON u.id = k.user_id
			WHERE k.hash = $1 AND k.revoked IS NULL AND (k.expires IS NULL OR k.expires > $2)
			AND u.deleted IS NULL`, []any{hash, at}, append(tokenInto(&k), userInto(&u)...)...)
	})
	if err != nil {
		return server.Token{}, server.User{}, err
	}
	s.noteUse(ctx, "tokens", k.ID, &k.UsedAt, at)
	return k, u, nil
}

// noteUse notes that a token or a key was used, at most once a minute. Access does not depend on
// this note: a full disk or a busy database neither locks callers out nor delays them.
func (s *Store) noteUse(ctx context.Context, table, id string, used *time.Time, at time.Time) {
	latest := at.Add(-time.Minute)
	if !used.IsZero() && used.After(latest) {
		return
	}
	short, cancel := context.WithTimeout(ctx, noteTime)
	defer cancel()
	noted := s.inside(short, cmp.Or(s.d.Hurried, s.w), nil, func(t *tx) error {
		return t.must("UPDATE "+table+" SET used = $1 WHERE id = $2 AND (used IS NULL OR used <= $3)", at, id, latest)
	})
	if noted == nil {
		*used = micros(at)
	}
}

// micros returns a time as it comes back from the database.
func micros(at time.Time) time.Time { return fromMicros(at.UnixMicro()) }

// ListTokens implements [server.Tokens].
func (s *Store) ListTokens(ctx context.Context, user string) ([]server.Token, error) {
	query, args := "SELECT "+tokenColumns+" FROM tokens k", []any(nil)
	if user != "" {
		query, args = query+" WHERE k.user_id = $1", []any{user}
	}
	return list(ctx, s, query+" ORDER BY k.created DESC, k.id DESC", args, tokenInto)
}

// token returns the only token whose id begins so.
func (t *tx) token(id string) (server.Token, error) {
	if id == "" {
		return server.Token{}, server.ErrNotFound
	}
	found, err := collect(t, "SELECT "+tokenColumns+
		" FROM tokens k WHERE k.id >= $1 AND k.id < $2 ORDER BY k.id LIMIT 2", []any{id, id + "\xff"}, tokenInto)
	switch {
	case err != nil:
		return server.Token{}, err
	case len(found) == 0:
		return server.Token{}, server.ErrNotFound
	case len(found) > 1 && found[0].ID != id:
		return server.Token{}, server.ErrAmbiguous
	}
	return found[0], nil
}

// lockToken is token with its user locked. The user may be deleted.
func (t *tx) lockToken(id string) (server.Token, error) {
	k, err := t.token(id)
	if err != nil || t.s.words.lock == "" {
		return k, err
	}
	scope, err := one(t, "SELECT scope FROM users WHERE id = $1", []any{k.UserID}, single[int64])
	if err == nil {
		err = t.lock(scope)
	}
	if err != nil {
		return k, err
	}
	return t.token(k.ID)
}

// RevokeToken implements [server.Tokens].
func (s *Store) RevokeToken(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		k, err := t.lockToken(id)
		if err != nil {
			return err
		}
		n, err := t.exec("UPDATE tokens SET revoked = $1 WHERE id = $2 AND revoked IS NULL", at, k.ID)
		if err != nil || n == 0 {
			return err
		}
		return t.audited(ctx, at, "token.revoke", k.ID, k.UserID)
	})
}

// RotateToken implements [server.Tokens].
func (s *Store) RotateToken(ctx context.Context, old string, token server.Token, ends time.Time) error {
	return s.write(ctx, func(t *tx) error {
		k, err := t.lockToken(old)
		if err != nil {
			return err
		}
		if _, _, err := t.user(k.UserID); err != nil {
			return err
		}
		if !k.RevokedAt.IsZero() || !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(token.CreatedAt) {
			return server.ErrGone
		}
		added := token
		added.UserID = k.UserID
		if err := t.addToken(added); err != nil {
			return err
		}
		_, err = t.exec("UPDATE tokens SET expires = $1 WHERE id = $2 AND (expires IS NULL OR expires > $1)",
			ends, k.ID)
		return errors.Join(err, t.audited(ctx, token.CreatedAt, "token.rotate", k.ID, k.UserID),
			t.audited(ctx, token.CreatedAt, "token.issue", token.ID, k.UserID))
	})
}
