// Package pgtest gives tests databases of Postgres.
//
// They are in the cluster that LTM_TEST_POSTGRES names by a URL, whose user may create databases, or
// else in a private one, which the machine's own binaries make for the process of the test: in a
// temporary directory, reached only by a socket in it, run by an unprivileged user. It ends with the
// process, however that ends.
package pgtest
