// Package sqlstore keeps the server's data in a database/sql database: one set of queries for SQLite and Postgres, with
// a small [Dialect] for the differences. The packages server/sqlite and server/postgres open the databases and provide
// the migrations.
//
// Every text is stored as bytes (BLOB, bytea): texts come back byte for byte, even with a NUL, which a Postgres text
// cannot hold, and both databases order them by their bytes. Times are microseconds since 1970 in UTC; an unset time is
// NULL.
//
// # Transactions
//
// A change reads what it depends on under locks. In SQLite there is one writer. In Postgres (READ COMMITTED) a change
// first locks the rows of the scopes that it concerns, users before teams, and then reads; a scope holds the packets of
// a user or a team. A change that a deadlock or a lost race refused is tried again as a whole.
//
// With a single writer, changes that wait at the same time share a transaction, each within a savepoint: they wait for
// the disk together, and one that fails reverts only its own part.
//
// # Memories of applications
//
// All rows of an application's user (its subject) have the number of the application and that of the subject, which is
// never reused. A change locks the subject first. Events, acts and summaries share one sequence of numbers per subject.
// Ids are unique within an application. Values with many small parts, such as the evidence of a claim, are a JSON
// document beside the columns that are queried. Filters are evaluated here and not by the databases, which would not
// agree on JSON.
//
// On Postgres, row-level security policies let a transaction see only what [Scope] names. Transactions across subjects,
// such as jobs, a purge or a dump, declare that.
//
// The feed of changes is read in the order of transactions, up to the oldest one that still runs: a reader that
// continues after the last line misses none.
//
// # Terms
//
// A list is filtered by terms: a word, a tag, a project or a parent, each as a hash of 12 bytes, so that the length of
// a text does not matter. The table of terms has the order of the list, so combining any number of filters is an
// intersection within one index.
package sqlstore
