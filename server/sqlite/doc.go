// Package sqlite opens a file of SQLite as the server's database.
//
// The file is made with mode 0600, has an application id, and belongs to one kind of program: a file of
// another kind or of a newer program is refused, unchanged. What was acknowledged is on disk
// (synchronous=FULL), one connection writes while others read (WAL), and what is deleted is
// overwritten (secure_delete). Several processes may have it open.
//
// Before a migration of a file with data, the file is copied to FILE.before-N, N being the version that
// the migration leads to. FILE.lock is held meanwhile, so that of two servers one migrates.
package sqlite
