// Package pgtest provides Postgres databases for tests.
//
// They are in the cluster that LTM_TEST_POSTGRES names by a URL, whose user may create databases, or else in a private
// one, which the machine's own binaries create for the test process: in a temporary directory, reachable only by a
// socket in it, run by an unprivileged user. It ends with the process, however that ends.
package pgtest
