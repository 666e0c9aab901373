package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// install is what to do where there is no Postgres.
const install = "install Postgres (Debian: apt-get install postgresql), or set LTM_TEST_POSTGRES to a URL"

// errNone is returned where there are no binaries.
var errNone = errors.New("no initdb and pg_ctl on the PATH or in /usr/lib/postgresql/*/bin: " + install)

// running is a cluster.
type running struct {
	url   string
	guard io.Closer // a pipe that is open while this process runs; held here, so that it is not collected
}

// cluster returns the cluster that this process uses.
var cluster = sync.OnceValues(func() (running, error) {
	if given := os.Getenv("LTM_TEST_POSTGRES"); given != "" {
		return running{url: given}, nil
	}
	return start()
})

// New returns the URL of an empty database, which is dropped at the end of the test. Without Postgres
// the test is skipped, or fails if LTM_REQUIRE_POSTGRES is 1.
func New(t testing.TB) string {
	t.Helper()
	made, err := cluster()
	if errors.Is(err, errNone) && os.Getenv("LTM_REQUIRE_POSTGRES") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	base := made.url
	name := "ltm_test_" + strings.ToLower(rand.Text()[:16])
	run(t, base, "CREATE DATABASE "+name)
	t.Cleanup(func() { run(t, base, "DROP DATABASE "+name+" WITH (FORCE)") })
	u, err := url.Parse(base)
	require.NoError(t, err, "LTM_TEST_POSTGRES is a URL")
	u.Path = "/" + name
	return u.String()
}

// run runs statements in the cluster, each by itself.
func run(t testing.TB, base string, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // the test's own has ended
	defer cancel()
	conn, err := pgx.Connect(ctx, base)
	require.NoError(t, err)
	for _, statement := range statements {
		if err == nil {
			_, err = conn.Exec(ctx, statement)
		}
	}
	require.NoError(t, errors.Join(err, conn.Close(ctx)))
}
