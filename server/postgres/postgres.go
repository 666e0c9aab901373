package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"ltm/server/sqlstore"
)

// Options are the choices in opening a database.
type Options struct {
	// MaxConns is how many connections are open at most; 16 if zero.
	MaxConns int

	// Limit is the most time that one operation takes; 20 seconds if zero.
	Limit time.Duration

	// ConnectTimeout is the most time that a connection takes; 5 seconds if zero. One in the URL
	// (connect_timeout) goes before it.
	ConnectTimeout time.Duration

	// ExactMost is how many vectors of a user and a kind are all compared by pgvector; 10,000 if zero. A query among
	// more is answered by an index.
	ExactMost int
}

// ErrForeign is returned for a database that another program uses in the same schema.
var ErrForeign = errors.New("not a database of ltm-server")

// Open opens the database of a URL (postgres://USER@HOST/NAME?sslmode=verify-full) or of a string of
// keywords and values, and brings it to the newest version. [server.ErrNewer], [ErrForeign]. An error
// does not show the password.
func Open(ctx context.Context, given string, o Options) (*sqlstore.Store, error) {
	o.MaxConns, o.Limit = cmp.Or(o.MaxConns, 16), cmp.Or(o.Limit, 20*time.Second)
	c, err := pgx.ParseConfig(given)
	if err != nil {
		return nil, fmt.Errorf("not an address of Postgres: %w", err)
	}
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, o.ConnectTimeout, 5*time.Second)
	c.DialFunc = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3,
	}}).DialContext
	e, newest, err := prepare(ctx, c, o)
	if err != nil {
		return nil, fmt.Errorf("database %q on %s port %d: %w", c.Database, c.Host, c.Port, err) // without its password
	}
	db := connect(c, o)
	db.SetMaxOpenConns(o.MaxConns)
	db.SetMaxIdleConns(o.MaxConns)
	db.SetConnMaxIdleTime(5 * time.Minute)
	probe := connect(c, o)
	probe.SetMaxOpenConns(1)
	d := sqlstore.Dialect{Version: newest, Several: true, Probe: probe, Limit: o.Limit, Classify: classify,
		Rewrite:   func(ctx context.Context, tables []string) error { return rewrite(ctx, c, o, tables) },
		VectorsBy: "the server, because " + e.why}
	if e.why == "" {
		v := newVectors(e, db, o)
		d.Vectors, d.VectorsBy, d.Closing = v.dialect(), "pgvector", v.close
	}
	return sqlstore.New(db, db, d), nil
}

// connect returns connections to a database, none of which is open yet. The database itself ends what
// takes longer than the limit, too: it would hold its locks after the server has given up. All queries
// begin with the rarest and end with a page, so they are nested loops: the other joins read all of the
// most common word.
func connect(c *pgx.ConnConfig, o Options) *sql.DB {
	limits := fmt.Sprintf("SET statement_timeout = %d; SET idle_in_transaction_session_timeout = %[1]d; "+
		"SET application_name = 'ltm-server'; SET enable_hashjoin = off; SET enable_mergejoin = off",
		o.Limit.Milliseconds())
	return stdlib.OpenDB(*c, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.PgConn().Exec(ctx, limits).ReadAll()
		return err
	}))
}

// classify tells what an error means.
func classify(err error) sqlstore.Fault {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return classifyCode(e.Code)
	}
	var connecting *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.As(err, &connecting), errors.As(err, &network), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, driver.ErrBadConn), errors.Is(err, net.ErrClosed):
		return sqlstore.Away
	}
	return sqlstore.Broken
}

// classifyCode tells what an SQLSTATE means.
func classifyCode(code string) sqlstore.Fault {
	switch code {
	case "23505":
		return sqlstore.Twice
	case "40001", "40P01": // serialization failure, deadlock
		return sqlstore.Lost
	case "53100":
		return sqlstore.Full
	case "25P03", // the transaction was idle for too long
		"55P03", // a lock was not to be had
		"57014": // the statement took too long
		return sqlstore.Busy
	case "25006", // read-only: it is a standby now
		"3D000",                            // the database was dropped
		"57P01", "57P02", "57P03", "57P05": // the database stops, starts or cut the connection
		return sqlstore.Away
	}
	switch code[:min(2, len(code))] {
	case "08", "28": // connections; it lets this user in no longer
		return sqlstore.Away
	case "53": // resources
		return sqlstore.Busy
	}
	return sqlstore.Broken
}
