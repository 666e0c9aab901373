package postgres

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"ltm/server/sqlstore"
)

const (
	// exactMost is how many vectors of a user and a kind are all compared. So many of 1,536 numbers take a few dozen
	// milliseconds, and beyond that an index is faster by far; below it, it would save little and could miss some.
	exactMost = 10_000

	// The sizes that the types vector and halfvec can have, and be indexed with.
	mostNumbers = 16_000
	mostVector  = 2_000
	mostHalf    = 4_000

	near        = "near" // the column
	fillRows    = 200    // whose column is filled in one transaction
	againAfter  = 30 * time.Second
	buildMemory = "256MB" // a graph that does not fit is built many times slower
)

// extension is pgvector in a database. Its name is qualified everywhere: it may be in a schema that is not searched.
type extension struct {
	schema string // quoted
	why    string // it is not used; then all else is empty
}

func (e extension) name(of string) string { return e.schema + "." + of }

// extend looks for pgvector, creates it where that is allowed, and gives the table of vectors its column. Whatever
// prevents that is a reason to compare vectors here, and not an error: it works, and more slowly.
func extend(ctx context.Context, db *sql.DB) extension {
	var ready bool
	find := func() (e extension, err error) {
		var version string
		err = db.QueryRowContext(ctx, `SELECT e.extversion, quote_ident(n.nspname) FROM pg_extension e
			JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`).Scan(&version, &e.schema)
		if err == nil && !iterates(version) {
			return extension{why: "pgvector " + version + " is older than 0.8"}, nil
		}
		return e, err
	}
	e, err := find()
	if errors.Is(err, sql.ErrNoRows) {
		_, failed := db.ExecContext(ctx, "CREATE EXTENSION IF NOT EXISTS vector")
		e, err = find() // whatever failed: another server may have been faster
		if errors.Is(err, sql.ErrNoRows) {
			return extension{why: "pgvector is not installed, or may not be created"}.because(failed)
		}
	}
	if err != nil || e.why != "" {
		return extension{why: e.why}.because(err)
	}
	err = db.QueryRowContext(ctx, fmt.Sprintf(`SELECT '[1,0]'::%s OPERATOR(%s) '[0,1]'::%[1]s = 1 AND EXISTS (
		SELECT 1 FROM pg_attribute WHERE attrelid = 'vectors'::regclass AND attname = '%[3]s' AND NOT attisdropped
		AND atttypid = '%[1]s'::regtype)`, e.name("vector"), e.name("<=>"), near)).Scan(&ready)
	if err == nil && !ready {
		err = e.addColumn(ctx, db)
	}
	if err != nil {
		return extension{}.because(err)
	}
	return e
}

// because adds the reason of an error.
func (e extension) because(err error) extension {
	if err != nil && e.why == "" {
		e.why = "pgvector cannot be used: " + err.Error()
	}
	return e
}

// iterates reports whether a version of pgvector has scans that go on until there are enough rows.
func iterates(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	x, err := strconv.Atoi(major)
	y, wrong := strconv.Atoi(minor)
	return errors.Join(err, wrong) == nil && (x > 0 || y >= 8)
}

// addColumn makes place for vectors, and an index of the rows whose place is empty. It gives up rather than let all
// others wait behind it.
func (e extension) addColumn(ctx context.Context, db *sql.DB) (err error) {
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = t.Rollback() }() // nothing, once it is committed
	for _, statement := range []string{
		"SET LOCAL lock_timeout = '5s'",
		"ALTER TABLE vectors ADD COLUMN IF NOT EXISTS " + near + " " + e.name("vector"),
		"CREATE INDEX IF NOT EXISTS vectors_missing ON vectors (model, subject, kind) WHERE " + near + " IS NULL",
	} {
		if _, err := t.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return t.Commit()
}

// vectors is what a database with pgvector does beside answering: it fills in the column of rows that have none, and
// builds indexes.
type vectors struct {
	extension
	db    *sql.DB
	limit time.Duration
	most  int
	wake  chan struct{}
	stop  context.CancelFunc
	ended chan struct{}

	mu      sync.Mutex
	indexes map[indexed]bool // whether it is there
}

