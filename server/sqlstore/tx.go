package sqlstore

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"ltm/server"
)

// tx is a transaction, or a statement by itself.
type tx struct {
	ctx context.Context
	s   *Store
	tx  statements
	db  *sql.DB  // whose it is
	new []string // queries that no statement is ready for

	passing bool // its connections are closed after it: no statement is kept ready for them
}

// statements is what *sql.Tx and *sql.DB have in common.
type statements interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// query returns a query as the database wants it.
func (t *tx) query(q string) string {
	if made, ok := t.s.queries.Load(q); ok {
		return made.(string)
	}
	made := q
	if !t.s.d.Several {
		made = parameter.ReplaceAllString(q, "?$1")
	}
	t.s.queries.Store(q, made)
	return made
}

// prepared is a query as one pool of connections was given it.
type prepared struct {
	db    *sql.DB
	query string
}

// mostPrepared is how many statements are kept ready at most. There are about 250 queries.
const mostPrepared = 1000

// ready returns the statement of a query, if there is one. In a transaction, whose connection may be the only one,
// none can be prepared: that is done after it.
func (t *tx) ready(query string) *sql.Stmt {
	if t.s.d.Several || t.passing { // the driver of Postgres does so itself
		return nil
	}
	made := t.query(query)
	found, ok := t.s.prepared.Load(prepared{t.db, made})
	if !ok {
		t.new = append(t.new, made)
		return nil
	}
	if inner, ok := t.tx.(*sql.Tx); ok {
		return inner.StmtContext(t.ctx, found.(*sql.Stmt))
	}
	return found.(*sql.Stmt)
}

// prepare makes the statements ready that a transaction lacked. Without one, a query is slower.
func (t *tx) prepare() {
	for _, query := range t.new {
		key := prepared{t.db, query}
		if _, ok := t.s.prepared.Load(key); ok || t.s.statements.Load() >= mostPrepared {
			continue
		}
		made, err := t.db.PrepareContext(t.ctx, query)
		if err != nil {
			return
		}
		if _, ok := t.s.prepared.LoadOrStore(key, made); ok {
			_ = made.Close() // another was faster
		} else {
			t.s.statements.Add(1)
		}
	}
}

// exec runs a statement, and returns the number of rows that it changed. If it deletes texts, that is noted with it.
func (t *tx) exec(query string, args ...any) (int64, error) {
	n, err := t.run(query, args...)
	if err == nil && n > 0 && deletesTexts(query) {
		err = t.removed()
	}
	return n, err
}

// deletesTexts reports whether a statement deletes rows of a table that has texts of persons. The other tables have
// numbers and ids, and what follows from a text of such a table, and they lose that with the text at the latest: then
// it is noted. Answers to applications are encrypted, and those to users have ids.
func deletesTexts(query string) bool {
	rest, deletes := strings.CutPrefix(query, "DELETE FROM ")
	table, _, _ := strings.Cut(rest, " ")
	switch table {
	case "members", "invites", "scopes", "answers", "jobs", "changes", "rates":
		return false
	}
	return deletes
}

// replaces reports whether a text takes the place of another one.
func replaces(old, text string) bool { return old != "" && old != text }

// removed notes that a text is gone or is about to be replaced, so that the next purge sees to what is left of its
// bytes; see [Dialect.Purged]. What the server derives from other texts and replaces does not count: its bytes are
// seen to when one of those texts is removed.
func (t *tx) removed() error {
	if t.s.words.removed == "" {
		return nil
	}
	_, err := t.run(t.s.words.removed)
	return err
}

