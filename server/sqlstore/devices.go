package sqlstore

import (
	"context"
	"errors"
	"time"

	"ltm/server"
)

// The states of a device.
const (
	waiting = iota
	approved
	denied
	taken
)

// CreateDevice implements [server.Devices].
func (s *Store) CreateDevice(ctx context.Context, d server.Device) error {
	if err := bounded(d.ID, d.UserCode); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		// A code that waits no longer may be given out again.
		_, err := t.exec("DELETE FROM devices WHERE user_code = $1 AND state = $2 AND expires <= $3",
			d.UserCode, waiting, d.CreatedAt)
		if err != nil {
			return err
		}
		return t.add(`INSERT INTO devices (id, hash, user_code, name, user_id, created, expires, polled, state)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			d.ID, d.Hash, d.UserCode, d.Name, "", d.CreatedAt, d.ExpiresAt, d.PolledAt, waiting)
	})
}

// deviceColumns is what deviceInto reads.
const deviceColumns = "d.id, d.hash, d.user_code, d.name, d.user_id, d.created, d.expires, d.polled, d.state"

func deviceInto(d *server.Device, state *int) []any {
	return []any{&d.ID, digest(&d.Hash), &d.UserCode, &d.Name, &d.UserID, instant(&d.CreatedAt),
		instant(&d.ExpiresAt), instant(&d.PolledAt), state}
}

// PendingDevice implements [server.Devices].
func (s *Store) PendingDevice(ctx context.Context, userCode string, at time.Time) (server.Device, error) {
	return in(ctx, s.ask, func(t *tx) (server.Device, error) {
		return one(t, "SELECT "+deviceColumns+` FROM devices d WHERE d.user_code = $1 AND d.state = 0
			AND d.expires > $2`, []any{userCode, at}, func(d *server.Device) []any { return deviceInto(d, new(int)) })
	})
}

// ApproveDevice implements [server.Devices].
func (s *Store) ApproveDevice(ctx context.Context, userCode, user string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		to := denied
		if user != "" {
			to = approved
			if _, _, err := t.lockUser(user); err != nil {
				return err
			}
		}
		return t.must("UPDATE devices SET state = $1, user_id = $2 WHERE user_code = $3 AND state = 0 AND expires > $4",
			to, user, userCode, at)
	})
}

// TakeDevice implements [server.Devices].
func (s *Store) TakeDevice(
	ctx context.Context, hash [32]byte, token server.Token, most int, at time.Time,
) (d server.Device, err error) {
	waits := false
	err = s.write(ctx, func(t *tx) error {
		waits = false
		var state int
		d, state, err = t.lockDevice(hash)
		if err != nil {
			return err
		}
		switch {
		case state == denied:
			return server.ErrDenied
		case state == taken || !d.ExpiresAt.After(at):
			return server.ErrGone
		case state == waiting:
			waits = true
			return t.must("UPDATE devices SET polled = $1 WHERE id = $2", at, d.ID)
		}
		return t.takeDevice(d, token, most)
	})
	if err == nil && waits {
		err = server.ErrPending
	}
	return d, err
}

// device returns a device, which is locked if the rest of the query says so.
func (t *tx) device(hash [32]byte, rest string) (d server.Device, state int, err error) {
	err = t.get("SELECT "+deviceColumns+" FROM devices d WHERE d.hash = $1"+rest, []any{hash},
		deviceInto(&d, &state)...)
	return d, state, err
}

// lockDevice is device with the device locked, and before it who approved it, if that is a user yet.
func (t *tx) lockDevice(hash [32]byte) (d server.Device, state int, err error) {
	d, state, err = t.device(hash, "")
	if err != nil || t.s.words.lock == "" {
		return d, state, err
	}
	user := d.UserID
	if _, _, err := t.lockUser(user); err != nil && !errors.Is(err, server.ErrNotFound) {
		return d, state, err
	}
	d, state, err = t.device(hash, t.s.words.lock)
	if err == nil && d.UserID != user {
		err = errLost // it was approved just now
	}
	return d, state, err
}

// takeDevice adds the token of an approved device.
func (t *tx) takeDevice(d server.Device, token server.Token, most int) error {
	if _, _, err := t.user(d.UserID); err != nil {
		if errors.Is(err, server.ErrNotFound) {
			return server.ErrDenied // who approved it is no longer a user
		}
		return err
	}
	token.UserID = d.UserID
	if err := t.addTokenWithin(token, most); err != nil {
		return err
	}
	err := t.auditedBy(server.ActorUser(d.UserID), token.CreatedAt, "token.issue", token.ID, d.UserID)
	if err != nil {
		return err
	}
	return t.must("UPDATE devices SET state = $1 WHERE id = $2", taken, d.ID)
}
