package sqlstore

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"ltm/server"
)

// tx is a transaction, or a statement by itself.
type tx struct {
	ctx context.Context
	s   *Store
	tx  statements
}

// statements is what *sql.Tx and *sql.DB have in common.
type statements interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// query returns a query as the database wants it.
func (t *tx) query(q string) string {
	if made, ok := t.s.queries.Load(q); ok {
		return made.(string)
	}
	made := t.s.d.Query(q)
	t.s.queries.Store(q, made)
	return made
}

// exec runs a statement, and returns the number of rows that it changed.
func (t *tx) exec(query string, args ...any) (int64, error) {
	result, err := t.tx.ExecContext(t.ctx, t.query(query), values(args)...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// all runs statements.
func (t *tx) all(statements []string) error {
	for _, statement := range statements {
		if _, err := t.exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// must runs a statement that changes one row. [server.ErrNotFound]: there is none.
func (t *tx) must(query string, args ...any) error {
	n, err := t.exec(query, args...)
	if err == nil && n == 0 {
		return server.ErrNotFound
	}
	return err
}

// add runs an INSERT that does nothing on a conflict, for which it returns [server.ErrTaken].
func (t *tx) add(query string, args ...any) error {
	n, err := t.exec(query+" ON CONFLICT DO NOTHING", args...)
	if err == nil && n == 0 {
		return server.ErrTaken
	}
	return err
}

// get reads one row. [server.ErrNotFound]: there is none.
func (t *tx) get(query string, args []any, into ...any) error {
	err := t.tx.QueryRowContext(t.ctx, t.query(query), values(args)...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return server.ErrNotFound
	}
	return err
}

// each reads rows, and calls a function for every one, which must not use the transaction.
func (t *tx) each(query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := t.tx.QueryContext(t.ctx, t.query(query), values(args)...)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			_ = rows.Close()
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// lock locks the row of a scope in a database with several writers, until the transaction ends.
func (t *tx) lock(scope int64) error {
	if t.s.d.Lock == "" {
		return nil
	}
	return t.get("SELECT seq FROM scopes WHERE seq = $1"+t.s.d.Lock, []any{scope}, &scope)
}

// values makes arguments of a query what the database keeps: texts and hashes are bytes, times
// microseconds.
func values(args []any) []any {
	made := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			made[i] = append([]byte{}, a...)
		case [32]byte:
			made[i] = append([]byte{}, a[:]...)
		case []byte:
			made[i] = append([]byte{}, a...) // not nil, which would be NULL
		case time.Time:
			made[i] = nil
			if !a.IsZero() {
				made[i] = a.UnixMicro()
			}
		case int:
			made[i] = int64(a)
		default:
			made[i] = a
		}
	}
	return made
}

// instant is a destination for a time. Its zero is NULL.
type instant struct{ to *time.Time }

// Scan implements sql.Scanner.
func (i instant) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*i.to = time.Time{}
	case int64:
		*i.to = fromMicros(src)
	default:
		return fmt.Errorf("%T is not a time", src)
	}
	return nil
}

// digest is a destination for a hash.
type digest struct{ to *[32]byte }

// Scan implements sql.Scanner.
func (d digest) Scan(src any) error {
	b, ok := src.([]byte)
	if !ok || len(b) != len(d.to) {
		return fmt.Errorf("%T is not a hash", src)
	}
	copy(d.to[:], b)
	return nil
}

// list is a destination for a list of texts.
type list struct{ to *[]string }

// Scan implements sql.Scanner.
func (l list) Scan(src any) error {
	b, _ := src.([]byte)
	texts, err := unpack(b)
	*l.to = texts
	return err
}

// pack makes bytes of a list of texts: each has its length before it.
func pack(texts []string) []byte {
	b := []byte{}
	for _, text := range texts {
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	return b
}

// errList is returned for bytes that are not a list of texts.
var errList = errors.New("the database holds a damaged list")

// unpack undoes pack.
func unpack(b []byte) ([]string, error) {
	var texts []string
	for len(b) > 0 {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			return nil, errList
		}
		texts = append(texts, string(b[size:size+int(n)]))
		b = b[size+int(n):]
	}
	return texts, nil
}

// longest is the most bytes of a text that is looked up: an index of Postgres refuses longer ones.
const longest = 1024

// bounded returns [server.ErrTooLong] if one of the texts is too long to be looked up.
func bounded(texts ...string) error {
	for _, text := range texts {
		if len(text) > longest {
			return server.ErrTooLong
		}
	}
	return nil
}
