// Package postgres opens a database of Postgres as the server's.
//
// Every connection and every statement has a time limit, so that a node that is gone costs a request
// less than 30 seconds. Several servers may use a database: a change locks what it depends on, and
// what a deadlock ended is tried again. A lock of the database makes one server migrate and the others
// wait.
//
// The database decides what is on disk: with synchronous_commit, what was acknowledged is. It also
// decides when the bytes of a deleted text leave its files; they leave its tables at once.
package postgres
