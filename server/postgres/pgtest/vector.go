package pgtest

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"ltm/internal/npm"
)

// VectorDatabase is a database of a Postgres that has pgvector.
type VectorDatabase struct {
	URL string

	// MaxConns is how many connections a store may open at most; 0: any number.
	MaxConns int
}

// NewVector returns an empty database in which the extension pgvector can be created. It is that of [New] if the
// cluster has the extension, and otherwise a Postgres in WebAssembly (PGlite), which node runs. That has one database
// and one session, which all connections share: so a store must use one connection, and one test at a time uses it.
//
// PGlite is installed by npm at the first use, if LTM_REQUIRE_PGVECTOR is 1; "make pgvector" does that. Otherwise the
// test is skipped where it is not installed.
func NewVector(t testing.TB) VectorDatabase {
	t.Helper()
	made, err := vectors()
	if errors.Is(err, errNoVectors) && os.Getenv("LTM_REQUIRE_PGVECTOR") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	if made.maxConns == 0 {
		return VectorDatabase{URL: New(t)}
	}
	require.True(t, inUse.TryLock(), "another test uses PGlite, which has one database")
	empty := func() {
		Exec(t, made.url, "DISCARD ALL", "DROP EXTENSION IF EXISTS vector CASCADE", "DROP SCHEMA public CASCADE",
			"CREATE SCHEMA public")
	}
	t.Cleanup(func() { empty(); inUse.Unlock() })
	return VectorDatabase{URL: made.url, MaxConns: made.maxConns}
}

// inUse is locked while a test uses PGlite.
var inUse sync.Mutex

// errNoVectors is returned where nothing has pgvector.
var errNoVectors = errors.New("no Postgres with pgvector: \"make pgvector\" installs one, which needs npm")

// vectorServer is a server with pgvector.
type vectorServer struct {
	running
	maxConns int // 0: no bound
}

// vectors returns the database that this process uses for vectors.
var vectors = sync.OnceValues(func() (vectorServer, error) {
	if made, err := cluster(); err == nil {
		if has, err := hasVectors(made.url); err != nil || has {
			return vectorServer{running: made}, err
		}
	}
	dir, err := pglite()
	if err != nil {
		return vectorServer{}, err
	}
	address, guard, err := serve(dir)
	if err != nil {
		return vectorServer{}, err
	}
	// Connections share a session, so statements must not have names.
	const options = "/postgres?sslmode=disable&default_query_exec_mode=cache_describe"
	return vectorServer{running{"postgres://postgres@" + address + options, guard}, 1}, nil
})

// hasVectors reports whether the extension can be created in a cluster.
func hasVectors(base string) (has bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		return false, err
	}
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector')").Scan(&has)
	return has, errors.Join(err, conn.Close(ctx))
}

//go:embed pglite
var embedded embed.FS

// pglite returns the directory with PGlite, which is installed if that is wanted.
func pglite() (string, error) {
	files, err := fs.Sub(embedded, "pglite")
	if err != nil {
		return "", err
	}
	dir, installed, err := npm.Dir("pglite", files)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: %w", errNoVectors, err)
	case installed:
		return dir, nil
	case os.Getenv("LTM_REQUIRE_PGVECTOR") != "1":
		return "", errNoVectors
	}
	return dir, npm.Install(dir, files)
}

// serve starts PGlite and returns its address and its input. It ends with this process, however that ends.
func serve(dir string) (address string, guard io.Closer, err error) {
	cmd := exec.Command("node", "serve.mjs")
	cmd.Dir = dir
	input, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("PGlite did not start: %w\n%s", errors.Join(err, cmd.Wait()), said.String())
	}
	return strings.TrimSpace(line), input, nil
}
