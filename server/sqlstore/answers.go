package sqlstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"ltm/server"
)

// abandoned is how long a request with a key may take before another takes its place.
const abandoned = time.Minute

// Begin implements [server.Idempotency].
func (s *Store) Begin(
	ctx context.Context, user, key string, request [32]byte, at time.Time,
) (*server.Answer, error) {
	if err := bounded(user, key); err != nil {
		return nil, err
	}
	return in(ctx, s.write, func(t *tx) (*server.Answer, error) {
		err := t.add("INSERT INTO answers (user_id, name, request, began) VALUES ($1, $2, $3, $4)",
			user, key, request, at)
		if !errors.Is(err, server.ErrTaken) {
			return nil, err
		}
		return t.again(user, key, request, at)
	})
}

// again handles a key that is in use.
func (t *tx) again(user, key string, request [32]byte, at time.Time) (*server.Answer, error) {
	var first [32]byte
	var began time.Time
	var status *int
	var header []string
	var body []byte
	err := t.get(`SELECT a.request, a.began, a.status, a.header, a.body FROM answers a
		WHERE a.user_id = $1 AND a.name = $2`+t.s.words.lock, []any{user, key},
		digest(&first), instant(&began), &status, packed(&header), &body)
	switch {
	case errors.Is(err, server.ErrNotFound):
		return nil, errLost // it was freed just now
	case err != nil:
		return nil, err
	case first != request:
		return nil, server.ErrReused
	case status != nil:
		a := server.Answer{Status: *status, Body: body}
		for pair := range slices.Chunk(header, 2) {
			if a.Header == nil {
				a.Header = map[string]string{}
			}
			a.Header[pair[0]] = pair[1]
		}
		return &a, nil
	case at.Sub(began) < abandoned:
		return nil, server.ErrUnderWay
	}
	return nil, t.must("UPDATE answers SET began = $1 WHERE user_id = $2 AND name = $3", at, user, key)
}

// Finish implements [server.Idempotency].
func (s *Store) Finish(ctx context.Context, user, key string, a *server.Answer) error {
	return s.write(ctx, func(t *tx) error {
		if a == nil {
			_, err := t.exec("DELETE FROM answers WHERE user_id = $1 AND name = $2 AND status IS NULL", user, key)
			return err
		}
		var header []string
		for _, name := range slices.Sorted(maps.Keys(a.Header)) {
			header = append(header, name, a.Header[name])
		}
		_, err := t.exec(`UPDATE answers SET status = $1, header = $2, body = $3
			WHERE user_id = $4 AND name = $5 AND status IS NULL`, a.Status, pack(header), a.Body, user, key)
		return err
	})
}
