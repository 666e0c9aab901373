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
	return create(t, "")
}

// Copy returns the URL of a copy of a database that nobody uses meanwhile, for the same role. It is dropped at the end
// of the test.
func Copy(t testing.TB, of string) string {
	t.Helper()
	u, err := url.Parse(of)
	require.NoError(t, err)
	made, err := url.Parse(create(t, " TEMPLATE "+strings.TrimPrefix(u.Path, "/")))
	require.NoError(t, err)
	u.Path = made.Path
	return u.String()
}

// create creates a database, as the end of the statement says.
func create(t testing.TB, from string) string {
	t.Helper()
	made, err := cluster()
	if errors.Is(err, errNone) && os.Getenv("LTM_REQUIRE_POSTGRES") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	base := made.url
	name := "ltm_test_" + strings.ToLower(rand.Text()[:16])
	Exec(t, base, "CREATE DATABASE "+name+from)
	t.Cleanup(func() { Exec(t, base, "DROP DATABASE "+name+" WITH (FORCE)") })
	u, err := url.Parse(base)
	require.NoError(t, err, "LTM_TEST_POSTGRES is a URL")
	u.Path = "/" + name
	return u.String()
}

// Exec runs statements in a database, each by itself.
func Exec(t testing.TB, url string, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // the test's own has ended
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	for _, statement := range statements {
		if err == nil {
			_, err = conn.Exec(ctx, statement)
		}
	}
	require.NoError(t, errors.Join(err, conn.Close(ctx)))
}

// Plain returns the URL of a database with a role that is neither a superuser nor passes by row-level security, and
// that may make tables there.
func Plain(t testing.TB, url string) string {
	t.Helper()
	role := "ltm_plain_" + strings.ToLower(rand.Text()[:16])
	Exec(t, url, "CREATE ROLE "+role+" NOSUPERUSER NOBYPASSRLS", "GRANT ALL ON SCHEMA public TO "+role)
	t.Cleanup(func() { Exec(t, url, "DROP OWNED BY "+role+" CASCADE", "DROP ROLE "+role) })
	return url + "&role=" + role
}
