// Package sqlite opens a SQLite file as the server's database.
//
// The file is created with mode 0600 and has an application id: a file of another program or of a newer version is
// refused, unchanged. Acknowledged changes are on disk (synchronous=FULL), one connection writes while others read
// (WAL), and deleted data is overwritten (secure_delete). Several processes may have it open.
//
// Before a migration of a file with data, the file is copied to FILE.before-N, where N is the new version. FILE.lock is
// held meanwhile, so that only one of two servers migrates.
package sqlite
