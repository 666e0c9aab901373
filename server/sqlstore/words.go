package sqlstore

import (
	"database/sql"
	"fmt"
	"regexp"
	"strings"
)

// words are what differs between the statements of the databases: SQLite, which has one writer at a time, and
// Postgres.
type words struct {
	lock  string // ends a SELECT that locks the rows that it reads; "": there is one writer
	skip  string // ends one that does so and leaves out what others have locked
	queue string // lets one transaction at a time go on that looks for jobs
	scope string // says whose rows of applications' memory the transaction is about; see [Scope]

	xact  string // the number of the transaction
	ended string // condition that this one and all with a smaller number ended; begins with its column, for prefixes

	bytes, empty string // the type of a text, and the empty one
	removed      string // notes that a text was removed, by which [Dialect.Purged] knows that there is something to do

	// addTerms and dropTerms add terms to the index of a packet, and remove some: $1 is its scope, $2 its id, $3 its
	// time, $4 the terms one after another. fillTerms add those of all packets to an empty index, in its order.
	addTerms, dropTerms string
	fillTerms           []string

	indexes  string   // the table, the name and the definition of each index that no constraint needs
	whole    []string // begin a transaction on the whole database, which may take any time
	restored []string // end a restore: rows were added with their numbers

	read sql.TxOptions // of a transaction that changes nothing and sees one state
}

// Scope lets a transaction of Postgres through the policies of row-level security: to the rows of an application ($1)
// and a subject ($2), -1 being all of them.
const Scope = "SELECT set_config('ltm.app', CAST(CAST($1 AS bigint) AS text), true), " +
	"set_config('ltm.user', CAST(CAST($2 AS bigint) AS text), true)"

// LockKey is the number of the lock of Postgres that a migration holds: "ltms".
const LockKey = 0x6c746d73

// parameter matches a parameter of a query.
var parameter = regexp.MustCompile(`\$(\d+)`)

// wordsOf returns the words of SQLite, or of Postgres, whose several writers change a database at once.
func wordsOf(several bool) words {
	if several {
		return wordsOfPostgres()
	}
	// a packet is joined with as many numbers as it has terms
	const parts = `WITH RECURSIVE parts(n) AS (SELECT 1 UNION ALL SELECT n + 12 FROM parts WHERE n + 12 < length($4))
		SELECT substr($4, n, 12) AS term FROM parts`
	return words{
		xact: "0", ended: "xact = 0", bytes: "BLOB", empty: "x''",
		removed:   "UPDATE removals SET state = 1 WHERE state <> 1",
		addTerms:  "INSERT INTO terms (scope, created, id, term) SELECT $1, $3, $2, term FROM (" + parts + ")",
		dropTerms: "DELETE FROM terms WHERE scope = $1 AND id = $2 AND created = $3 AND term IN (" + parts + ")",
		fillTerms: []string{
			"CREATE TEMP TABLE filling (n INTEGER PRIMARY KEY)",
			"INSERT INTO temp.filling WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers " +
				"WHERE n < (SELECT max(length(terms)) / 12 FROM packets)) SELECT n FROM numbers",
			"INSERT INTO terms (scope, term, created, id) " +
				"SELECT p.scope, substr(p.terms, f.n * 12 + 1, 12), p.created, p.id " +
				"FROM packets p CROSS JOIN temp.filling f WHERE f.n < length(p.terms) / 12 ORDER BY 1, 2, 3, 4",
			"DROP TABLE temp.filling",
		},
		indexes: "SELECT tbl_name, name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
		read:    sql.TxOptions{ReadOnly: true},
	}
}

func wordsOfPostgres() words {
	restored := []string{"ANALYZE " + strings.Join(filled(), ", ")}
	for _, table := range tables() { // a table numbers its rows after those that it has
		if table.columns[0].name == "seq" {
			restored = append(restored, fmt.Sprintf("SELECT setval(pg_get_serial_sequence('%s', 'seq'), "+
				"COALESCE(max(seq), 0) + 1, false) FROM %[1]s", table.name))
		}
	}
	return words{
		lock:  " FOR UPDATE",
		skip:  " FOR UPDATE OF j SKIP LOCKED",
		queue: fmt.Sprintf("SELECT pg_advisory_xact_lock(%d, hashtext(current_schema()))", LockKey),
		scope: Scope,
		xact:  "CAST(CAST(pg_current_xact_id() AS text) AS bigint)",
		ended: "xact < CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint)",
		bytes: "bytea", empty: "''::bytea",
		addTerms: `INSERT INTO terms (scope, created, id, term) SELECT $1, $3, $2, substr($4::bytea, n, 12)
			FROM generate_series(1, length($4::bytea), 12) n`,
		dropTerms: "SELECT ltm_drop_terms($1, $2, $3, $4)",
		fillTerms: []string{
			`INSERT INTO terms (scope, term, created, id) SELECT p.scope, substr(p.terms, n, 12), p.created, p.id
				FROM packets p, generate_series(1, length(p.terms), 12) n ORDER BY 1, 2, 3, 4`,
		},
		// not those of vectors, which are made while the server runs
		indexes: `SELECT t.relname, CAST(i.indexrelid::regclass AS text), pg_get_indexdef(i.indexrelid)
			FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
				JOIN pg_am a ON a.oid = c.relam
			WHERE t.relnamespace = current_schema()::regnamespace AND a.amname = 'btree'
				AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid) ORDER BY 2`,
		whole: []string{strings.NewReplacer("$1", "-1", "$2", "-1").Replace(Scope),
			"SET LOCAL statement_timeout = 0", "SET LOCAL idle_in_transaction_session_timeout = 0",
			"SET LOCAL maintenance_work_mem = '128MB'", "SET LOCAL work_mem = '64MB'",
			"SET LOCAL enable_hashjoin = on", "SET LOCAL enable_mergejoin = on"},
		restored: restored,
		read:     sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
	}
}