// indexed is what an index is of.
type indexed struct {
	model string
	size  int
}

// name returns the name of an index.
func (i indexed) name() string {
	sum := sha256.Sum256([]byte(i.model))
	return "vectors_near_" + hex.EncodeToString(sum[:6]) + "_" + strconv.Itoa(i.size)
}

// newVectors starts what goes on beside.
func newVectors(e extension, db *sql.DB, o Options) *vectors {
	ctx, stop := context.WithCancel(context.Background())
	v := &vectors{extension: e, db: db, limit: o.Limit, most: cmp.Or(o.ExactMost, exactMost), stop: stop,
		wake: make(chan struct{}, 1), ended: make(chan struct{}), indexes: map[indexed]bool{}}
	go v.work(ctx)
	return v
}

// close ends what goes on beside, and waits for it.
func (v *vectors) close() error {
	v.stop()
	<-v.ended
	return nil
}

// dialect returns what the store needs to know.
func (v *vectors) dialect() *sqlstore.Vectors {
	return &sqlstore.Vectors{Column: near, Most: v.most, Missing: v.hurry, Exact: v.exact, Indexed: v.indexed,
		Value: func(p string) string { return "CAST(" + p + " AS text)::" + v.name("vector") }}
}

// exact implements [sqlstore.Vectors]. The column is not cast, so that no index is used.
func (v *vectors) exact(model string, size int) string {
	if size < 2 || size > mostNumbers {
		return ""
	}
	return v.query(model, size, near, "vector")
}

// query returns the query for the rows nearest to a parameter.
func (v *vectors) query(model string, size int, by, kind string) string {
	return fmt.Sprintf(`SELECT id, v FROM vectors WHERE %s AND subject = $1 AND kind = $2
		ORDER BY %s OPERATOR(%s) CAST($3 AS text)::%s LIMIT $4`, v.those(model, size), by, v.name("<=>"), v.name(kind))
}

// those returns the condition on the vectors that can be compared. It is that of an index, so it has no parameters.
func (v *vectors) those(model string, size int) string {
	return fmt.Sprintf(`model = '\x%s'::bytea AND %s(%s) = %d`, hex.EncodeToString([]byte(model)),
		v.name("vector_dims"), near, size)
}

// kind returns the type that vectors are indexed as, and "" if no type holds the size: numbers of half the digits
// for large ones, which the order of what is found does not depend on.
func kind(size int) string {
	switch {
	case size <= mostVector:
		return "vector"
	case size <= mostHalf:
		return "halfvec"
	}
	return ""
}

// indexed implements [sqlstore.Vectors]. The scan goes on until there are enough rows of the user. An index that is
// not there is built from now on.
func (v *vectors) indexed(model string, size int) (before, query, after string, ok bool) {
	if kind(size) == "" {
		return "", "", "", false
	}
	i := indexed{model, size}
	v.mu.Lock()
	ready, known := v.indexes[i]
	v.indexes[i] = ready
	v.mu.Unlock()
	if !known {
		v.hurry()
	}
	if !ready {
		return "", "", "", false
	}
	// Without a sort, the index is the one way to the order.
	before = "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), " +
		"set_config('hnsw.ef_search', '200', true), set_config('hnsw.max_scan_tuples', '100000', true), " +
		"set_config('enable_sort', 'off', true)"
	after = "SELECT set_config('enable_sort', 'on', true)"
	return before, v.query(model, size, v.cast(size), kind(size)), after, true
}

// cast returns what an index is of.
func (v *vectors) cast(size int) string {
	return fmt.Sprintf("(%s::%s(%d))", near, v.name(kind(size)), size)
}

