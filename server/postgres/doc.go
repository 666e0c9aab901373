// Package postgres opens a Postgres database as the server's database.
//
// Every connection and every statement has a time limit, so that a lost node delays a request by less than 30 seconds.
// Several servers may use a database: a change locks what it depends on, and is tried again after a deadlock. A
// database lock makes one server migrate and the others wait.
//
// The database decides what is on disk: with synchronous_commit, acknowledged changes are. It also decides when the
// bytes of a deleted text leave its files; they leave its tables at once.
package postgres
