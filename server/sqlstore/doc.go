// Package sqlstore keeps what the server is sent in a database/sql database: one set of queries for
// SQLite and Postgres, with a small [Dialect] for what differs. The packages server/sqlite and
// server/postgres open the databases and bring the migrations.
//
// Every text is kept as bytes (BLOB, bytea): texts come back byte for byte, with a NUL too, which a
// text of Postgres cannot hold, and they are ordered by their bytes in both databases. Times are
// numbers of microseconds since 1970 in UTC; no time is NULL.
//
// # Transactions
//
// A change reads what it depends on under locks. In SQLite there is one writer. In Postgres (READ
// COMMITTED) a change first locks the rows of the scopes that it concerns, users before teams, and
// reads after that; a scope is what a user or a team keeps packets in. What a deadlock or a lost race
// refused is tried again, whole.
//
// Where there is one writer, changes that wait at the same moment share a transaction, each within a
// savepoint: they wait for the disk together, and one that fails takes back its own alone.
//
// # Memories of applications
//
// All rows of an application's user, its subject, have the number of the application and that of the
// subject, which is never given out again. A change locks the subject first. Events, acts and summaries
// have numbers of one count of the subject. Ids are unique within an application. What has many small
// parts, such as the evidence of a claim, is a JSON document beside the columns that are looked at.
// Filters are evaluated here and not by the databases, which would not agree on JSON.
//
// On Postgres, policies of row-level security let a transaction see what [Scope] names alone.
// What concerns several subjects, such as jobs, a purge or a dump, says so.
//
// The feed of changes is read in the order of transactions, and up to the oldest one that still runs:
// who goes on after the last line misses none.
//
// # Terms
//
// A list is filtered by terms: a word, a tag, a project or a parent, each as a hash of 12 bytes, so
// that the length of a text does not matter. The table of terms has the order of the list, so any
// number of filters at once is an intersection within one index.
package sqlstore