// hurry wakes what goes on beside.
func (v *vectors) hurry() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// work fills in and builds until the context ends.
func (v *vectors) work(ctx context.Context) {
	defer close(v.ended)
	for ctx.Err() == nil {
		err := v.fill(ctx)
		if err == nil {
			err = v.buildAll(ctx)
		}
		var again <-chan time.Time // never, without an error
		timer := time.NewTimer(againAfter)
		if err != nil {
			again = timer.C
		}
		select {
		case <-v.wake:
		case <-again:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// fill fills in the column of all rows that have none: those that were there before pgvector was, or that a server
// without it wrote.
func (v *vectors) fill(ctx context.Context) error {
	for {
		n, err := v.fillSome(ctx)
		if err != nil || n == 0 {
			return err
		}
	}
}

// fillSome fills in some rows.
func (v *vectors) fillSome(ctx context.Context) (n int, err error) {
	ctx, cancel := context.WithTimeout(ctx, v.limit)
	defer cancel()
	t, err := v.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = t.Rollback() }() // nothing, once it is committed
	if _, err := t.ExecContext(ctx, sqlstore.Scope, -1, -1); err != nil {
		return 0, err
	}
	type row struct {
		subject         int64
		kind, id, model []byte
		v               []byte
	}
	var found []row
	rows, err := t.QueryContext(ctx, "SELECT subject, kind, id, model, v FROM vectors WHERE "+near+
		" IS NULL LIMIT $1 FOR UPDATE SKIP LOCKED", fillRows)
	if err != nil {
		return 0, err
	}
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.subject, &r.kind, &r.id, &r.model, &r.v); err != nil {
			return 0, errors.Join(err, rows.Close())
		}
		found = append(found, r)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, err
	}
	for _, r := range found {
		_, err := t.ExecContext(ctx, "UPDATE vectors SET "+near+" = CAST($1 AS text)::"+v.name("vector")+
			" WHERE subject = $2 AND kind = $3 AND id = $4 AND model = $5",
			sqlstore.VectorText(sqlstore.UnpackVector(r.v)), r.subject, r.kind, r.id, r.model)
		if err != nil {
			return 0, err
		}
	}
	return len(found), t.Commit()
}

// buildAll builds the indexes that were asked for.
func (v *vectors) buildAll(ctx context.Context) error {
	v.mu.Lock()
	var wanted []indexed
	for i, ready := range v.indexes {
		if !ready {
			wanted = append(wanted, i)
		}
	}
	v.mu.Unlock()
	for _, i := range wanted {
		if err := v.build(ctx, i); err != nil {
			return err
		}
		v.mu.Lock()
		v.indexes[i] = true
		v.mu.Unlock()
	}
	return nil
}

// errBuilding is returned while another server builds.
var errBuilding = errors.New("another server builds an index")

// build builds an index if it is not there, while all others go on. A half-built index of a killed server is removed.
func (v *vectors) build(ctx context.Context, i indexed) (err error) {
	conn, err := v.db.Conn(ctx)
	if err != nil {
		return err
	}
	// The connection ends, and with it its lock and settings, whatever happened.
	defer func() { _ = conn.Raw(func(any) error { return driver.ErrBadConn }) }()
	var locked bool
	err = conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1, hashtext(current_schema()))",
		buildKey).Scan(&locked)
	if err != nil {
		return err
	}
	if !locked {
		return errBuilding
	}
	defer func() {
		_, unlocked := conn.ExecContext(context.WithoutCancel(ctx),
			"SELECT pg_advisory_unlock($1, hashtext(current_schema()))", buildKey)
		err = errors.Join(err, unlocked)
	}()
	var valid sql.NullBool
	err = conn.QueryRowContext(ctx, "SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1))",
		i.name()).Scan(&valid)
	if err != nil || valid.Bool {
		return err
	}
	statements := []string{"SET statement_timeout = 0", "SET maintenance_work_mem = '" + buildMemory + "'"}
	if valid.Valid {
		statements = append(statements, "DROP INDEX CONCURRENTLY IF EXISTS "+i.name())
	}
	for _, statement := range append(statements, fmt.Sprintf(
		"CREATE INDEX CONCURRENTLY %s ON vectors USING hnsw (%s %s) WHERE %s", i.name(), v.cast(i.size),
		v.name(kind(i.size)+"_cosine_ops"), v.those(i.model, i.size))) {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// buildKey is the number of the lock that a build holds: "ltmv".
const buildKey = 0x6c746d76
