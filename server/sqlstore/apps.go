package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"ltm/server"
	"ltm/server/threads"
)

// CreateApp implements [threads.Apps].
func (s *Threads) CreateApp(ctx context.Context, a threads.App) error {
	settings, err := json.Marshal(a.Settings)
	if err != nil {
		return err
	}
	if err := bounded(a.ID, a.Name); err != nil {
		return err
	}
	return s.s.write(ctx, func(t *tx) error {
		return t.add("INSERT INTO apps (id, name, created, settings) VALUES ($1, $2, $3, $4)",
			a.ID, a.Name, a.CreatedAt, settings)
	})
}

// UpdateApp implements [threads.Apps].
func (s *Threads) UpdateApp(ctx context.Context, a threads.App) error {
	settings, err := json.Marshal(a.Settings)
	if err != nil {
		return err
	}
	if err := bounded(a.Name); err != nil {
		return err
	}
	return s.s.write(ctx, func(t *tx) error {
		var other string
		err := t.get("SELECT a.id FROM apps a WHERE a.name = $1 AND a.deleted IS NULL", []any{a.Name}, &other)
		switch {
		case err == nil && other != a.ID:
			return threads.ErrTaken
		case err != nil && !errors.Is(err, threads.ErrNotFound):
			return err
		}
		if err := t.renamesApp(a.ID, a.Name, settings); err != nil {
			return err
		}
		return t.must("UPDATE apps SET name = $1, settings = $2 WHERE id = $3 AND deleted IS NULL",
			a.Name, settings, a.ID)
	})
}

// renamesApp notes that a name or settings of an application are about to be replaced.
func (t *tx) renamesApp(id, name string, settings []byte) error {
	if t.s.words.removed == "" {
		return nil
	}
	var had string
	var kept []byte
	err := t.get("SELECT a.name, a.settings FROM apps a WHERE a.id = $1 AND a.deleted IS NULL", []any{id}, &had, &kept)
	if err == nil && (replaces(had, name) || string(kept) != noSettings && replaces(string(kept), string(settings))) {
		err = t.removed()
	}
	return err
}

// noSettings is settings that are all at their defaults.
const noSettings = "{}"

// appColumns is what appInto reads.
const appColumns = "a.id, a.name, a.created, a.settings"

func appInto(a *threads.App) []any {
	return []any{&a.ID, &a.Name, instant(&a.CreatedAt), document(&a.Settings)}
}

// document is a destination for a value that is kept as JSON.
func document(to any) scanner {
	return func(src any) error {
		b, _ := src.([]byte)
		return json.Unmarshal(b, to)
	}
}

// AppOf implements [threads.Apps].
func (s *Threads) AppOf(ctx context.Context, given string) (threads.App, error) {
	return in(ctx, s.s.read, func(t *tx) (threads.App, error) {
		return byAny(t, given, []string{"id", "name"}, "SELECT "+appColumns+
			" FROM apps a WHERE a.deleted IS NULL AND a.", appInto)
	})
}

// byAny returns the row of which one of some columns, the first before the others, has a value that is not empty. The
// query ends where the name of the column comes.
func byAny[T any](t *tx, given string, columns []string, query string, into func(*T) []any) (row T, err error) {
	err = server.ErrNotFound
	for _, name := range columns {
		if given != "" && errors.Is(err, server.ErrNotFound) {
			row, err = one(t, query+name+" = $1", []any{given}, into)
		}
	}
	return row, err
}

// ListApps implements [threads.Apps].
func (s *Threads) ListApps(ctx context.Context) ([]threads.App, error) {
	return list(ctx, s.s, "SELECT "+appColumns+" FROM apps a WHERE a.deleted IS NULL ORDER BY a.created, a.id", nil,
		appInto)
}

// CreateKey implements [threads.Apps].
func (s *Threads) CreateKey(ctx context.Context, k threads.Key) error {
	if err := bounded(k.ID); err != nil {
		return err
	}
	return s.s.write(ctx, func(t *tx) error {
		var app int64
		err := t.get("SELECT a.seq FROM apps a WHERE a.id = $1 AND a.deleted IS NULL"+t.s.words.lock, []any{k.App},
			&app)
		if err != nil {
			return err
		}
		err = t.add(`INSERT INTO app_keys (id, app, name, hash, created, expires, revoked, used)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			k.ID, app, k.Name, k.Hash, k.CreatedAt, k.ExpiresAt, k.RevokedAt, k.UsedAt)
		if err != nil {
			return err
		}
		return t.audited(ctx, k.CreatedAt, "key.issue", k.ID, k.App)
	})
}

// keyColumns is what keyInto reads.
const keyColumns = "k.id, a.id, k.name, k.hash, k.created, k.expires, k.revoked, k.used"

func keyInto(k *threads.Key) []any {
	return []any{&k.ID, &k.App, &k.Name, digest(&k.Hash), instant(&k.CreatedAt), instant(&k.ExpiresAt),
		instant(&k.RevokedAt), instant(&k.UsedAt)}
}

// ListKeys implements [threads.Apps].
func (s *Threads) ListKeys(ctx context.Context, app string) ([]threads.Key, error) {
	query := "SELECT " + keyColumns + " FROM app_keys k JOIN apps a ON a.seq = k.app WHERE a.deleted IS NULL"
	var args []any
	if app != "" {
		query, args = query+" AND k.app = (SELECT o.seq FROM apps o WHERE o.id = $1)", []any{app}
	}
	return list(ctx, s.s, query+" ORDER BY k.created DESC, k.id DESC", args, keyInto)
}

// RevokeKey implements [threads.Apps].
func (s *Threads) RevokeKey(ctx context.Context, id string, at time.Time) error {
	return s.s.write(ctx, func(t *tx) error {
		var app string
		if err := t.get("SELECT a.id FROM app_keys k JOIN apps a ON a.seq = k.app WHERE k.id = $1", []any{id},
			&app); err != nil {
			return err
		}
		n, err := t.exec("UPDATE app_keys SET revoked = $1 WHERE id = $2 AND revoked IS NULL", at, id)
		if err != nil || n == 0 {
			return err
		}
		return t.audited(ctx, at, "key.revoke", id, app)
	})
}

// AuthenticateKey implements [threads.Apps].
func (s *Threads) AuthenticateKey(
	ctx context.Context, hash [32]byte, at time.Time,
) (k threads.Key, a threads.App, err error) {
	err = s.s.ask(ctx, func(t *tx) error {
		return t.get("SELECT "+keyColumns+", "+appColumns+` FROM app_keys k JOIN apps a ON a.seq = k.app
			WHERE k.hash = $1 AND k.revoked IS NULL AND (k.expires IS NULL OR k.expires > $2)
			AND a.deleted IS NULL`, []any{hash, at}, append(keyInto(&k), appInto(&a)...)...)
	})
	if err != nil {
		return threads.Key{}, threads.App{}, err
	}
	s.s.noteUse(ctx, "app_keys", k.ID, &k.UsedAt, at)
	return k, a, nil
}
