package sqlite

import (
	"database/sql"
	"fmt"
)

// fillingCache is how much memory a restore may have for pages, in kibibytes, and once more for sorting.
const fillingCache = 128 << 10

// fillingConnection returns the connection of a restore. What does not fit into memory is sorted by way of temporary
// files.
//
// A new file has a journal of the pages that it had before, which are few, until its first change: what is added is
// written once, in its place, and what is killed is taken back. A file that was in use has a journal of new pages, so
// that all is written twice.
func fillingConnection(path string, o Options) (*sql.DB, error) {
	db, err := connect(path, o, fmt.Sprintf("cache_size(-%d)", fillingCache), "temp_store(file)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// fillTerms returns the statements that add the terms of all packets. A packet is joined with as many numbers as it
// has terms.
func fillTerms() []string {
	return []string{
		"CREATE TEMP TABLE filling (n INTEGER PRIMARY KEY)",
		"INSERT INTO temp.filling WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers " +
			"WHERE n < (SELECT max(length(terms)) / 12 FROM packets)) SELECT n FROM numbers",
		"INSERT INTO terms (scope, term, created, id) " +
			"SELECT p.scope, substr(p.terms, f.n * 12 + 1, 12), p.created, p.id " +
			"FROM packets p CROSS JOIN temp.filling f WHERE f.n < length(p.terms) / 12 ORDER BY 1, 2, 3, 4",
		"DROP TABLE temp.filling",
	}
}