// run runs a statement.
func (t *tx) run(query string, args ...any) (int64, error) {
	var result sql.Result
	var err error
	if ready := t.ready(query); ready != nil {
		result, err = ready.ExecContext(t.ctx, values(args)...)
	} else {
		result, err = t.tx.ExecContext(t.ctx, t.query(query), values(args)...)
	}
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

// must runs a statement that changes one row. [server.ErrNotFound]: no such row.
func (t *tx) must(query string, args ...any) error {
	n, err := t.exec(query, args...)
	if err == nil && n == 0 {
		return server.ErrNotFound
	}
	return err
}

// orNothing is an INSERT that does nothing on a conflict.
func orNothing(insert string) string { return insert + " ON CONFLICT DO NOTHING" }

// add runs an INSERT that does nothing on a conflict, for which it returns [server.ErrTaken].
func (t *tx) add(query string, args ...any) error {
	n, err := t.exec(orNothing(query), args...)
	if err == nil && n == 0 {
		return server.ErrTaken
	}
	return err
}

// get reads one row. [server.ErrNotFound]: no such row.
func (t *tx) get(query string, args []any, into ...any) error {
	var row *sql.Row
	if ready := t.ready(query); ready != nil {
		row = ready.QueryRowContext(t.ctx, values(args)...)
	} else {
		row = t.tx.QueryRowContext(t.ctx, t.query(query), values(args)...)
	}
	err := row.Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return server.ErrNotFound
	}
	return err
}

// each reads rows, and calls a function for every one, which must not use the transaction.
func (t *tx) each(query string, args []any, row func(scan func(...any) error) error) error {
	var rows *sql.Rows
	var err error
	if ready := t.ready(query); ready != nil {
		rows, err = ready.QueryContext(t.ctx, values(args)...)
	} else {
		rows, err = t.tx.QueryContext(t.ctx, t.query(query), values(args)...)
	}
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

// collect reads all rows of a query.
func collect[T any](t *tx, query string, args []any, into func(*T) []any) (all []T, err error) {
	err = t.each(query, args, func(scan func(...any) error) error {
		var row T
		err := scan(into(&row)...)
		all = append(all, row)
		return err
	})
	return all, err
}

// list is collect as an operation of its own, of one statement.
func list[T any](ctx context.Context, s *Store, query string, args []any, into func(*T) []any) ([]T, error) {
	return in(ctx, s.ask, func(t *tx) ([]T, error) { return collect(t, query, args, into) })
}

// room returns a [server.LimitError] if a query already counts as many as there may be.
func (t *tx) room(what string, most int, query string, args ...any) error {
	have, err := one(t, query, args, single[int])
	if err == nil && have >= most {
		err = &server.LimitError{What: what, Max: int64(most)}
	}
	return err
}

// one reads one row of a query. [server.ErrNotFound]: no such row.
func one[T any](t *tx, query string, args []any, into func(*T) []any) (row T, err error) {
	err = t.get(query, args, into(&row)...)
	return row, err
}

// single is where the only column of a query goes.
func single[T any](value *T) []any { return []any{value} }

// lock locks the row of a scope in a database with several writers, until the transaction ends.
func (t *tx) lock(scope int64) error {
	if t.s.words.lock == "" {
		return nil
	}
	return t.get("SELECT seq FROM scopes WHERE seq = $1"+t.s.words.lock, []any{scope}, &scope)
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
		case bool:
			made[i] = int64(0)
			if a {
				made[i] = int64(1)
			}
		default:
			made[i] = a
		}
	}
	return made
}

// scanner is a destination for a value of a column.
type scanner func(src any) error

// Scan implements sql.Scanner.
func (to scanner) Scan(src any) error { return to(src) }

// instant is a destination for a time. Its zero is NULL.
func instant(to *time.Time) scanner {
	return func(src any) error {
		switch src := src.(type) {
		case nil:
			*to = time.Time{}
		case int64:
			*to = fromMicros(src)
		default:
			return fmt.Errorf("%T is not a time", src)
		}
		return nil
	}
}

// digest is a destination for a hash.
func digest(to *[32]byte) scanner {
	return func(src any) error {
		b, ok := src.([]byte)
		if !ok || len(b) != len(to) {
			return fmt.Errorf("%T is not a hash", src)
		}
		copy(to[:], b)
		return nil
	}
}

// packed is a destination for a list of texts.
func packed(to *[]string) scanner {
	return func(src any) error {
		b, _ := src.([]byte)
		texts, err := unpack(b)
		*to = texts
		return err
	}
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
